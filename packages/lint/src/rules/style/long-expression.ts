import type { Expr } from '@tollgate/cel';
import { type Fix, lineStart, singleQuoted } from '@tollgate/diagnostics';
import { entryOf, type ListNode } from '@tollgate/policy';
import { ruleNode } from '../../readers/actions.ts';
import { asWritten } from '../../readers/source-nodes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports conditions with more operators than the option `max` allows. */
export const LONG_EXPRESSION: LintRule = {
  id: 'style/long-expression',
  severity: 'info',
  summary: 'condition with many operators',
  rationale:
    'All entries of `expressions` must hold, so a condition joined by `&&` can be written as a list of short ones. Traces and reviews ' +
    'then show each entry separately.',
  bad: {
    policy: `\
inbound:
  - name: no form posts over HTTP/1.0
    expressions:
      - «req.Method == 'POST' && req.Path == '/form' && req.Host == 'shop.example.com' && req.Protocol == 'HTTP/1.0'»
    actions: [{ type: deny }]
`,
    options: { max: 6 },
  },
  good: {
    policy: `\
inbound:
  - name: no form posts over HTTP/1.0
    expressions:
      - req.Method == 'POST' && req.Path == '/form'
      - req.Host == 'shop.example.com'
      - req.Protocol == 'HTTP/1.0'
    actions: [{ type: deny }]
`,
    options: { max: 6 },
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['style'],
  options: [
    {
      name: 'max',
      type: { kind: 'int', min: 1, max: 1000 },
      default: 12,
      doc: 'Maximum number of operators in one condition.',
    },
  ],
  check: {
    expression: (at, context) => {
      const max = context.options.max as number;
      if (at.role !== 'condition') return;
      const count = at.analysis.nodes.filter(({ node }) => isOperator(node)).length;
      if (count <= max) return;
      const entry = at.rule.expressions.find(({ text }) => text === at.text)!;
      const parts = conjuncts(at);
      const advice =
        parts.length > 1 ? 'split it at `&&` into entries of `expressions`' : 'split it into several rules';
      const message = `condition has ${count} operators, more than ${max}; ${advice}`;
      context.report({ range: entry.range, message, args: { found: count, max }, fixes: fixesFor(parts, at, context) });
    },
  },
};

function isOperator(node: Expr): boolean {
  return node.kind === 'call' && /^(?:[!_@]|-_)/.test(node.function) && node.function !== '_[_]';
}

/** Returns the source of each operand of the outermost `&&`. */
function conjuncts(at: LintedExpression): readonly string[] {
  const parts = (expanded: Expr): readonly Expr[] => {
    const node = asWritten(at.typed.ast, expanded);
    return node.kind === 'call' && node.function === '_&&_' ? node.args.flatMap(parts) : [node];
  };
  return parts(at.typed.ast.root).map(part => sourceOf(at, part.range));
}

/** Offers no split in profiles where an error fails the request, because there the order of evaluation matters. */
function fixesFor(parts: readonly string[], at: LintedExpression, { file }: LintContext): readonly Fix[] {
  const { switches } = file.profile;
  const map = ruleNode(at.rule, at.policy);
  const list = map && entryOf(map, 'expressions')?.value;
  if (parts.length < 2 || switches.evaluationError !== 'skip-rule' || list?.kind !== 'list') return [];
  if (at.typed.ast.source.includes('//')) return [];
  const newText = entries(parts, at, list);
  if (newText === undefined) return [];
  const text = file.source.text.slice(at.text.range.start, at.text.range.end).trimEnd();
  const range = { start: at.text.range.start, end: at.text.range.start + text.length };
  return [{ title: 'split into entries of `expressions`', applicability: 'safe', edits: [{ range, newText }] }];
}

function entries(parts: readonly string[], { text, document }: LintedExpression, list: ListNode): string | undefined {
  const isDouble = document[text.range.start] === '"';
  const quoted = parts.map(part => (isDouble ? JSON.stringify(part) : singleQuoted(part)));
  if (parts.some(part => part.includes('\n'))) return undefined;
  if (document[list.range.start] === '[') return quoted.join(', ');
  const lead = document.slice(lineStart(document, text.range.start), text.range.start);
  return /^ *- +$/.test(lead) ? quoted.join(`\n${lead}`) : undefined;
}
