import type { ValueRole } from '@tollgate/catalog';
import { checkLiterals } from '../../analyses/literals.ts';
import { LITERAL_TESTS, meantBy } from '../../analyses/patterns.ts';
import type { ValueTest } from '../../readers/value-tests.ts';
import { literalSource, operandSource, sourceFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

const ROLES = ['path', 'path-and-query', 'url', 'host'] as const satisfies readonly ValueRole[];

/** Reports `req.Path == '/admin/*'`. */
export const COMPARED_LITERALLY: LintRule = {
  id: 'regex/compared-literally',
  severity: 'warning',
  summary: 'glob or regular expression that is compared literally',
  rationale:
    'Only `matches` reads a regular expression, and nothing reads a glob: `==`, `in`, `startsWith`, `endsWith` and `contains` compare ' +
    'every character, so `/admin/*` equals only a path that ends with an asterisk, which no client requests. The rule never matches.',
  bad: {
    policy: `\
inbound:
  - name: no admin pages
    expressions: ["req.Path == «'/admin/*'»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no admin pages
    expressions: ["req.Path == '/admin' || req.Path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: checkLiterals(
    [...ROLES],
    ({ text, node, test, at }) => {
      const meant = test.origin.isWhole ? meantBy(text, test) : undefined;
      if (meant === undefined) return undefined;
      const { noun, call } = meant;
      const isAlone = !test.isListed && test.kind !== 'in';
      const operand = operandSource(at, test.operand);
      const source = `${operand}.${call.name}(${literalSource(sourceOf(at, node.range), call.argument)})`;
      const shown = `${call.name}('${call.argument}')`;
      return {
        range: rangeInDocument(at, node.range),
        message: `${how(test)} compares literally, and \`${text}\` is ${noun}; use \`${shown}\``,
        args: { found: text, suggestion: shown },
        fixes: isAlone ? [replacing(at, test, { newText: source, shown })] : [],
      };
    },
    ({ kind }) => LITERAL_TESTS.has(kind),
  ),
};

function how({ kind }: ValueTest): string {
  return `\`${kind}\``;
}

function replacing(
  at: LintedExpression,
  { call, kind }: ValueTest,
  { newText, shown }: { readonly newText: string; readonly shown: string },
) {
  return sourceFix(at, call, {
    newText: kind === '!=' ? `!${newText}` : newText,
    title: `use \`${shown}\``,
    applicability: 'suggestion',
  });
}
