import type { CallExpr } from '@tollgate/cel';
import type { Fix } from '@tollgate/diagnostics';
import { headerReadOf } from '../../readers/lookups.ts';
import { literalString } from '../../readers/source-nodes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Names, in lower case, of headers whose values consist of several words. */
const COMPOUND = new Set([
  ...['user-agent', 'accept', 'accept-encoding', 'accept-language', 'cookie', 'set-cookie', 'referer', 'via'],
  ...[
    'cache-control',
    'content-type',
    'content-security-policy',
    'forwarded',
    'x-forwarded-for',
    'strict-transport-security',
  ],
]);

/** Matches a single word, but not whole values such as `curl/8.5.0` or `no-cache, no-store`. */
const WORD = /^[\w.-]+$/;

/** Reports `'GPTBot' in req.Headers['User-Agent']`. */
export const IN_ON_HEADER_LIST: LintRule = {
  id: 'type/in-on-header-list',
  severity: 'warning',
  summary: 'substring tested with `in` on a list of header values',
  rationale:
    'A header is a list of strings, and `in` tests whether one of them is *equal* to the string. A string that is only part of a ' +
    'value, such as the name of a bot in a user agent, is never found, so the rule never matches.',
  bad: {
    policy: `\
inbound:
  - name: no training bots
    expressions:
      - "'User-Agent' in req.Headers && «'GPTBot' in req.Headers['User-Agent']»"
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no training bots
    expressions:
      - "getReqHeader('User-Agent').exists(value, value.contains('GPTBot'))"
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: {
    calls: {
      '@in': (call, at, context) => {
        const word = literalString(call.args[0]);
        const list = call.args[1]!;
        const header = word === undefined || !WORD.test(word) ? undefined : headerReadOf(at.typed, list);
        if (header?.use !== 'value' || !COMPOUND.has(header.name.toLowerCase())) return;
        context.report({
          range: rangeInDocument(at, call.range),
          message: `\`in\` compares whole values, but \`${word}\` is only part of a \`${header.name}\` value; use \`contains\``,
          args: { header: header.name, word: word! },
          fixes: [containsFix(call, at)],
        });
      },
    },
  },
};

function containsFix(call: CallExpr, at: LintedExpression): Fix {
  const [word, list] = call.args.map(part => sourceOf(at, part.range));
  const newText = `${list}.exists(value, value.contains(${word}))`;
  const edits = editsOf(at, [{ range: call.range, newText }]);
  return { title: 'test each value with `contains`', applicability: 'suggestion', edits };
}
