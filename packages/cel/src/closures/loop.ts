import { NO_MATCHING_OVERLOAD } from '../runtime/errors.ts';
import { keysOf, lookUp, type MapValue, mapKeyOf } from '../runtime/map.ts';
import { unknownKeys } from '../runtime/partial.ts';
import { kindOf } from '../runtime/runtime-type.ts';
import { type EvaluationError, NonValue, type Value } from '../runtime/value.ts';
import type { ComprehensionExpr } from '../syntax/ast.ts';
import { DYN, INT, type Type } from '../types/type.ts';
import { type Code, type Compiler, errorAt, type Locals, locator, type Outcome } from './code.ts';

/** What a loop goes through: as many firsts as seconds, which are the same list when there is one variable. */
export interface Elements {
  readonly first: readonly unknown[];
  readonly second: readonly unknown[];
}

/** A loop as it runs: what it goes through, where its variables are, and its share of the steps. */
export interface Loop {
  readonly exprId: number;
  readonly range: Code;
  readonly elements: (range: Value) => Elements | NonValue;
  readonly firstSlot: number;
  readonly secondSlot: number;
  /** Its body has loops: steps are taken one by one. Otherwise they are reckoned when the loop ends. */
  readonly nested: boolean;
  readonly outOfSteps: EvaluationError;
  readonly tooLarge: EvaluationError;
  readonly maxSize: number;
}

/** Gives slots to the variables of a comprehension. Its body is compiled by `compileBody`, in between. */
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
  compiler.countLoop();
  const loops = compiler.loopCount();
  const body = compileBody();
  const { maxCollectionSize } = compiler.env.limits;
  const locate = locator(expr.id);
  const loop: Loop = {
    exprId: expr.id,
    range,
    elements: expr.iterVar2 === undefined ? located(elementsOf, locate) : located(entriesOf, locate),
    firstSlot,
    secondSlot,
    nested: compiler.loopCount() > loops,
    outOfSteps: errorAt(expr.id, 'limit/steps', 'the evaluation takes more steps than the limit `maxSteps`'),
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

/** Takes the step of an iteration. Gives whether there was one left. */
export function takeStep(locals: Locals): boolean {
  const left = (locals[0] as number) - 1;
  if (left < 0) return false;
  locals[0] = left;
  return true;
}

/** Accounts for the iterations of a loop that did not do so one by one, and gives the loop's outcome. */
export function spend(loop: Loop, locals: Locals, count: number, outcome: Outcome): Outcome {
  if (!loop.nested) locals[0] = (locals[0] as number) - count;
  return outcome;
}
