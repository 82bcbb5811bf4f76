// Chains of `&&` and `||` in analysed expressions: operands, alternatives, and how to read a part on its own.

import type { CallExpr, Expr, TypedAst } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import { documentRange, type Expression } from '@tollgate/policy';
import type { Condition, ConditionQuestions } from '@tollgate/solver/conditions';
import type { RuleLogic } from './rule-logic.ts';

type LogicalOperator = '_&&_' | '_||_';

/** An operand of a chain of `&&` or `||`. */
interface Operand {
  readonly node: Expr;
}

export function isLogicalOperator(node: Expr): node is CallExpr & { readonly function: LogicalOperator } {
  return node.kind === 'call' && (node.function === '_&&_' || node.function === '_||_');
}

/** Returns all operands of a chain, in source order. */
export function operandsOfChain(chain: CallExpr): readonly Operand[] {
  const found: Operand[] = [];
  collect(chain, found);
  return found;
}

function collect(parent: CallExpr, found: Operand[]): void {
  for (const node of parent.args) {
    if (node.kind === 'call' && node.function === parent.function) collect(node, found);
    else found.push({ node });
  }
}

/** Extends a range by the parentheses around it. For operands of a chain, they belong to the operand alone. */
export function withParentheses(source: string, { start, end }: Range): Range {
  const [before, after] = [/\(\s*$/.exec(source.slice(0, start)), /^\s*\)/.exec(source.slice(end))];
  if (before === null || after === null) return { start, end };
  return withParentheses(source, { start: before.index, end: end + after[0].length });
}

/** Returns true if only an operator is between two operands, and no parenthesis of a group that contains just one of them. */
export function areNeighbours(source: string, a: Range, b: Range): boolean {
  const between = source.slice(withParentheses(source, a).end, withParentheses(source, b).start);
  return /^\s*(?:&&|\|\|)\s*$/.test(between);
}

/** Returns true if the source may contain comments, whose parentheses would mislead edits. */
export function hasComment(source: string): boolean {
  return source.includes('//');
}

/** An expression of a rule and its condition. */
export interface AnalyzedExpression {
  readonly expression: Expression;
  readonly typed: TypedAst;
  /** Read on first use. */
  readonly condition: Condition;
  readonly ruleLogic: RuleLogic;
}

/** Returns the expressions of a rule; none if one of them has an error. */
export function expressionsOf(ruleLogic: RuleLogic): readonly AnalyzedExpression[] {
  if (!ruleLogic.isComplete) return [];
  return ruleLogic.rule.expressions.map(expression => ({
    expression,
    ruleLogic,
    typed: expression.typed!,
    get condition() {
      return ruleLogic.read(expression.typed!);
    },
  }));
}

/** Returns the range of a part of the expression in the document. */
export function placeIn({ expression }: AnalyzedExpression, range: Range): Range {
  return documentRange(expression.text, range);
}

/** A chain of `&&` or `||` with the conditions of its operands. */
export interface Chain {
  readonly node: CallExpr;
  readonly operator: LogicalOperator;
  readonly operands: readonly ChainOperand[];
}

/** An operand of a chain. */
export interface ChainOperand {
  readonly node: Expr;
  readonly condition: Condition;
}

/** Returns the longest chain at a node that is outside of loops; undefined if there is none. */
export function chainAt({ typed, ruleLogic }: AnalyzedExpression, node: Expr): Chain | undefined {
  if (!isLogicalOperator(node)) return undefined;
  const operands = operandsOfChain(node).map(one => ({ node: one.node, condition: ruleLogic.read(typed, one.node) }));
  return { node, operator: node.function, operands };
}

/** An alternative of a condition: an operand of `||`, or an element of an `in` list. */
interface Alternative {
  readonly node: Expr;
  /** Holds where the alternative does. */
  readonly typed: TypedAst;
}

/** Returns the alternatives of a condition and of each operand of its `&&`, without nested ones. */
export function alternativesIn({ typed }: AnalyzedExpression): readonly Alternative[] {
  const { root } = typed.ast;
  const parts = isLogicalOperator(root) && root.function === '_&&_' ? operandsOfChain(root) : [{ node: root }];
  return parts.flatMap(({ node }) => {
    const found = alternativesAt(typed, node);
    return found.length > 1 ? found : [];
  });
}

function alternativesAt(typed: TypedAst, node: Expr): readonly Alternative[] {
  if (!isLogicalOperator(node)) return elementsOf(typed, node);
  return node.function === '_||_' ? operandsOfChain(node).flatMap(operand => split(typed, operand.node)) : [];
}

/** A list inside of `||` has alternatives of its own. */
function split(typed: TypedAst, node: Expr): readonly Alternative[] {
  const elements = elementsOf(typed, node);
  return elements.length > 1 ? elements : [{ node, typed: { ...typed, ast: { ...typed.ast, root: node } } }];
}

function elementsOf(typed: TypedAst, node: Expr): readonly Alternative[] {
  if (node.kind !== 'call' || node.function !== '@in') return [];
  const [element, list] = node.args;
  if (list?.kind !== 'list' || list.elements.length > MAX_ELEMENTS) return [];
  // An element that fails makes the whole list fail: without it, other elements may match.
  if (!list.elements.every(item => item.kind === 'literal')) return [];
  return list.elements.map(item => {
    const root: CallExpr = { ...node, function: '_==_', args: [element!, item] };
    return { node: item, typed: { ...typed, ast: { ...typed.ast, root } } };
  });
}

/** Elements of longer lists are not examined. */
const MAX_ELEMENTS = 64;

/**
 * Returns a function that reads an expression or an operand of it. Each operand of a chain of `&&` or `||` is read once, so that its
 * condition is the one that the whole has.
 */
export function partReader(questions: ConditionQuestions): (typed: TypedAst, node?: Expr) => Condition {
  const known = new Map<Expr, Condition>();
  const read = (typed: TypedAst, node: Expr = typed.ast.root): Condition => {
    let condition = known.get(node);
    if (condition === undefined) {
      condition = readNode(typed, node);
      known.set(node, condition);
    }
    return condition;
  };
  const readNode = (typed: TypedAst, node: Expr): Condition => {
    if (!isLogicalOperator(node)) return questions.read(typed, node);
    const operands = operandsOfChain(node).map(operand => read(typed, operand.node));
    return node.function === '_&&_' ? questions.allOf(operands) : questions.anyOf(operands);
  };
  return read;
}
