import { childrenOf, type Expr, type TypedAst, unparse } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import { comparisonOf } from '../../expressions/comparisons.ts';
import { written } from '../../expressions/source-nodes.ts';
import type { Work } from '../../primitives/work.ts';
import {
  allOf,
  anyOf,
  type Condition,
  isContingent,
  isNeverFalse,
  isTautology,
  isUnsatisfiable,
} from '../../solver/search/questions.ts';
import { conflictIn } from './conflict.ts';
import { type Chain, type ChainOperand, chainAt } from './junctions.ts';
import type { KnownExpression } from './known-expression.ts';

/** What was found out about a condition, or a part of it. */
export interface Verdict {
  readonly kind: 'constant' | 'always' | 'never' | 'impossible-range' | 'negated-or';
  readonly known: KnownExpression;
  /** Of the expression. */
  readonly range: Range;
  readonly isWhole: boolean;
  /** What cannot be at once, or is true together, where it is more than one part. */
  readonly parts: readonly Expr[];
  /** What it always is, of a constant. */
  readonly value?: 'is always true' | 'is always false' | 'always fails';
}

/** What is certain of a condition and its parts whatever the traffic: of each part one thing, and nothing of parts inside of such. */
export function verdictsOf(known: KnownExpression): readonly Verdict[] {
  if (known.condition.free !== undefined) return [];
  const root = known.typed.ast.root;
  return visit(known, { node: root, condition: known.condition, junction: undefined });
}

interface Part extends ChainOperand {
  /** What it is an operand of; undefined for the whole. */
  readonly junction: Chain['junction'] | undefined;
}

function visit(known: KnownExpression, part: Part): readonly Verdict[] {
  const { node, condition, junction } = part;
  // Then nothing is certain of it, nor of any of its operands together.
  if (isContingent(condition, known.of.work)) return visitOperands(known, chainAt(known, node));
  const verdict = (kind: Verdict['kind'], parts: readonly Expr[] = []): Verdict => {
    const range = kind === 'negated-or' || kind === 'impossible-range' ? spanOf(parts) : node.range;
    return { kind, known, range, isWhole: junction === undefined, parts };
  };
  const value = fixedValue(condition);
  if (value !== undefined && !readsInput(known.typed, node)) return [{ ...verdict('constant'), value }];
  const chain = chainAt(known, node);
  const special = chain && specialIn(known, chain);
  if (special !== undefined) return [verdict(special.kind, special.parts)];
  if (junction !== '_&&_' && isUnsatisfiable(condition, known.of.work)) {
    return decidingConstants(known, chain) ?? [verdict('never', conflictOf(chain, known.of.work))];
  }
  if (junction !== '_||_' && isTautology(condition, known.of.work))
    return decidingConstants(known, chain) ?? [verdict('always')];
  return visitOperands(known, chain);
}

function visitOperands(known: KnownExpression, chain: Chain | undefined): readonly Verdict[] {
  return chain?.operands.flatMap(one => visit(known, { ...one, junction: chain.junction })) ?? [];
}

/** A constant that decides the whole chain is what there is to say about it. */
function decidingConstants(known: KnownExpression, chain: Chain | undefined): readonly Verdict[] | undefined {
  if (chain === undefined) return undefined;
  const isDeciding = ({ condition }: ChainOperand) => {
    const value = fixedValue(condition);
    return value !== undefined && (value === 'is always true') === (chain.junction === '_||_');
  };
  const found = chain.operands.filter(isDeciding).flatMap(one => visit(known, { ...one, junction: chain.junction }));
  const constants = found.filter(one => one.kind === 'constant');
  return constants.length > 0 ? constants : undefined;
}

function fixedValue({ whenTrue, whenFalse }: Condition): Verdict['value'] {
  if (whenTrue.kind !== 'constant' || whenFalse.kind !== 'constant') return undefined;
  if (whenTrue.holds) return 'is always true';
  return whenFalse.holds ? 'is always false' : 'always fails';
}

function readsInput(typed: TypedAst, node: Expr): boolean {
  const own = written(typed.ast, node);
  return typed.references[own.id]?.kind === 'variable' || childrenOf(own).some(child => readsInput(typed, child));
}

interface Special {
  readonly kind: 'impossible-range' | 'negated-or';
  readonly parts: readonly Expr[];
}

/** Contradictions and tautologies of a known shape. */
function specialIn(known: KnownExpression, chain: Chain): Special | undefined {
  return chain.junction === '_&&_' ? impossibleRange(known, chain) : negatedOr(chain, known.of.work);
}

const ORDER: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

/** Comparisons of one operand in order that leave nothing between them. */
function impossibleRange({ typed, of: { work } }: KnownExpression, { operands }: Chain): Special | undefined {
  const groups = Map.groupBy(operands, ({ node }) => {
    const comparison = node.kind === 'call' ? comparisonOf(typed, node) : undefined;
    return comparison && ORDER.has(comparison.comparator)
      ? unparse({ ...typed.ast, root: comparison.operand })
      : undefined;
  });
  for (const [text, group] of groups) {
    if (text === undefined || group.length < 2) continue;
    if (!isUnsatisfiable(allOf(group.map(one => one.condition)), work)) continue;
    const parts = conflictIn(group, work).map(one => one.node);
    if (parts.length > 1) return { kind: 'impossible-range', parts };
  }
  return undefined;
}

/** Two negated tests of which one always holds. */
function negatedOr({ operands }: Chain, work: Work): Special | undefined {
  const negated = operands.filter(
    ({ node, condition }) =>
      node.kind === 'call' && ['!_', '_!=_'].includes(node.function) && fixedValue(condition) === undefined,
  );
  for (const [index, one] of negated.entries()) {
    if (isNeverFalse(one.condition, work)) continue;
    const other = negated
      .slice(index + 1)
      .find(next => !isNeverFalse(next.condition, work) && isNeverFalse(anyOf([one.condition, next.condition]), work));
    if (other !== undefined) return { kind: 'negated-or', parts: [one.node, other.node] };
  }
  return undefined;
}

function conflictOf(chain: Chain | undefined, work: Work): readonly Expr[] {
  return chain?.junction === '_&&_' ? conflictIn(chain.operands, work).map(one => one.node) : [];
}

function spanOf(parts: readonly Expr[]): Range {
  return { start: parts[0]!.range.start, end: parts.at(-1)!.range.end };
}
