import type { ComprehensionExpr, Expr } from '../../ast/ast.ts';
import type { Activation } from '../../environment/program.ts';
import { keysOf, lookUp, type MapValue, mapKeyOf, putEntry } from '../../runtime/host/map.ts';
import { DYN, mapOf } from '../../types/type.ts';
import { CelMap, NonValue, type Value } from '../../values/value.ts';
import { type Code, type Compiler, type Locals, locator, type Outcome } from '../code/code.ts';
import { convertCode } from '../code/conversion.ts';
import { compileWhole } from '../code/whole-code.ts';
import { type Loop, prepareLoop, roundsOf, spend, takeRound } from './loop.ts';
import type { LoopShape } from './loop-shape.ts';
import { compilePredicate } from './quantifier.ts';

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
