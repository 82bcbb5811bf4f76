// Parts of conditions that are always true or never, and contradictions among them.

import { type Expr, type TypedAst, unparse } from '@tollgate/cel';
import { childrenOf, comparisonOf } from '@tollgate/cel/tooling';
import type { Fix, Range } from '@tollgate/diagnostics';
import { entryOf, type Policy, removeEntries, removeItems } from '@tollgate/policy';
import { type Condition, type ConditionQuestions, FALSE, TRUE } from '@tollgate/solver/conditions';
import { ruleNode } from '../readers/actions.ts';
import { asWritten } from '../readers/source-nodes.ts';
import { type AnalyzedExpression, type Chain, type ChainOperand, chainAt } from './operator-chain.ts';

/** What was proved about a condition or an operand of it. */
export interface Verdict {
  readonly kind: 'constant' | 'always' | 'never' | 'impossible-range' | 'negated-or';
  readonly analyzed: AnalyzedExpression;
  /** Range in the expression. */
  readonly range: Range;
  readonly isWhole: boolean;
  /** The operands that contradict each other, or of which one always holds, if there are several. */
  readonly parts: readonly Expr[];
  /** The result of a constant. */
  readonly value?: 'is always true' | 'is always false' | 'always fails';
}

/** Returns what is certain about a condition and its operands: one verdict for each, and none for operands below it. */
export function verdictsOf(analyzed: AnalyzedExpression): readonly Verdict[] {
  const root = analyzed.typed.ast.root;
  return visit(analyzed, { node: root, condition: analyzed.condition, operator: undefined });
}

interface Part extends ChainOperand {
  /** The operator that it is an operand of; undefined for the whole condition. */
  readonly operator: Chain['operator'] | undefined;
}

function visit(analyzed: AnalyzedExpression, part: Part): readonly Verdict[] {
  const { node, condition, operator } = part;
  const { questions } = analyzed.ruleLogic;
  // Then nothing is certain about it or about its operands together.
  if (questions.isContingent(condition)) return visitOperands(analyzed, chainAt(analyzed, node));
  const verdict = (kind: Verdict['kind'], parts: readonly Expr[] = []): Verdict => {
    const range = kind === 'negated-or' || kind === 'impossible-range' ? spanOf(parts) : node.range;
    return { kind, analyzed, range, isWhole: operator === undefined, parts };
  };
  const value = fixedValue(condition);
  if (value !== undefined && !readsInput(analyzed.typed, node)) return [{ ...verdict('constant'), value }];
  const chain = chainAt(analyzed, node);
  const special = chain && specialIn(analyzed, chain);
  if (special !== undefined) return [verdict(special.kind, special.parts)];
  if (operator !== '_&&_' && questions.isUnsatisfiable(condition)) {
    return decidingConstants(analyzed, chain) ?? [verdict('never', conflictOf(chain, questions))];
  }
  if (operator !== '_||_' && questions.isTautology(condition))
    return decidingConstants(analyzed, chain) ?? [verdict('always')];
  return visitOperands(analyzed, chain);
}

function visitOperands(analyzed: AnalyzedExpression, chain: Chain | undefined): readonly Verdict[] {
  return chain?.operands.flatMap(one => visit(analyzed, { ...one, operator: chain.operator })) ?? [];
}

/** A constant that decides the whole chain is the only finding. */
function decidingConstants(analyzed: AnalyzedExpression, chain: Chain | undefined): readonly Verdict[] | undefined {
  if (chain === undefined) return undefined;
  const isDeciding = ({ condition }: ChainOperand) => {
    const value = fixedValue(condition);
    return value !== undefined && (value === 'is always true') === (chain.operator === '_||_');
  };
  const found = chain.operands.filter(isDeciding).flatMap(one => visit(analyzed, { ...one, operator: chain.operator }));
  const constants = found.filter(one => one.kind === 'constant');
  return constants.length > 0 ? constants : undefined;
}

function fixedValue({ whenTrue, whenFalse }: Condition): Verdict['value'] {
  if (whenTrue === TRUE) return 'is always true';
  if (whenTrue !== FALSE) return undefined;
  if (whenFalse === TRUE) return 'is always false';
  return whenFalse === FALSE ? 'always fails' : undefined;
}

function readsInput(typed: TypedAst, node: Expr): boolean {
  const own = asWritten(typed.ast, node);
  return typed.references[own.id]?.kind === 'variable' || childrenOf(own).some(child => readsInput(typed, child));
}

interface Special {
  readonly kind: 'impossible-range' | 'negated-or';
  readonly parts: readonly Expr[];
}

/** Returns contradictions and tautologies of a analyzed form. */
function specialIn(analyzed: AnalyzedExpression, chain: Chain): Special | undefined {
  return chain.operator === '_&&_' ? impossibleRange(analyzed, chain) : negatedOr(chain, analyzed.ruleLogic.questions);
}

const ORDER: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

/** Returns ordered comparisons of one operand that exclude each other. */
function impossibleRange(
  { typed, ruleLogic: { questions } }: AnalyzedExpression,
  { operands }: Chain,
): Special | undefined {
  const groups = Map.groupBy(operands, ({ node }) => {
    const comparison = node.kind === 'call' ? comparisonOf(node) : undefined;
    return comparison && ORDER.has(comparison.comparator)
      ? unparse({ ...typed.ast, root: comparison.operand })
      : undefined;
  });
  for (const [text, group] of groups) {
    if (text === undefined || group.length < 2) continue;
    if (!questions.isUnsatisfiable(questions.allOf(group.map(one => one.condition)))) continue;
    const parts = conflictIn(group, questions).map(one => one.node);
    if (parts.length > 1) return { kind: 'impossible-range', parts };
  }
  return undefined;
}

/** Returns two negated tests of which one always holds. */
function negatedOr({ operands }: Chain, questions: ConditionQuestions): Special | undefined {
  const negated = operands.filter(
    ({ node, condition }) =>
      node.kind === 'call' && ['!_', '_!=_'].includes(node.function) && fixedValue(condition) === undefined,
  );
  for (const [index, one] of negated.entries()) {
    if (questions.isNeverFalse(one.condition)) continue;
    const other = negated
      .slice(index + 1)
      .find(
        next =>
          !questions.isNeverFalse(next.condition) &&
          questions.isNeverFalse(questions.anyOf([one.condition, next.condition])),
      );
    if (other !== undefined) return { kind: 'negated-or', parts: [one.node, other.node] };
  }
  return undefined;
}

function conflictOf(chain: Chain | undefined, questions: ConditionQuestions): readonly Expr[] {
  return chain?.operator === '_&&_' ? conflictIn(chain.operands, questions).map(one => one.node) : [];
}

function spanOf(parts: readonly Expr[]): Range {
  return { start: parts[0]!.range.start, end: parts.at(-1)!.range.end };
}

/** Returns a minimal subset of conditions that cannot hold together. */
export function conflictIn<T extends { readonly condition: Condition }>(
  all: readonly T[],
  questions: ConditionQuestions,
): readonly T[] {
  let needed = all;
  for (const one of all) {
    const fewer = needed.filter(other => other !== one);
    if (fewer.length > 0 && questions.isUnsatisfiable(questions.allOf(fewer.map(other => other.condition))))
      needed = fewer;
  }
  return needed;
}

/** Returns the source of two or three parts for a message; undefined for other numbers. */
export function sourceOfParts({ analyzed, parts }: Verdict): string | undefined {
  if (parts.length < 2 || parts.length > 3) return undefined;
  const texts = parts.map(({ range }) => `\`${analyzed.typed.ast.source.slice(range.start, range.end)}\``);
  return `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

/** Returns fixes that remove a condition that always holds; the whole list if it is the only entry. */
export function dropConditionFixes(
  { analyzed, isWhole }: Verdict,
  {
    policy,
    document,
    applicability,
  }: { readonly policy: Policy; readonly document: string } & Pick<Fix, 'applicability'>,
): readonly Fix[] {
  const rules = Object.values(policy.rules).flat();
  const rule = rules.find(one => one.expressions.some(({ typed }) => typed === analyzed.typed));
  const at = rule?.expressions.findIndex(({ typed }) => typed === analyzed.typed) ?? -1;
  const map = rule && ruleNode(rule, policy);
  const entry = map && entryOf(map, 'expressions');
  if (!isWhole || !map || entry?.value.kind !== 'list') return [];
  const { items } = entry.value;
  const [edit] =
    items.length === 1 ? removeEntries(document, map, [entry]) : removeItems(document, entry.value, [items[at]!]);
  return edit ? [{ title: 'remove the condition', applicability, edits: [edit] }] : [];
}
