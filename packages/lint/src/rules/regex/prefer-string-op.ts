import { EvaluationError } from '@tollgate/cel';
import { compilePattern } from '@tollgate/cel/tooling';
import { checkPatterns } from '../../analyses/patterns.ts';
import { originOf, type ValueOrigin } from '../../readers/value-origin.ts';
import { openPrefixOf } from '../../readers/value-tests.ts';
import { literalSource, operandSource, sourceFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

const METHODS = { literal: 'contains', prefix: 'startsWith', suffix: 'endsWith', equals: undefined } as const;

/** Characters with a meaning in a pattern, once escapes have been removed. */
const STRUCTURE = /[|*+?(){}]/;

/** Reports `req.Path.matches('^/api/')`. */
export const PREFER_STRING_OP: LintRule = {
  id: 'regex/prefer-string-op',
  severity: 'info',
  summary: 'pattern that a string function can replace',
  rationale:
    'A pattern without repetitions or alternatives only tests where a string occurs. `startsWith`, `endsWith`, `contains` and `==` say ' +
    'that directly and need no escaping.',
  bad: {
    policy: `\
inbound:
  - name: no API access
    expressions: ["«req.Path.matches('^/api/')»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no API access
    expressions: ["req.Path.startsWith('/api/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['style'],
  check: checkPatterns(({ pattern, call }, context) => {
    const subject = call?.node.target;
    const [literal] = call?.node.args ?? [];
    const isPlain = !STRUCTURE.test(pattern.replaceAll(/\\.|\.[*+?]$/g, ''));
    const compiled = call && isPlain ? compilePattern(pattern) : undefined;
    if (!call || !subject || !literal || !compiled || compiled instanceof EvaluationError) return;
    // The empty pattern is left to `regex/overbroad`.
    if (compiled.kind === 're2' || compiled.kind === 'regexp' || compiled.text === '') return;
    const { at } = call;
    if (isOpenPrefix(pattern, originOf(at.typed, context.file.roles, subject))) return;
    const literalText = literalSource(sourceOf(at, literal.range), compiled.text);
    const method = METHODS[compiled.kind];
    const source = operandSource(at, subject);
    const newText = method ? `${source}.${method}(${literalText})` : `${source} == ${literalText}`;
    const isWhole = at.typed.ast.root.id === call.node.id || at.ancestors.at(-1)?.kind !== 'call';
    const replacement = method || isWhole ? newText : `(${newText})`;
    context.report({
      range: rangeInDocument(at, call.node.range),
      message: `pattern matches a fixed string; write \`${newText}\``,
      args: { suggestion: newText },
      fixes: [
        sourceFix(at, call.node, { newText: replacement, title: `change to \`${newText}\``, applicability: 'safe' }),
      ],
    });
  }),
};

/** `url/prefix-boundary` would report the prefix next, and reports the pattern at once. */
function isOpenPrefix(pattern: string, origin: ValueOrigin | undefined): boolean {
  const isPath = origin?.isWhole === true && (origin.role === 'path' || origin.role === 'path-and-query');
  return isPath && openPrefixOf('matches', pattern) !== undefined;
}
