import type { ComprehensionExpr } from '../../ast/ast.ts';
import type { RunContext } from '../../runtime/context/implementation.ts';
import { keysOf, lookUp, type MapValue, mapKeyOf } from '../../runtime/host/map.ts';
import { unknownKeys } from '../../runtime/host/partial.ts';
import { DYN, INT, type Type } from '../../types/type.ts';
import { NO_MATCHING_OVERLOAD, OUT_OF_STEPS } from '../../values/errors.ts';
import { kindOf } from '../../values/runtime-type.ts';
import { type EvaluationError, NonValue, type Value } from '../../values/value.ts';
import { type Code, type Compiler, errorAt, locator, type Outcome } from '../code/code.ts';

/** The range of a loop. Both lists have the same length, and are the same list if there is one variable. */
interface Elements {
  readonly first: readonly unknown[];
  readonly second: readonly unknown[];
}

/** A running loop: its range, the slots of its variables, and the step count. */
export interface Loop {
  readonly exprId: number;
  readonly range: Code;
  readonly elements: (range: Value) => Elements | NonValue;
  readonly firstSlot: number;
  readonly secondSlot: number;
  /** True if the body spends steps itself: iterations are then charged one by one rather than at the end. */
  readonly nested: boolean;
  readonly context: RunContext;
  readonly roundSteps: number;
  readonly outOfSteps: EvaluationError;
  readonly tooLarge: EvaluationError;
  readonly maxSize: number;
}

/** Assigns slots to the variables of a comprehension, whose body `compileBody` compiles. */
export function prepareLoop<Body>(
  expr: ComprehensionExpr,
  compiler: Compiler,
  compileBody: () => Body,
): { readonly loop: Loop; readonly body: Body } {
  const range = compiler.compile(expr.iterRange);
  const [first, second] = elementTypes(compiler.typeOf(expr.iterRange), expr.iterVar2 !== undefined);
  const firstSlot = compiler.bind(expr.id, expr.iterVar, { type: first, raw: true }).slot;
  const secondSlot =
    expr.iterVar2 === undefined ? firstSlot : compiler.bind(expr.id, expr.iterVar2, { type: second, raw: true }).slot;
  compiler.takesSteps();
  const takers = compiler.stepTakers();
  const body = compileBody();
  const { maxCollectionSize } = compiler.env.limits;
  const locate = locator(expr.id);
  const loop: Loop = {
    exprId: expr.id,
    range,
    elements: expr.iterVar2 === undefined ? located(elementsOf, locate) : located(entriesOf, locate),
    firstSlot,
    secondSlot,
    nested: compiler.stepTakers() > takers,
    context: compiler.context,
    roundSteps: compiler.typed.loops.roundSteps.get(expr.id) ?? 1,
    outOfSteps: errorAt(expr.id, OUT_OF_STEPS.code, OUT_OF_STEPS.message),
    tooLarge: errorAt(expr.id, 'limit/collection-size', 'the list or map is larger than the limit `maxCollectionSize`'),
    maxSize: maxCollectionSize,
  };
  return { loop, body };
}

function elementTypes(range: Type, two: boolean): readonly [Type, Type] {
  if (range.kind === 'list') return two ? [INT, range.element] : [range.element, range.element];
  return range.kind === 'map' ? [range.key, range.value] : [DYN, DYN];
}

function located(
  elements: (range: Value) => Elements | NonValue,
  locate: (outcome: NonValue) => NonValue,
): Loop['elements'] {
  return range => {
    const found = elements(range);
    return found instanceof NonValue ? locate(found) : found;
  };
}

function elementsOf(range: Value): Elements | NonValue {
  if (Array.isArray(range)) return { first: range, second: range };
  const keys = keysOfWhole(range);
  return keys instanceof NonValue ? keys : { first: keys, second: keys };
}

function entriesOf(range: Value): Elements | NonValue {
  if (Array.isArray(range)) return { first: [...range.keys()], second: range };
  const keys = keysOfWhole(range);
  if (keys instanceof NonValue) return keys;
  return { first: keys, second: keys.map(key => lookUp(range as MapValue, mapKeyOf(key)!)) };
}

function keysOfWhole(range: Value): readonly Value[] | NonValue {
  if (kindOf(range) !== 'map') return NO_MATCHING_OVERLOAD;
  return unknownKeys(range as MapValue) ?? keysOf(range as MapValue);
}

/** Returns how many iterations the budget allows; a loop that charges each iteration finds out by itself. */
export function roundsOf({ nested, context, roundSteps }: Loop, size: number): number {
  return nested ? size : Math.max(0, Math.min(size, Math.floor(context.left / roundSteps)));
}

/** Charges one iteration. Returns true if the budget allowed it. */
export function takeRound({ context, roundSteps }: Loop): boolean {
  context.left -= roundSteps;
  return context.left >= 0;
}

/** Charges the iterations of a loop that did not charge them one by one, and returns the loop's outcome. */
export function spend(loop: Loop, rounds: number, outcome: Outcome): Outcome {
  if (!loop.nested) loop.context.left -= rounds * loop.roundSteps;
  if (outcome === loop.outOfSteps) loop.context.left = -1;
  return outcome;
}
