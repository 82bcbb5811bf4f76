// The tests in a rule that an index can look up, such as equality, prefixes and thresholds.

import { type Comparator, type LiteralTest, literalTestOf } from '../analysis/literal-tests.ts';
import {
  type CallExpr,
  type ComprehensionExpr,
  childrenOf,
  type Expr,
  type Literal,
  type LiteralExpr,
} from '../ast/ast.ts';
import type { FoldedAst } from '../lowering/fold-constants.ts';
import { CidrRange } from '../values/value.ts';

/** What the environment says about calls. */
interface CallFacts {
  /** Returns true if a call always returns the same result. */
  readonly isPure: (call: CallExpr) => boolean;
  /** Returns a substring of every string that matches a pattern; undefined if there is none, or if matching fails. */
  readonly textIn: (pattern: string) => string | undefined;
}

/** Returns the indexable predicates of an expression that must hold. */
export function indexablePredicatesOf(typed: FoldedAst, facts: CallFacts): readonly IndexablePredicate[] {
  const search: PredicateSearch = { typed, ...facts, aliases: new Map(), bound: [] };
  return conjuncts(search, typed.ast.root);
}

interface PredicateSearch extends CallFacts {
  readonly typed: FoldedAst;
  /** What local names stand for, by scope and name. */
  readonly aliases: ReadonlyMap<string, Expr>;
  /** Expressions that are evaluated before the current one: if one of them fails, the current one being false does not matter. */
  readonly bound: readonly Expr[];
}

function conjuncts(search: PredicateSearch, expr: Expr): readonly IndexablePredicate[] {
  if (expr.kind === 'call' && expr.function === '_&&_') return expr.args.flatMap(arg => conjuncts(search, arg));
  if (expr.kind === 'comprehension' && isBinding(expr)) return conjuncts(inside(search, expr), expr.result);
  const test = testOf(search, expr);
  return test !== undefined && search.bound.every(one => termOf(search, one)?.key === test.term.key) ? [test] : [];
}

/** What `cel.bind` expands to. */
function isBinding({ iterRange }: ComprehensionExpr): boolean {
  return iterRange.kind === 'list' && iterRange.elements.length === 0;
}

function inside(search: PredicateSearch, { id, accuVar, accuInit }: ComprehensionExpr): PredicateSearch {
  const value = resolved(search, accuInit);
  const aliases = new Map(search.aliases).set(aliasKey(id, accuVar), value);
  return { ...search, aliases, bound: [...search.bound, value] };
}

function aliasKey(scope: number, name: string): string {
  return `${scope}:${name}`;
}

function testOf(search: PredicateSearch, expr: Expr): IndexablePredicate | undefined {
  if (expr.kind !== 'call') return undefined;
  if (expr.function === '_||_') return union(expr.args.map(arg => testOf(search, arg)));
  if (expr.function === 'containsIP') return range(search, expr);
  const test = literalTestOf(expr);
  switch (test?.kind) {
    case '==':
    case 'in':
      return equality(search, test);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return threshold(search, test, test.kind);
    case 'startsWith':
      return textTest(search, test, 'prefix');
    case 'endsWith':
      return textTest(search, test, 'suffix');
    case 'contains':
    case 'matches':
      return textTest(search, test, 'substring');
    default:
      return undefined;
  }
}

/** Combines tests of the same term. */
function union(tests: readonly (IndexablePredicate | undefined)[]): IndexablePredicate | undefined {
  const [first] = tests;
  if (first === undefined) return undefined;
  const values: Scalar[] = [];
  for (const test of tests) {
    if (test?.kind !== 'one-of' || test.term.key !== first.term.key) return undefined;
    values.push(...test.values);
  }
  return { kind: 'one-of', term: first.term, values };
}

function equality(
  search: PredicateSearch,
  { operand, literals, isComplete }: LiteralTest,
): IndexablePredicate | undefined {
  const kind = kindOf(search, operand);
  if (!isComplete || (kind !== 'string' && kind !== 'int' && kind !== 'bool')) return undefined;
  const term = termOf(search, operand);
  const values = literals.map(literal => scalarOf(literal, kind));
  return term && values.every(one => one !== undefined) ? { kind: 'one-of', term, values } : undefined;
}

/** Returns the value of a literal of exactly this type; a double would also equal an int, which is too rare to support. */
function scalarOf({ literal }: LiteralExpr, kind: string): Scalar | undefined {
  return literal.type === kind && isScalar(literal) ? literal.value : undefined;
}

function isScalar(literal: Literal): literal is Extract<Literal, { type: 'string' | 'int' | 'bool' }> {
  return literal.type === 'string' || literal.type === 'int' || literal.type === 'bool';
}

function threshold(
  search: PredicateSearch,
  { operand, literals }: LiteralTest,
  operator: ThresholdOperator,
): IndexablePredicate | undefined {
  const { literal } = literals[0]!;
  if ((literal.type !== 'int' && literal.type !== 'double') || typeof literal.value !== 'number') return undefined;
  const term = kindOf(search, operand) === literal.type ? termOf(search, operand) : undefined;
  return term && { kind: 'threshold', term, operator, bound: literal.value };
}

function range(search: PredicateSearch, { target, args: [address] }: CallExpr): IndexablePredicate | undefined {
  const cidr = target && search.typed.constants.get(target.id);
  if (!(cidr instanceof CidrRange) || address === undefined || kindOf(search, address) !== 'string') return undefined;
  const term = termOf(search, address);
  return term && { kind: 'range', term, range: cidr };
}

function textTest(
  search: PredicateSearch,
  { call, kind: method, operand, literals }: LiteralTest,
  kind: 'prefix' | 'suffix' | 'substring',
): IndexablePredicate | undefined {
  const reference = search.typed.references[call.id];
  const { literal } = literals[0]!;
  if (reference?.kind !== 'function' || reference.overloads.length !== 1 || literal.type !== 'string') return undefined;
  const term = kindOf(search, operand) === 'string' ? termOf(search, operand) : undefined;
  const text = method === 'matches' ? search.textIn(literal.value) : literal.value;
  return term && text ? { kind, term, text } : undefined;
}

function kindOf({ typed }: PredicateSearch, expr: Expr): string | undefined {
  return typed.types[expr.id]?.kind;
}

function resolved({ typed, aliases }: PredicateSearch, expr: Expr): Expr {
  const reference = expr.kind === 'ident' ? typed.references[expr.id] : undefined;
  return reference?.kind === 'local' ? (aliases.get(aliasKey(reference.scope, reference.name)) ?? expr) : expr;
}

function termOf(search: PredicateSearch, expr: Expr): Term | undefined {
  const whole = resolved(search, expr);
  const key = keyOf(search, whole);
  return key === undefined ? undefined : { key, typed: { ...search.typed, ast: { ...search.typed.ast, root: whole } } };
}

/** Returns undefined for expressions that are not terms: literals, and those that depend on local names or are not pure. */
function keyOf(search: PredicateSearch, expr: Expr): string | undefined {
  if (expr.kind === 'literal' || search.typed.constants.has(expr.id)) return undefined;
  return partKey(search, expr);
}

function partKey(search: PredicateSearch, expr: Expr): string | undefined {
  switch (expr.kind) {
    case 'literal': {
      const { type, value } = expr.literal;
      return type === 'bytes' ? undefined : `${type}(${typeof value === 'string' ? JSON.stringify(value) : value})`;
    }
    case 'ident':
      return search.typed.references[expr.id]?.kind === 'local' ? undefined : expr.name;
    case 'select':
      return joined(expr.testOnly ? `has.${expr.field}` : `.${expr.field}`, childrenOf(expr), search);
    case 'call':
      return search.isPure(expr) ? joined(expr.function, childrenOf(expr), search) : undefined;
    default:
      return undefined;
  }
}

function joined(name: string, parts: readonly Expr[], search: PredicateSearch): string | undefined {
  const keys = parts.map(part => partKey(search, part));
  return keys.includes(undefined) ? undefined : `${name}(${keys.join(',')})`;
}

/** An expression that several rules test. */
export interface Term {
  /** Equal for equal expressions. */
  readonly key: string;
  /** The expression on its own, of a scalar type. */
  readonly typed: FoldedAst;
}

/** A value that tests for equality compare with. */
type Scalar = string | number | bigint | boolean;

/**
 * A necessary part of a rule's condition: if the value of the term is known and does not pass, the condition is false, whatever else in it
 * fails or is unknown.
 */
export type IndexablePredicate =
  | { readonly kind: 'one-of'; readonly term: Term; readonly values: readonly Scalar[] }
  | { readonly kind: 'prefix' | 'suffix' | 'substring'; readonly term: Term; readonly text: string }
  /** The term is an IP address as a string. */
  | { readonly kind: 'range'; readonly term: Term; readonly range: CidrRange }
  | { readonly kind: 'threshold'; readonly term: Term; readonly operator: ThresholdOperator; readonly bound: number };

/** The term is on the left. */
type ThresholdOperator = Exclude<Comparator, '==' | '!='>;
