import type { CallExpr, ComprehensionExpr, Expr, Literal } from '../ast/ast.ts';
import { childrenOf } from '../ast/map-children.ts';
import type { FoldedAst } from '../lowering/fold-constants.ts';
import { CidrRange } from '../values/value.ts';
import type { IndexablePredicate, Scalar, Term, ThresholdOperator } from './indexable-predicate.ts';

/** Returns the indexable predicates of an expression that must hold. `isPure` returns true if a call always returns the same result. */
export function indexablePredicatesOf(
  typed: FoldedAst,
  isPure: (call: CallExpr) => boolean,
): readonly IndexablePredicate[] {
  const reading: Reading = { typed, isPure, aliases: new Map(), bound: [] };
  return conjuncts(reading, typed.ast.root);
}

interface Reading {
  readonly typed: FoldedAst;
  readonly isPure: (call: CallExpr) => boolean;
  /** What local names stand for, by scope and name. */
  readonly aliases: ReadonlyMap<string, Expr>;
  /** Expressions that are evaluated before the current one: if one of them fails, the current one being false does not matter. */
  readonly bound: readonly Expr[];
}

function conjuncts(reading: Reading, expr: Expr): readonly IndexablePredicate[] {
  if (expr.kind === 'call' && expr.function === '_&&_') return expr.args.flatMap(arg => conjuncts(reading, arg));
  if (expr.kind === 'comprehension' && isBinding(expr)) return conjuncts(inside(reading, expr), expr.result);
  const test = testOf(reading, expr);
  return test !== undefined && reading.bound.every(one => termOf(reading, one)?.key === test.term.key) ? [test] : [];
}

/** What `cel.bind` expands to. */
function isBinding({ iterRange }: ComprehensionExpr): boolean {
  return iterRange.kind === 'list' && iterRange.elements.length === 0;
}

function inside(reading: Reading, { id, accuVar, accuInit }: ComprehensionExpr): Reading {
  const value = resolved(reading, accuInit);
  const aliases = new Map(reading.aliases).set(aliasKey(id, accuVar), value);
  return { ...reading, aliases, bound: [...reading.bound, value] };
}

function aliasKey(scope: number, name: string): string {
  return `${scope}:${name}`;
}

function testOf(reading: Reading, expr: Expr): IndexablePredicate | undefined {
  if (expr.kind !== 'call') return undefined;
  switch (expr.function) {
    case '_||_':
      return union(expr.args.map(arg => testOf(reading, arg)));
    case '_==_':
      return equality(reading, expr) ?? equality(reading, { ...expr, args: expr.args.toReversed() });
    case '@in':
      return membership(reading, expr);
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return threshold(reading, expr);
    case 'containsIP':
      return range(reading, expr);
    default:
      return textTest(reading, expr);
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

function equality(reading: Reading, { args: [value, literal] }: CallExpr): IndexablePredicate | undefined {
  const term = value && scalarTerm(reading, value);
  const scalar = literal && term && scalarOf(literal, kindOf(reading, value));
  return scalar === undefined || !term ? undefined : { kind: 'one-of', term, values: [scalar] };
}

function membership(reading: Reading, { args: [value, list] }: CallExpr): IndexablePredicate | undefined {
  if (value === undefined || list?.kind !== 'list' || list.optionalIndices.length > 0) return undefined;
  const term = scalarTerm(reading, value);
  const values = list.elements.map(element => scalarOf(element, kindOf(reading, value)));
  return term && values.every(one => one !== undefined) ? { kind: 'one-of', term, values } : undefined;
}

/** Returns the value of a literal of exactly this type; a double would also equal an int, which is too rare to support. */
function scalarOf(expr: Expr, kind: string | undefined): Scalar | undefined {
  if (expr.kind !== 'literal' || expr.literal.type !== kind) return undefined;
  return isScalar(expr.literal) ? expr.literal.value : undefined;
}

function isScalar(literal: Literal): literal is Extract<Literal, { type: 'string' | 'int' | 'bool' }> {
  return literal.type === 'string' || literal.type === 'int' || literal.type === 'bool';
}

const MIRRORED: Readonly<Record<ThresholdOperator, ThresholdOperator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function threshold(
  reading: Reading,
  { function: name, args: [left, right] }: CallExpr,
): IndexablePredicate | undefined {
  if (left === undefined || right === undefined) return undefined;
  const operator = name.slice(1, -1) as ThresholdOperator;
  return right.kind === 'literal'
    ? bounded(reading, left, { operator, literal: right.literal })
    : left.kind === 'literal'
      ? bounded(reading, right, { operator: MIRRORED[operator], literal: left.literal })
      : undefined;
}

interface Bound {
  readonly operator: ThresholdOperator;
  readonly literal: Literal;
}

function bounded(reading: Reading, value: Expr, { operator, literal }: Bound): IndexablePredicate | undefined {
  if ((literal.type !== 'int' && literal.type !== 'double') || typeof literal.value !== 'number') return undefined;
  const term = kindOf(reading, value) === literal.type ? termOf(reading, value) : undefined;
  return term && { kind: 'threshold', term, operator, bound: literal.value };
}

function range(reading: Reading, { target, args: [address] }: CallExpr): IndexablePredicate | undefined {
  const cidr = target && reading.typed.constants.get(target.id);
  if (!(cidr instanceof CidrRange) || address === undefined || kindOf(reading, address) !== 'string') return undefined;
  const term = termOf(reading, address);
  return term && { kind: 'range', term, range: cidr };
}

const STRING_TESTS: ReadonlyMap<string, 'prefix' | 'suffix' | 'substring'> = new Map([
  ['starts_with_string', 'prefix'],
  ['ends_with_string', 'suffix'],
  ['contains_string', 'substring'],
]);

function textTest(reading: Reading, expr: CallExpr): IndexablePredicate | undefined {
  const reference = reading.typed.references[expr.id];
  if (reference?.kind !== 'function' || reference.overloads.length !== 1) return undefined;
  const kind = STRING_TESTS.get(reference.overloads[0]!.id);
  const [text] = expr.args;
  if (!kind || !expr.target || text?.kind !== 'literal' || text.literal.type !== 'string') return undefined;
  const term = kindOf(reading, expr.target) === 'string' ? termOf(reading, expr.target) : undefined;
  return term && text.literal.value !== '' ? { kind, term, text: text.literal.value } : undefined;
}

function scalarTerm(reading: Reading, expr: Expr): Term | undefined {
  const kind = kindOf(reading, expr);
  return kind === 'string' || kind === 'int' || kind === 'bool' ? termOf(reading, expr) : undefined;
}

function kindOf({ typed }: Reading, expr: Expr): string | undefined {
  return typed.types[expr.id]?.kind;
}

function resolved({ typed, aliases }: Reading, expr: Expr): Expr {
  const reference = expr.kind === 'ident' ? typed.references[expr.id] : undefined;
  return reference?.kind === 'local' ? (aliases.get(aliasKey(reference.scope, reference.name)) ?? expr) : expr;
}

function termOf(reading: Reading, expr: Expr): Term | undefined {
  const whole = resolved(reading, expr);
  const key = keyOf(reading, whole);
  return key === undefined
    ? undefined
    : { key, typed: { ...reading.typed, ast: { ...reading.typed.ast, root: whole } } };
}

/** Returns undefined for expressions that are not terms: literals, and those that depend on local names or are not pure. */
function keyOf(reading: Reading, expr: Expr): string | undefined {
  if (expr.kind === 'literal' || reading.typed.constants.has(expr.id)) return undefined;
  return partKey(reading, expr);
}

function partKey(reading: Reading, expr: Expr): string | undefined {
  switch (expr.kind) {
    case 'literal': {
      const { type, value } = expr.literal;
      return type === 'bytes' ? undefined : `${type}(${typeof value === 'string' ? JSON.stringify(value) : value})`;
    }
    case 'ident':
      return reading.typed.references[expr.id]?.kind === 'local' ? undefined : expr.name;
    case 'select':
      return joined(expr.testOnly ? `has.${expr.field}` : `.${expr.field}`, childrenOf(expr), reading);
    case 'call':
      return reading.isPure(expr) ? joined(expr.function, childrenOf(expr), reading) : undefined;
    default:
      return undefined;
  }
}

function joined(name: string, parts: readonly Expr[], reading: Reading): string | undefined {
  const keys = parts.map(part => partKey(reading, part));
  return keys.includes(undefined) ? undefined : `${name}(${keys.join(',')})`;
}
