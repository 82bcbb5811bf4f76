import { checkLiterals } from '../../analyses/literals.ts';
import { isEquality, type ValueTest } from '../../readers/value-tests.ts';
import { literalSource, operandSource, sourceFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports `req.user_agent == 'curl'`. */
export const USER_AGENT_EQUALITY: LintRule = {
  id: 'header/user-agent-equality',
  severity: 'warning',
  summary: 'whole User-Agent compared with the name of a product',
  rationale:
    'A `User-Agent` names products with their versions, such as `curl/8.5.0`, and often several of them. It hardly ever equals the name ' +
    'alone, so the rule matches nothing, or everything if it is negated. Test whether the value contains the name.',
  bad: {
    policy: `\
on_http_request:
  - name: no scripts
    expressions: ["req.user_agent == «'curl'»"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: fewer requests for crawlers
    expressions: ["req.user_agent.contains('curl')"]
    actions: [{ type: log, config: { metadata: { client: curl } } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: checkLiterals(
    ['user-agent', 'request-headers'],
    ({ text, node, test, at }) => {
      // `type/in-on-header-list` reports `'curl' in req.Headers['User-Agent']`.
      const isElement = test.call.function === '@in' && test.kind === '==';
      if (isElement || !isUserAgent(test) || !/^[A-Za-z][\w.-]+$/.test(text)) return undefined;
      const shown = `contains('${text}')`;
      return {
        message: `a User-Agent contains versions, such as \`${text}/1.0\`, so it does not equal \`${text}\`; use \`${shown}\``,
        args: { found: text },
        fixes:
          test.isListed || test.kind === 'in'
            ? []
            : [containing(at, test, literalSource(sourceOf(at, node.range), text))],
      };
    },
    isEquality,
  ),
};

function isUserAgent({ origin: { role, name, isWhole, path } }: ValueTest): boolean {
  // `req.user_agent.name` is the name alone.
  return isWhole && (role === 'user-agent' ? /user_?agent$/i.test(path) : name?.toLowerCase() === 'user-agent');
}

function containing(at: LintedExpression, { call, kind, operand }: ValueTest, literal: string) {
  const newText = `${kind === '!=' ? '!' : ''}${operandSource(at, operand)}.contains(${literal})`;
  return sourceFix(at, call, { newText, title: `use \`${newText}\``, applicability: 'suggestion' });
}
