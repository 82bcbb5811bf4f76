// Closures for comprehensions and blocks. Both evaluators count the same steps for a loop.

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

/** What the rounds of a loop do with the accumulator in the local variable `slot`. */
interface Rounds {
  readonly start: () => unknown;
  /** Returns the outcome that ends the loop, or undefined. */
  readonly round: (activation: Activation, locals: Locals) => Outcome | undefined;
  /** Returns the outcome of a loop that no round ended. */
  readonly finish: (accumulator: unknown) => Outcome;
}

/** Compiles a loop whose macro does not need a general fold. */
function compileRounds(expr: ComprehensionExpr, compiler: Compiler, roundsFor: (slot: number) => Rounds): Code {
  const { slot } = compiler.bind(expr.id, expr.accuVar, { type: DYN, raw: false });
  const { loop, body } = prepareLoop(expr, compiler, () => roundsFor(slot));
  const { start, round, finish } = body;
  return (activation, locals) => {
    const range = loop.range(activation, locals);
    if (range instanceof NonValue) return range;
    const elements = loop.elements(range);
    if (elements instanceof NonValue) return elements;
    const { first, second } = elements;
    const { firstSlot, secondSlot, nested } = loop;
    const end = roundsOf(loop, first.length);
    locals[slot] = start();
    for (let i = 0; i < end; i += 1) {
      if (nested && !takeRound(loop)) return loop.outOfSteps;
      locals[firstSlot] = first[i];
      locals[secondSlot] = second[i];
      const outcome = round(activation, locals);
      if (outcome !== undefined) return spend(loop, i + 1, outcome);
    }
    return spend(loop, end, end < first.length ? loop.outOfSteps : finish(locals[slot]));
  };
}

/** `all` and `exists` differ only in the value that decides: false or true. */
export function compileQuantifier(
  expr: ComprehensionExpr,
  { kind, predicate }: { readonly kind: 'all' | 'exists'; readonly predicate: Expr },
  compiler: Compiler,
): Code {
  const decisive = kind === 'exists';
  return compileRounds(expr, compiler, slot => {
    const test = compilePredicate(predicate, expr, compiler);
    return {
      start: () => !decisive,
      round: (activation, locals) => {
        const outcome = test(activation, locals);
        if (outcome === !decisive) return undefined;
        if (outcome === decisive) return decisive;
        const pending = locals[slot] as Outcome;
        locals[slot] = pending === !decisive ? outcome : combineUndecided(pending, outcome);
        return undefined;
      },
      finish: pending => pending as Outcome,
    };
  });
}

/** Compiles `exists_one`. The first element for which the predicate is an error or unknown ends the loop. */
export function compileOne(expr: ComprehensionExpr, predicate: Expr, compiler: Compiler): Code {
  return compileRounds(expr, compiler, slot => {
    const test = compilePredicate(predicate, expr, compiler);
    return {
      start: () => 0,
      round: (activation, locals) => {
        const outcome = test(activation, locals);
        if (outcome === true) locals[slot] = (locals[slot] as number) + 1;
        return typeof outcome === 'boolean' ? undefined : outcome;
      },
      finish: count => count === 1,
    };
  });
}

/** `map`, `filter` and `transformList` build their list in place. */
export function compileListLoop(
  expr: ComprehensionExpr,
  shape: Extract<LoopShape, { kind: 'list' }>,
  compiler: Compiler,
): Code {
  return compileRounds(expr, compiler, slot => {
    const filter = shape.filter && compilePredicate(shape.filter, expr, compiler);
    const element = compileElement(shape.element, compiler);
    const { tooLarge, maxSize } = sizeLimit(expr, compiler);
    return {
      start: () => [],
      round: (activation, locals) => {
        const chosen = filter === undefined || filter(activation, locals);
        if (chosen === false) return undefined;
        const outcome = chosen === true ? element(activation, locals) : chosen;
        if (outcome instanceof NonValue) return outcome;
        const made = locals[slot] as Value[];
        if (made.length >= maxSize) return tooLarge;
        made.push(outcome);
        return undefined;
      },
      finish: made => made as Value[],
    };
  });
}

/** `transformMap` and `transformMapEntry` build their map in place. */
export function compileMapLoop(
  expr: ComprehensionExpr,
  shape: Extract<LoopShape, { kind: 'entries' | 'merge' }>,
  compiler: Compiler,
): Code {
  return compileRounds(expr, compiler, slot => {
    const filter = shape.filter && compilePredicate(shape.filter, expr, compiler);
    const put = shape.kind === 'merge' ? putMap(shape.entry, expr, compiler) : putPair(shape, expr, compiler);
    const { tooLarge, maxSize } = sizeLimit(expr, compiler);
    return {
      start: () => new CelMap(),
      round: (activation, locals) => {
        const chosen = filter === undefined || filter(activation, locals);
        if (chosen === false) return undefined;
        const made = locals[slot] as CelMap;
        const problem = chosen === true ? put(made, activation, locals) : (chosen as NonValue);
        return problem ?? (made.size > maxSize ? tooLarge : undefined);
      },
      finish: made => made as CelMap,
    };
  });
}

/** Compiles the predicate as an operand of the loop's logical operator: if it is not a bool, the error is located at the step. */
function compilePredicate(predicate: Expr, expr: ComprehensionExpr, compiler: Compiler): Code {
  const from = compiler.typeOf(predicate);
  return convertCode(compiler.compile(predicate), { from, to: BOOL, exprId: expr.loopStep.id });
}

function compileElement(expr: Expr, compiler: Compiler): Code {
  return convertCode(compiler.compile(expr), { from: compiler.typeOf(expr), to: DYN, exprId: expr.id });
}

function sizeLimit({ id }: ComprehensionExpr, { env }: Compiler) {
  const message = 'the list or map is larger than the limit `maxCollectionSize`';
  return { tooLarge: errorAt(id, 'limit/collection-size', message), maxSize: env.limits.maxCollectionSize };
}

/** Adds the result of one iteration to the map; returns an error, or undefined. */
type Put = (made: CelMap, activation: Activation, locals: Locals) => NonValue | undefined;

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
