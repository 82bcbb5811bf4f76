import { compilePattern, EvaluationError } from '@tollgate/cel';
import { checkPatterns } from '../../analyses/literals/pattern-uses.ts';
import { literalSource, operandSource, sourceFix } from '../../fixes/literal-fix.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf, sourceOf } from '../../rule-api/linted-expression.ts';

const METHODS = { literal: 'contains', prefix: 'startsWith', suffix: 'endsWith', equals: undefined } as const;

/** What no plain text has, escaped signs taken out. */
const STRUCTURE = /[|*+?(){}]/;

/** `req.Path.matches('^/api/')`. */
export const PREFER_STRING_OP: LintRule = {
  id: 'regex/prefer-string-op',
  severity: 'info',
  summary: 'a pattern that asks for a plain text',
  rationale:
    'A pattern without repetitions and choices asks where a text stands, which `startsWith`, `endsWith`, `contains` and `==` say ' +
    'in plain words, without signs that have to be escaped.',
  bad: {
    policy: `\
inbound:
  - name: the interface is closed
    expressions: ["«req.Path.matches('^/api/')»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: the interface is closed
    expressions: ["req.Path.startsWith('/api/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['recommended', 'style'],
  check: checkPatterns(({ pattern, call }, context) => {
    const subject = call?.node.target;
    const [literal] = call?.node.args ?? [];
    const isPlain = !STRUCTURE.test(pattern.replaceAll(/\\.|\.[*+?]$/g, ''));
    const compiled = call && isPlain ? compilePattern(pattern) : undefined;
    if (!call || !subject || !literal || !compiled || compiled instanceof EvaluationError) return;
    // The empty text is everywhere: that is another matter.
    if (compiled.kind === 're2' || compiled.kind === 'regexp' || compiled.text === '') return;
    const { at } = call;
    const text = literalSource(sourceOf(at, literal.range), compiled.text);
    const method = METHODS[compiled.kind];
    const source = operandSource(at, subject);
    const newText = method ? `${source}.${method}(${text})` : `${source} == ${text}`;
    const isWhole = at.typed.ast.root.id === call.node.id || at.ancestors.at(-1)?.kind !== 'call';
    const written = method || isWhole ? newText : `(${newText})`;
    context.report({
      range: placeOf(at, call.node.range),
      message: `this pattern only asks for a text; write \`${newText}\``,
      args: { suggestion: newText },
      fixes: [sourceFix(at, call.node, { newText: written, title: `change to \`${newText}\``, applicability: 'safe' })],
    });
  }),
};
