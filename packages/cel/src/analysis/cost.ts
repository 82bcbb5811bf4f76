// Bounds on the steps of an expression, from the sizes of what it reads.

import { type CallExpr, type ComprehensionExpr, childrenOf, type Expr, type TypedAst } from '../ast/ast.ts';
import {
  add,
  atMost,
  type CostRange,
  ceil,
  declareLocals,
  either,
  exactly,
  multiply,
  NOTHING,
  operandNodesOf,
  type SizeContext,
  type SizeHints,
  sizeOf,
} from './sizes.ts';

/**
 * Returns bounds on the cost of one evaluation, in the units of the reference implementation: one unit is about one step of the evaluator,
 * such as reading a variable, selecting a field, or an operator on numbers.
 *
 * - Reading a string costs a tenth of a unit per character, rounded up; a pattern multiplies that by a quarter of its length.
 * - A loop costs the number of iterations times the cost of one. Building a list costs 10, a map 30.
 * - Operands that `&&`, `||` and `?:` may skip count only towards the maximum.
 *
 * @param hints sizes of inputs; the maximum of whatever depends on an input without a hint is infinite
 */
export function costOf(typed: TypedAst, hints: SizeHints = {}): CostRange {
  return costOfNode({ typed, hints, locals: new Map(), found: new Map() }, typed.ast.root);
}

const STEP = exactly(1);
const LIST = exactly(10);
const MAP = exactly(30);
const PER_CHARACTER = exactly(0.1);
const PER_PATTERN_CHARACTER = exactly(0.25);

function costOfNode(sizing: SizeContext, expr: Expr): CostRange {
  switch (expr.kind) {
    case 'literal':
    case 'error':
      return NOTHING;
    case 'ident':
      return STEP;
    case 'select':
      return isNamed(sizing, expr) ? STEP : add(costOfNode(sizing, expr.operand), STEP);
    case 'list':
      return add(costOfChildren(sizing, expr), LIST);
    case 'map':
    case 'struct':
      return add(costOfChildren(sizing, expr), MAP);
    case 'comprehension':
      return costOfComprehension(sizing, expr);
    case 'call':
      return costOfCall(sizing, expr);
  }
}

/** Returns true for a qualified name, whose parts are not field selections. */
function isNamed({ typed }: SizeContext, expr: Expr): boolean {
  return typed.references[expr.id] !== undefined;
}

function costOfChildren(sizing: SizeContext, expr: Expr): CostRange {
  return childrenOf(expr).reduce((sum, child) => add(sum, costOfNode(sizing, child)), NOTHING);
}

/** Loops that `&&`, `||` or a condition may end early run at least one iteration unless the range is empty. */
function costOfComprehension(sizing: SizeContext, expr: ComprehensionExpr): CostRange {
  declareLocals(sizing, expr);
  const rounds = sizeOf(sizing, expr.iterRange).own;
  const endsEarly = expr.loopCondition.kind !== 'literal';
  const least = endsEarly ? Math.min(1, rounds.min) : rounds.min;
  const round = add(costOfNode(sizing, expr.loopCondition), costOfNode(sizing, expr.loopStep));
  const around = add(costOfNode(sizing, expr.accuInit), costOfNode(sizing, expr.result));
  const range = isEmptyList(expr.iterRange) ? NOTHING : costOfNode(sizing, expr.iterRange);
  return add(add(range, around), multiply({ min: least, max: rounds.max }, round));
}

/** `cel.bind` builds no list. */
function isEmptyList(expr: Expr): boolean {
  return expr.kind === 'list' && expr.elements.length === 0;
}

function costOfCall(sizing: SizeContext, call: CallExpr): CostRange {
  const { args } = call;
  switch (call.function) {
    case '_&&_':
    case '_||_': {
      const [first = NOTHING, ...rest] = args.map(arg => costOfNode(sizing, arg));
      // Either operand alone may decide, so the minimum is that of the cheaper one.
      return rest.reduce((sum, cost) => ({ min: Math.min(sum.min, cost.min), max: sum.max + cost.max }), first);
    }
    case '_?_:_': {
      const [condition = NOTHING, ...branches] = args.map(arg => costOfNode(sizing, arg));
      return add(condition, branches.reduce(either));
    }
    default:
      return add(costOfArguments(sizing, call), ownCost(sizing, call));
  }
}

function costOfArguments(sizing: SizeContext, call: CallExpr): CostRange {
  return operandsOf(sizing, call).reduce((sum, operand) => add(sum, costOfNode(sizing, operand)), NOTHING);
}

/** The target of a qualified name is not an operand. */
function operandsOf({ typed }: SizeContext, call: CallExpr): readonly Expr[] {
  return operandNodesOf(call, call.target !== undefined && typed.types[call.target.id] !== undefined);
}

/** Returns the cost of the function itself, without its arguments. */
function ownCost(sizing: SizeContext, call: CallExpr): CostRange {
  const sizes = operandsOf(sizing, call).map(arg => sizeOf(sizing, arg).own);
  const [first = STEP, second = STEP] = sizes;
  switch (call.function) {
    case 'matches':
      return multiply(
        characters({ min: first.min + 1, max: first.max + 1 }),
        ceil(multiply(second, PER_PATTERN_CHARACTER)),
      );
    case 'contains':
      return multiply(characters(first), characters(second));
    case 'startsWith':
    case 'endsWith':
      return characters(second);
    case '_+_':
      return hasText(sizing, call) ? characters(add(first, second)) : STEP;
    case '_==_':
    case '_!=_':
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return compares(first, second);
    case 'sort':
    case 'distinct':
    case '@sortByAssociatedKeys':
      return atLeastOne(multiply(first, first));
    case '@in':
      return sizing.typed.types[call.args[1]?.id ?? 0]?.kind === 'map' ? STEP : atLeastOne(second);
    case 'size':
    case '_[_]':
    case '_[?_]':
    case '_?._':
      return STEP;
    default:
      return atLeastOne(characters(sizes.reduce(add, NOTHING)));
  }
}

function characters(size: CostRange): CostRange {
  return atLeastOne(ceil(multiply(size, PER_CHARACTER)));
}

function atLeastOne(cost: CostRange): CostRange {
  return { min: Math.max(1, cost.min), max: Math.max(1, cost.max) };
}

/** Comparing stops at the end of the shorter operand, or at the first difference. */
function compares(a: CostRange, b: CostRange): CostRange {
  return atLeastOne(ceil(atMost(multiply({ min: 0, max: Math.min(a.max, b.max) }, PER_CHARACTER))));
}

function hasText({ typed }: SizeContext, call: CallExpr): boolean {
  const kind = typed.types[call.id]?.kind;
  return kind === 'string' || kind === 'bytes' || kind === 'dyn';
}
