import type { Expr } from '@tollgate/cel';
import type { Fix } from '@tollgate/diagnostics';
import { entryOf, type ListNode } from '@tollgate/policy';
import { ruleNode } from '../../actions/action-node.ts';
import { written } from '../../expressions/source-nodes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, sourceOf } from '../../rule-api/linted-expression.ts';

/** A condition of many operators. */
export const LONG_EXPRESSION: LintRule = {
  id: 'style/long-expression',
  severity: 'info',
  summary: 'a condition with many operators',
  rationale:
    'The entries of `expressions` must all hold, so that a condition joined by `&&` can be a list of short ones. Each of them is then seen by itself in ' +
    'traces and reviews.',
  bad: {
    policy: `\
inbound:
  - name: old forms
    expressions:
      - «req.Method == 'POST' && req.Path == '/form' && req.Host == 'shop.example.com' && req.Protocol == 'HTTP/1.0'»
    actions: [{ type: deny }]
`,
    options: { max: 6 },
  },
  good: {
    policy: `\
inbound:
  - name: old forms
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
  options: [{ name: 'max', type: { kind: 'int', min: 1, max: 1000 }, default: 12, doc: 'Operators of a condition.' }],
  check: {
    expression: (at, context) => {
      const max = context.options.max as number;
      if (at.role !== 'condition') return;
      const found = at.analysis.nodes.filter(({ node }) => isOperator(node)).length;
      if (found <= max) return;
      const entry = at.rule.expressions.find(one => one.text === at.text)!;
      const parts = conjuncts(at);
      const advice =
        parts.length > 1 ? 'split it at `&&` into entries of `expressions`' : 'give its parts rules of their own';
      const message = `the condition has ${found} operators, and ${max} are easy to read; ${advice}`;
      context.report({ range: entry.range, message, args: { found, max }, fixes: fixesFor(parts, at, context) });
    },
  },
};

function isOperator(node: Expr): boolean {
  return node.kind === 'call' && /^(?:[!_@]|-_)/.test(node.function) && node.function !== '_[_]';
}

/** The operands of the outermost `&&`, as written. */
function conjuncts(at: LintedExpression): readonly string[] {
  const parts = (expanded: Expr): readonly Expr[] => {
    const node = written(at.typed.ast, expanded);
    return node.kind === 'call' && node.function === '_&&_' ? node.args.flatMap(parts) : [node];
  };
  return parts(at.typed.ast.root).map(part => sourceOf(at, part.range));
}

/** Where an error fails requests, it matters which side of `&&` is asked first: then the split is not offered. */
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
  return [{ title: 'split it into entries', applicability: 'safe', edits: [{ range, newText }] }];
}

function entries(parts: readonly string[], { text, document }: LintedExpression, list: ListNode): string | undefined {
  const isDouble = document[text.range.start] === '"';
  const quoted = parts.map(part => (isDouble ? JSON.stringify(part) : `'${part.replaceAll("'", "''")}'`));
  if (parts.some(part => part.includes('\n'))) return undefined;
  if (document[list.range.start] === '[') return quoted.join(', ');
  const lead = document.slice(document.lastIndexOf('\n', text.range.start - 1) + 1, text.range.start);
  return /^ *- +$/.test(lead) ? quoted.join(`\n${lead}`) : undefined;
}
