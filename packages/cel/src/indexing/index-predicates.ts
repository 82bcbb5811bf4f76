// The tests in a rule that an index can look up, such as equality, prefixes and thresholds.

import { type Comparator, type LiteralTest, literalTestOf } from '../analysis/literal-tests.ts';
import {
  type CallExpr,
  type ComprehensionExpr,
  childrenOf,
  type Expr,
  isBinding,
  type Literal,
  type LiteralExpr,
  localKey,
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

/**
 * A necessary part of a rule's condition: one of these tests must pass. If the values of their terms are known and none passes, the condition is
 * false, whatever else in it fails or is unknown. Most parts are a single test.
 */
export type Alternatives = readonly IndexablePredicate[];

/** Returns the indexable parts of an expression. */
export function indexablePartsOf(typed: FoldedAst, facts: CallFacts): readonly Alternatives[] {
  return partsOf({ typed, ...facts, aliases: new Map(), bound: [] }, typed.ast.root);
}

interface PredicateSearch extends CallFacts {
  readonly typed: FoldedAst;
  /** What local names stand for, by scope and name. */
  readonly aliases: ReadonlyMap<string, Expr>;
  /** Expressions that are evaluated before the current one: if one of them fails, the current one being false does not matter. */
  readonly bound: readonly Expr[];
}

function partsOf(search: PredicateSearch, expr: Expr): readonly Alternatives[] {
  if (expr.kind === 'call' && expr.function === '_&&_') return expr.args.flatMap(arg => partsOf(search, arg));
  if (expr.kind === 'comprehension' && isBinding(expr)) return partsOf(inside(search, expr), expr.result);
  if (expr.kind === 'call' && expr.function === '_||_') return disjunction(expr.args.map(arg => partsOf(search, arg)));
  const test = testOf(search, expr);
  return test !== undefined && search.bound.every(one => termOf(search, one)?.key === test.term.key) ? [[test]] : [];
}

/** The number of parts of an operand from which the index may choose. */
const MAX_CHOICES = 4;

/** Of each operand, one part is enough. The index chooses among a few combinations, first those that the fewest values pass. */
function disjunction(operands: readonly (readonly Alternatives[])[]): readonly Alternatives[] {
  if (operands.some(parts => parts.length === 0)) return [];
  const sorted = operands.map(parts => parts.toSorted((a, b) => weightOf(a) - weightOf(b)));
  const choices = Math.min(MAX_CHOICES, Math.max(...operands.map(parts => parts.length)));
  return Array.from({ length: choices }, (_, choice) =>
    merged(sorted.flatMap(parts => parts[Math.min(choice, parts.length - 1)]!)),
  );
}

/** Combines tests of the same term for equality. */
function merged(tests: Alternatives): Alternatives {
  const equalities = Map.groupBy(
    tests.filter(test => test.kind === 'one-of'),
    test => test.term.key,
  );
  const others = tests.filter(test => test.kind !== 'one-of');
  return [
    ...[...equalities.values()].map(all => ({ ...all[0]!, values: all.flatMap(({ values }) => values) })),
    ...others,
  ];
}

/** An estimate of the share of traffic that passes a test of each kind. */
const WEIGHTS: Readonly<Record<IndexablePredicate['kind'], number>> = {
  'one-of': 1,
  range: 2,
  suffix: 3,
  prefix: 3,
  substring: 5,
  threshold: 10_000,
};

/**
 * Returns an estimate of the share of traffic that passes one of some tests.
 * @param countOf how many rules have a test
 */
export function weightOf(tests: Alternatives, countOf: (test: IndexablePredicate) => number = () => 1): number {
  return tests.reduce((sum, test) => sum + WEIGHTS[test.kind] * countOf(test), 0);
}

function inside(search: PredicateSearch, { id, accuVar, accuInit }: ComprehensionExpr): PredicateSearch {
  const value = resolved(search, accuInit);
  const aliases = new Map(search.aliases).set(localKey(id, accuVar), value);
  return { ...search, aliases, bound: [...search.bound, value] };
}

function testOf(search: PredicateSearch, expr: Expr): IndexablePredicate | undefined {
  if (expr.kind !== 'call') return undefined;
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
  return reference?.kind === 'local' ? (aliases.get(localKey(reference.scope, reference.name)) ?? expr) : expr;
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

/** A test of a term. If the value of the term is known and does not pass, the test is false. */
export type IndexablePredicate =
  | { readonly kind: 'one-of'; readonly term: Term; readonly values: readonly Scalar[] }
  | { readonly kind: 'prefix' | 'suffix' | 'substring'; readonly term: Term; readonly text: string }
  /** The term is an IP address as a string. */
  | { readonly kind: 'range'; readonly term: Term; readonly range: CidrRange }
  | { readonly kind: 'threshold'; readonly term: Term; readonly operator: ThresholdOperator; readonly bound: number };

/** The term is on the left. */
type ThresholdOperator = Exclude<Comparator, '==' | '!='>;
