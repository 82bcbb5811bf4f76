import type { CallExpr, ComprehensionExpr, Expr, Reference } from '../ast/ast.ts';
import { BOOL, DYN, INT, mapOf, type Type } from '../ast/types.ts';
import type { Activation } from '../checker/environment.ts';
import type { RunContext } from '../runtime/context.ts';
import { keysOf, lookUp, type MapValue, mapKeyOf, putEntry } from '../runtime/host.ts';
import { unknownKeys } from '../runtime/host-access.ts';
import { NO_MATCHING_OVERLOAD, OUT_OF_STEPS } from '../values/errors.ts';
import { CelMap, combineUndecided, type EvaluationError, kindOf, NonValue, type Value } from '../values/value.ts';
import {
  type Code,
  type Compiler,
  compileWhole,
  convertCode,
  errorAt,
  type Locals,
  locator,
  type Outcome,
} from './code.ts';

/** The range of a loop. Both lists have the same length, and are the same list if there is one variable. */
interface Elements {
  readonly first: readonly unknown[];
  readonly second: readonly unknown[];
}

/** A running loop: its range, the slots of its variables, and the step count. */
interface Loop {
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
function prepareLoop<Body>(
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
function roundsOf({ nested, context, roundSteps }: Loop, size: number): number {
  return nested ? size : Math.max(0, Math.min(size, Math.floor(context.left / roundSteps)));
}

/** Charges one iteration. Returns true if the budget allowed it. */
function takeRound({ context, roundSteps }: Loop): boolean {
  context.left -= roundSteps;
  return context.left >= 0;
}

/** Charges the iterations of a loop that did not charge them one by one, and returns the loop's outcome. */
function spend(loop: Loop, rounds: number, outcome: Outcome): Outcome {
  if (!loop.nested) loop.context.left -= rounds * loop.roundSteps;
  if (outcome === loop.outOfSteps) loop.context.left = -1;
  return outcome;
}

/** What a comprehension computes. Each macro expands to a shape of its own; `fold` is everything else. */
type LoopShape =
  | { readonly kind: 'bind' }
  | { readonly kind: 'all' | 'exists' | 'one'; readonly predicate: Expr }
  | { readonly kind: 'list'; readonly filter: Expr | undefined; readonly element: Expr }
  | { readonly kind: 'entries'; readonly filter: Expr | undefined; readonly key: Expr; readonly value: Expr }
  | { readonly kind: 'merge'; readonly filter: Expr | undefined; readonly entry: Expr }
  | { readonly kind: 'fold' };

const FOLD: LoopShape = { kind: 'fold' };

/** Recognizes loops by structure rather than by macro name, since users may define macros with any name. */
export function loopShapeOf(loop: ComprehensionExpr, references: readonly (Reference | undefined)[]): LoopShape {
  const isAccumulator = (expr: Expr | undefined): boolean => {
    const reference = expr?.kind === 'ident' ? references[expr.id] : undefined;
    return reference?.kind === 'local' && reference.scope === loop.id && reference.name === loop.accuVar;
  };
  if (isLiteral(loop.loopCondition, false) && loop.iterRange.kind === 'list' && loop.iterRange.elements.length === 0) {
    return { kind: 'bind' };
  }
  // Only a fold allows the body to read the accumulator, which a name without `@` makes possible.
  if (!loop.accuVar.startsWith('@')) return FOLD;
  return quantifierOf(loop, isAccumulator) ?? collectionOf(loop, isAccumulator) ?? FOLD;
}

type IsAccumulator = (expr: Expr | undefined) => boolean;

function quantifierOf(loop: ComprehensionExpr, isAccumulator: IsAccumulator): LoopShape | undefined {
  const { accuInit, loopCondition, loopStep, result } = loop;
  const condition = argsOf(loopCondition, '@not_strictly_false')?.[0];
  if (isAccumulator(result) && condition !== undefined) {
    const [accumulator, predicate] = argsOf(loopStep, '_&&_') ?? [];
    if (isLiteral(accuInit, true) && isAccumulator(condition) && isAccumulator(accumulator) && predicate) {
      return { kind: 'all', predicate };
    }
    const [other, test] = argsOf(loopStep, '_||_') ?? [];
    const negated = argsOf(condition, '!_')?.[0];
    if (isLiteral(accuInit, false) && isAccumulator(negated) && isAccumulator(other) && test) {
      return { kind: 'exists', predicate: test };
    }
  }
  return isLiteral(loopCondition, true) ? oneOf(loop, isAccumulator) : undefined;
}

/** Recognizes a count that starts at 0 and is compared with 1. */
function oneOf({ accuInit, loopStep, result }: ComprehensionExpr, isAccumulator: IsAccumulator): LoopShape | undefined {
  const [predicate, increment, same] = argsOf(loopStep, '_?_:_') ?? [];
  const [count, one] = argsOf(increment, '_+_') ?? [];
  const [compared, wanted] = argsOf(result, '_==_') ?? [];
  const counts = isLiteral(accuInit, 0) && isAccumulator(same) && isAccumulator(count) && isLiteral(one, 1);
  if (!counts || predicate === undefined || !isAccumulator(compared) || !isLiteral(wanted, 1)) return undefined;
  return { kind: 'one', predicate };
}

function collectionOf(loop: ComprehensionExpr, isAccumulator: IsAccumulator): LoopShape | undefined {
  const { accuInit, loopCondition, loopStep, result } = loop;
  if (!isLiteral(loopCondition, true) || !isAccumulator(result)) return undefined;
  const [filter, filtered, same] = argsOf(loopStep, '_?_:_') ?? [];
  const step = isAccumulator(same) ? filtered : loopStep;
  const condition = isAccumulator(same) ? filter : undefined;
  if (accuInit.kind === 'list' && accuInit.elements.length === 0) {
    const [accumulator, added] = argsOf(step, '_+_') ?? [];
    if (!isAccumulator(accumulator) || added?.kind !== 'list') return undefined;
    const [element, another] = added.elements;
    if (element === undefined || another !== undefined || added.optionalIndices.length > 0) return undefined;
    return { kind: 'list', filter: condition, element };
  }
  if (accuInit.kind !== 'map' || accuInit.entries.length > 0) return undefined;
  const [accumulator, key, value] = argsOf(step, 'cel.@mapInsert') ?? [];
  if (!isAccumulator(accumulator) || key === undefined) return undefined;
  if (value === undefined) return { kind: 'merge', filter: condition, entry: key };
  return { kind: 'entries', filter: condition, key, value };
}

function argsOf(expr: Expr | undefined, name: string): CallExpr['args'] | undefined {
  return expr?.kind === 'call' && expr.function === name && expr.target === undefined ? expr.args : undefined;
}

function isLiteral(expr: Expr | undefined, value: boolean | number): boolean {
  return (
    expr?.kind === 'literal' &&
    expr.literal.value === value &&
    expr.literal.type !== 'double' &&
    expr.literal.type !== 'uint'
  );
}

/** `map`, `filter` and `transformList` build their list in place. */
export function compileListLoop(
  expr: ComprehensionExpr,
  shape: Extract<LoopShape, { kind: 'list' }>,
  compiler: Compiler,
): Code {
  const { loop, body } = prepareLoop(expr, compiler, () => ({
    filter: shape.filter && compilePredicate(shape.filter, expr, compiler),
    element: compileElement(shape.element, compiler),
  }));
  const { filter, element } = body;
  return (activation, locals) => {
    const range = loop.range(activation, locals);
    if (range instanceof NonValue) return range;
    const elements = loop.elements(range);
    if (elements instanceof NonValue) return elements;
    const { first, second } = elements;
    const { firstSlot, secondSlot, nested, maxSize } = loop;
    const end = roundsOf(loop, first.length);
    const made: Value[] = [];
    for (let i = 0; i < end; i += 1) {
      if (nested && !takeRound(loop)) return loop.outOfSteps;
      locals[firstSlot] = first[i];
      locals[secondSlot] = second[i];
      const chosen = filter === undefined || filter(activation, locals);
      if (chosen === false) continue;
      const outcome = chosen === true ? element(activation, locals) : chosen;
      if (outcome instanceof NonValue) return spend(loop, i + 1, outcome);
      if (made.length >= maxSize) return spend(loop, i + 1, loop.tooLarge);
      made.push(outcome);
    }
    return spend(loop, end, end < first.length ? loop.outOfSteps : made);
  };
}

function compileElement(expr: Expr, compiler: Compiler): Code {
  return convertCode(compiler.compile(expr), { from: compiler.typeOf(expr), to: DYN, exprId: expr.id });
}

/** Adds the result of one iteration to the map; returns an error, or undefined. */
type Put = (made: CelMap, activation: Activation, locals: Locals) => NonValue | undefined;

/** `transformMap` and `transformMapEntry` build their map in place. */
export function compileMapLoop(
  expr: ComprehensionExpr,
  shape: Extract<LoopShape, { kind: 'entries' | 'merge' }>,
  compiler: Compiler,
): Code {
  const { loop, body } = prepareLoop(expr, compiler, () => ({
    filter: shape.filter && compilePredicate(shape.filter, expr, compiler),
    put: shape.kind === 'merge' ? putMap(shape.entry, expr, compiler) : putPair(shape, expr, compiler),
  }));
  return (activation, locals) => runMapLoop(loop, body, activation, locals);
}

interface MapBody {
  readonly filter: Code | undefined;
  readonly put: Put;
}

function runMapLoop(loop: Loop, { filter, put }: MapBody, activation: Activation, locals: Locals): Outcome {
  const range = loop.range(activation, locals);
  if (range instanceof NonValue) return range;
  const elements = loop.elements(range);
  if (elements instanceof NonValue) return elements;
  const { first, second } = elements;
  const end = roundsOf(loop, first.length);
  const made = new CelMap();
  for (let i = 0; i < end; i += 1) {
    if (loop.nested && !takeRound(loop)) return loop.outOfSteps;
    locals[loop.firstSlot] = first[i];
    locals[loop.secondSlot] = second[i];
    const chosen = filter === undefined || filter(activation, locals);
    if (chosen === false) continue;
    const problem = chosen === true ? put(made, activation, locals) : (chosen as NonValue);
    if (problem !== undefined) return spend(loop, i + 1, problem);
    if (made.size > loop.maxSize) return spend(loop, i + 1, loop.tooLarge);
  }
  return spend(loop, end, end < first.length ? loop.outOfSteps : made);
}

function putPair(shape: Extract<LoopShape, { kind: 'entries' }>, expr: ComprehensionExpr, compiler: Compiler): Put {
  const key = compileElement(shape.key, compiler);
  const value = compileElement(shape.value, compiler);
  const locate = locator(expr.loopStep.id);
  return (made, activation, locals) => {
    const at = key(activation, locals);
    if (at instanceof NonValue) return at;
    const outcome = value(activation, locals);
    if (outcome instanceof NonValue) return outcome;
    const problem = putEntry(made, at, outcome);
    return problem && locate(problem);
  };
}

function putMap(entry: Expr, expr: ComprehensionExpr, compiler: Compiler): Put {
  const from = compiler.typeOf(entry);
  const exprId = expr.loopStep.id;
  const code = convertCode(compileWhole(entry, compiler), { from, to: mapOf(DYN, DYN), exprId });
  const locate = locator(exprId);
  return (made, activation, locals) => {
    const added = code(activation, locals);
    if (added instanceof NonValue) return added;
    for (const key of keysOf(added as MapValue)) {
      const problem = putEntry(made, key, lookUp(added as MapValue, mapKeyOf(key)!) as Value);
      if (problem !== undefined) return locate(problem);
    }
    return undefined;
  };
}

/** `cel.bind` names a value. An error counts only where the name is read. */
export function compileBind(expr: ComprehensionExpr, compiler: Compiler): Code {
  const value = compiler.compile(expr.accuInit);
  const { slot } = compiler.bind(expr.id, expr.accuVar, { type: compiler.typeOf(expr.accuInit), raw: false });
  const result = compiler.compile(expr.result);
  const code: Code = (activation, locals) => {
    locals[slot] = value(activation, locals);
    return result(activation, locals);
  };
  return convertCode(code, { from: compiler.typeOf(expr.result), to: compiler.typeOf(expr), exprId: expr.id });
}

/** Runs any comprehension as the specification defines it. It ends at the first accumulator that is an error or unknown. */
export function compileFold(expr: ComprehensionExpr, compiler: Compiler): Code {
  const type = compiler.typeOf(expr.accuInit);
  const init = compiler.compile(expr.accuInit);
  const { slot } = compiler.bind(expr.id, expr.accuVar, { type, raw: false });
  const { loop, body } = prepareLoop(expr, compiler, () => compileBody(expr, compiler));
  const code: Code = (activation, locals) => {
    const range = loop.range(activation, locals);
    if (range instanceof NonValue) return range;
    const elements = loop.elements(range);
    if (elements instanceof NonValue) return elements;
    const { first, second } = elements;
    const end = roundsOf(loop, first.length);
    locals[slot] = init(activation, locals);
    let i = 0;
    for (; i < end; i += 1) {
      if (loop.nested && !takeRound(loop)) return loop.outOfSteps;
      locals[loop.firstSlot] = first[i];
      locals[loop.secondSlot] = second[i];
      const condition = body.condition(activation, locals);
      if (condition === false) break;
      const outcome = condition === true ? body.step(activation, locals) : condition;
      if (outcome instanceof NonValue) return spend(loop, i + 1, outcome);
      locals[slot] = outcome;
    }
    if (i === end && end < first.length) return spend(loop, end, loop.outOfSteps);
    return spend(loop, i, body.result(activation, locals));
  };
  return convertCode(code, { from: compiler.typeOf(expr.result), to: compiler.typeOf(expr), exprId: expr.id });
}

interface Body {
  readonly condition: Code;
  readonly step: Code;
  readonly result: Code;
}

function compileBody(expr: ComprehensionExpr, compiler: Compiler): Body {
  const { loopCondition, loopStep } = expr;
  return {
    condition: convertCode(compiler.compile(loopCondition), {
      from: compiler.typeOf(loopCondition),
      to: BOOL,
      exprId: loopCondition.id,
    }),
    step: convertCode(compiler.compile(loopStep), {
      from: compiler.typeOf(loopStep),
      to: compiler.typeOf(expr.accuInit),
      exprId: loopStep.id,
    }),
    result: compiler.compile(expr.result),
  };
}

/** `all` and `exists` differ only in the value that decides: false or true. */
export function compileQuantifier(
  expr: ComprehensionExpr,
  { kind, predicate }: { readonly kind: 'all' | 'exists'; readonly predicate: Expr },
  compiler: Compiler,
): Code {
  const { loop, body } = prepareLoop(expr, compiler, () => compilePredicate(predicate, expr, compiler));
  const decisive = kind === 'exists';
  const otherwise = !decisive;
  const scan = expr.iterVar2 === undefined ? scanOf(predicate, isVariableOf(expr, compiler), compiler) : undefined;
  return (activation, locals) => {
    const range = loop.range(activation, locals);
    if (range instanceof NonValue) return range;
    const elements = loop.elements(range);
    if (elements instanceof NonValue) return elements;
    const { first, second } = elements;
    const { firstSlot, secondSlot, nested } = loop;
    const end = roundsOf(loop, first.length);
    let pending: Outcome = otherwise;
    for (let i = 0; i < end; i += 1) {
      if (scan !== undefined) {
        i = scan(first, i, otherwise);
        if (i >= end) break;
      }
      if (nested && !takeRound(loop)) return loop.outOfSteps;
      locals[firstSlot] = first[i];
      locals[secondSlot] = second[i];
      const outcome = body(activation, locals);
      if (outcome === otherwise) continue;
      if (outcome === decisive) return spend(loop, i + 1, decisive);
      pending = pending === otherwise ? outcome : combineUndecided(pending, outcome);
    }
    return spend(loop, end, end < first.length ? loop.outOfSteps : pending);
  };
}

function isVariableOf(expr: ComprehensionExpr, compiler: Compiler): (candidate: Expr) => boolean {
  return candidate => {
    const reference = compiler.typed.references[candidate.id];
    return reference?.kind === 'local' && reference.scope === expr.id && reference.name === expr.iterVar;
  };
}

/** Compiles `exists_one`. The first element for which the predicate is an error or unknown ends the loop. */
export function compileOne(expr: ComprehensionExpr, predicate: Expr, compiler: Compiler): Code {
  const { loop, body } = prepareLoop(expr, compiler, () => compilePredicate(predicate, expr, compiler));
  return (activation, locals) => {
    const range = loop.range(activation, locals);
    if (range instanceof NonValue) return range;
    const elements = loop.elements(range);
    if (elements instanceof NonValue) return elements;
    const { first, second } = elements;
    const end = roundsOf(loop, first.length);
    let count = 0;
    for (let i = 0; i < end; i += 1) {
      if (loop.nested && !takeRound(loop)) return loop.outOfSteps;
      locals[loop.firstSlot] = first[i];
      locals[loop.secondSlot] = second[i];
      const outcome = body(activation, locals);
      if (outcome === true) count += 1;
      else if (outcome !== false) return spend(loop, i + 1, outcome);
    }
    return spend(loop, end, end < first.length ? loop.outOfSteps : count === 1);
  };
}

/** Compiles the predicate as an operand of the loop's logical operator: if it is not a bool, the error is located at the step. */
function compilePredicate(predicate: Expr, expr: ComprehensionExpr, compiler: Compiler): Code {
  const from = compiler.typeOf(predicate);
  return convertCode(compiler.compile(predicate), { from, to: BOOL, exprId: expr.loopStep.id });
}

/**
 * Returns the index of the first element from `from` on for which the predicate is not `wanted`, or which is not of its static type and
 * must be read exactly; the number of elements if there is none.
 */
type Scan = (elements: readonly unknown[], from: number, wanted: boolean) => number;

/**
 * Returns a scan for a predicate that compares the loop's variable with a literal. Calls for every element made `all` over ints 27 times
 * slower than hand-written code; with a scan it is 3 times.
 */
function scanOf(predicate: Expr, isVariable: (expr: Expr) => boolean, compiler: Compiler): Scan | undefined {
  if (predicate.kind !== 'call' || predicate.args.length !== 2) return undefined;
  const [left, right] = predicate.args as readonly [Expr, Expr];
  const flipped = left.kind === 'literal';
  const [variable, literal] = flipped ? [right, left] : [left, right];
  if (!isVariable(variable) || literal.kind !== 'literal') return undefined;
  const { kind } = compiler.typeOf(variable);
  const { value, type } = literal.literal;
  if (kind !== type) return undefined;
  const operator = flipped ? (FLIPPED.get(predicate.function) ?? predicate.function) : predicate.function;
  if (kind === 'string' && typeof value === 'string') return STRING_SCANS.get(operator)?.(value);
  return kind === 'int' && typeof value === 'number' ? INT_SCANS.get(operator)?.(value) : undefined;
}

const FLIPPED: ReadonlyMap<string, string> = new Map([
  ['_<_', '_>_'],
  ['_<=_', '_>=_'],
  ['_>_', '_<_'],
  ['_>=_', '_<=_'],
]);

const STRING_SCANS: ReadonlyMap<string, (text: string) => Scan> = new Map([
  ['_==_', scanEqualString],
  ['_!=_', text => (elements, from, wanted) => scanEqualString(text)(elements, from, !wanted)],
]);

function scanEqualString(text: string): Scan {
  return (elements, from, wanted) => {
    let i = from;
    for (; i < elements.length; i += 1) {
      const element = elements[i];
      if (typeof element !== 'string' || (element === text) !== wanted) break;
    }
    return i;
  };
}

// Elements that are not safe integers stop a scan and are read individually.

const INT_SCANS: ReadonlyMap<string, (limit: number) => Scan> = new Map([
  [
    '_==_',
    limit => (elements, from, wanted) => {
      let i = from;
      for (; i < elements.length; i += 1) {
        const element = elements[i];
        if (!Number.isSafeInteger(element) || (element === limit) !== wanted) break;
      }
      return i;
    },
  ],
  [
    '_!=_',
    limit => (elements, from, wanted) => {
      let i = from;
      for (; i < elements.length; i += 1) {
        const element = elements[i];
        if (!Number.isSafeInteger(element) || (element !== limit) !== wanted) break;
      }
      return i;
    },
  ],
  [
    '_<_',
    limit => (elements, from, wanted) => {
      let i = from;
      for (; i < elements.length; i += 1) {
        const element = elements[i] as number;
        if (!Number.isSafeInteger(element) || element < limit !== wanted) break;
      }
      return i;
    },
  ],
  [
    '_<=_',
    limit => (elements, from, wanted) => {
      let i = from;
      for (; i < elements.length; i += 1) {
        const element = elements[i] as number;
        if (!Number.isSafeInteger(element) || element <= limit !== wanted) break;
      }
      return i;
    },
  ],
  [
    '_>_',
    limit => (elements, from, wanted) => {
      let i = from;
      for (; i < elements.length; i += 1) {
        const element = elements[i] as number;
        if (!Number.isSafeInteger(element) || element > limit !== wanted) break;
      }
      return i;
    },
  ],
  [
    '_>=_',
    limit => (elements, from, wanted) => {
      let i = from;
      for (; i < elements.length; i += 1) {
        const element = elements[i] as number;
        if (!Number.isSafeInteger(element) || element >= limit !== wanted) break;
      }
      return i;
    },
  ],
]);

/** `cel.block([e0, e1], e)`: each element is evaluated at most once, when its name is first read. */
export function compileBlock(call: CallExpr, compiler: Compiler): Code {
  const [elements, body] = call.args as readonly [Expr, Expr];
  const slots =
    elements.kind === 'list' ? elements.elements.map((element, i) => bindElement(call, element, i, compiler)) : [];
  const result = compiler.compile(body);
  const code: Code = (activation, locals) => {
    for (const slot of slots) locals[slot] = undefined;
    return result(activation, locals);
  };
  return convertCode(code, { from: compiler.typeOf(body), to: compiler.typeOf(call), exprId: call.id });
}

function bindElement(call: CallExpr, element: Expr, position: number, compiler: Compiler): number {
  const compute = compiler.compile(element);
  return compiler.bind(call.id, `@index${position}`, { type: compiler.typeOf(element), raw: false, compute }).slot;
}
