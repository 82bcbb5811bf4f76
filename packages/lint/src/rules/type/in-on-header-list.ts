import type { CallExpr } from '@tollgate/cel';
import type { Fix } from '@tollgate/diagnostics';
import { headerReadOf } from '../../expressions/header-reads.ts';
import { literalText } from '../../expressions/variable-path.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, placeOf, sourceOf } from '../../rule-api/linted-expression.ts';

/** Headers whose value is made of several words, by name in lower case. */
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

/** One word, and not a whole value such as `curl/8.5.0` or `no-cache, no-store`. */
const WORD = /^[\w.-]+$/;

/** `'GPTBot' in req.Headers['User-Agent']`. */
export const IN_ON_HEADER_LIST: LintRule = {
  id: 'type/in-on-header-list',
  severity: 'warning',
  summary: 'a word looked for among whole header values',
  rationale:
    'The value of a header is a list of texts, and `in` asks whether one of them is *equal*. A word that is only a part of the ' +
    'value, as the name of a bot is of a user agent, is never found: the rule is there and does nothing.',
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
        const word = literalText(call.args[0]);
        const list = call.args[1]!;
        const header = word === undefined || !WORD.test(word) ? undefined : headerReadOf(at.typed, list);
        if (header?.use !== 'value' || !COMPOUND.has(header.name.toLowerCase())) return;
        context.report({
          range: placeOf(at, call.range),
          message: `\`in\` compares whole values, and \`${word}\` is at most a part of \`${header.name}\`; look inside with \`contains\``,
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
  return { title: 'look for it inside of each value', applicability: 'suggestion', edits };
}
