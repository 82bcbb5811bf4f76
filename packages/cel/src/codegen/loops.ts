// Generated code for comprehensions and blocks.

import { type CallExpr, type ComprehensionExpr, type Expr, localKey } from '../ast/ast.ts';
import { DYN, INT, type Type } from '../ast/types.ts';
import { OUT_OF_STEPS } from '../values/errors.ts';
import {
  adapt,
  type Decision,
  type Exits,
  emit,
  errorConstant,
  type Fail,
  fresh,
  type Generation,
  loopingDecision,
  loopingValue,
  runtimeName,
  staticType,
  tagged,
  takeSteps,
} from './scope.ts';

/** Emits a comprehension whose result is a bool: a quantifier, or a binding in a condition. */
export function comprehensionDecision(g: Generation, node: ComprehensionExpr): Decision | undefined {
  const shape = foldShapeOf(node);
  switch (shape.kind) {
    case 'all':
    case 'exists':
      return exits => {
        const quantifier = { predicate: shape.predicate, conjunction: shape.kind === 'all' };
        loopingDecision(g, inner => quantify(g, node, quantifier, inner), exits);
      };
    case 'one':
      return exits => loopingDecision(g, inner => exactlyOne(g, node, shape.predicate, inner), exits);
    case 'bind':
      if (staticType(g, node).kind !== 'bool') return undefined;
      return exits => {
        bindName(g, { scope: node.id, name: node.accuVar, value: node.accuInit });
        g.condition(g, node.result, exits, node.id);
      };
    default:
      return undefined;
  }
}

/** Emits a comprehension that is not a decision. */
export function comprehensionValue(g: Generation, node: ComprehensionExpr, fail: Fail): string {
  const shape = foldShapeOf(node);
  if (shape.kind !== 'bind')
    return loopingValue(g, staticType(g, node), leave => loopValue(g, node, shape, leave), fail);
  bindName(g, { scope: node.id, name: node.accuVar, value: node.accuInit });
  return resultValue(g, node, fail);
}

function loopValue(g: Generation, node: ComprehensionExpr, shape: FoldShape, fail: Fail): string {
  switch (shape.kind) {
    case 'list': {
      const add = (made: string) => pushElement(g, shape.element, made, fail);
      return collect(g, node, { filter: shape.filter, made: '[]', add }, fail);
    }
    case 'map': {
      const made = `new ${runtimeName(g.scope, 'CelMap')}`;
      const add = (map: string) => insertEntry(g, shape.insertion, map, fail);
      return collect(g, node, { filter: shape.filter, made, add }, fail);
    }
    default:
      return fold(g, node, fail);
  }
}

function resultValue(g: Generation, node: ComprehensionExpr, fail: Fail): string {
  const value = g.value(g, node.result, fail);
  return adapt(g, value, { from: staticType(g, node.result), to: staticType(g, node), exprId: node.id }, fail);
}

/** A bound expression is evaluated first, but its error counts only where the name is read. */
function bindName(
  g: Generation,
  { scope, name, value }: { readonly scope: number; readonly name: string; readonly value: Expr },
): void {
  const type = staticType(g, value);
  if (value.kind === 'literal') {
    g.locals.set(localKey(scope, name), { js: g.value(g, value, () => ''), type, guarded: false });
    return;
  }
  const js = fresh(g, 'b');
  const done = fresh(g, 'L');
  emit(g, `let ${js};${done}:{`);
  const bound = g.value(g, value, nonValue => `${js}=${nonValue};break ${done};`);
  emit(g, `${js}=${bound};}\n`);
  g.locals.set(localKey(scope, name), { js, type, guarded: true });
}

/** As for `&&` and `||`, errors and unknowns are kept and count only if no element decides. */
function quantify(
  g: Generation,
  node: ComprehensionExpr,
  { predicate, conjunction }: { readonly predicate: Expr; readonly conjunction: boolean },
  exits: Exits,
): void {
  const pending = fresh(g, 'p');
  const done = fresh(g, 'L');
  const next = fresh(g, 'L');
  const decided = (conjunction ? exits.whenFalse : exits.whenTrue) || `break ${done};`;
  const undecided = conjunction ? exits.whenTrue : exits.whenFalse;
  emit(g, `${done}:{let ${pending};\n`);
  openLoop(g, node, exits.fail);
  const keep = (nonValue: string) =>
    `${pending}=${runtimeName(g.scope, 'combineUndecided')}(${pending},${nonValue});break ${next};`;
  emit(g, `${next}:{`);
  const inner = { whenTrue: conjunction ? '' : decided, whenFalse: conjunction ? decided : '', fail: keep };
  g.condition(g, predicate, inner, node.loopStep.id);
  emit(g, `}}\nif(${pending}!==undefined){${exits.fail(pending)}}${undecided}}\n`);
}

function exactlyOne(g: Generation, node: ComprehensionExpr, predicate: Expr, exits: Exits): void {
  const count = fresh(g, 'v');
  const next = fresh(g, 'L');
  emit(g, `let ${count}=0;`);
  openLoop(g, node, exits.fail);
  emit(g, `${next}:{`);
  g.condition(
    g,
    predicate,
    { whenTrue: `${count}++;break ${next};`, whenFalse: '', fail: exits.fail },
    node.loopStep.id,
  );
  emit(g, '}}\n');
  const test = `${count}===1`;
  emit(g, `if(${test}){${exits.whenTrue}}else{${exits.whenFalse}}\n`);
}

interface Collection {
  readonly filter: Expr | undefined;
  /** The source of an empty list or map. */
  readonly made: string;
  /** Emits code that adds the result of one iteration. */
  readonly add: (made: string) => void;
}

function collect(g: Generation, node: ComprehensionExpr, { filter, made, add }: Collection, fail: Fail): string {
  const name = fresh(g, 'v');
  const next = fresh(g, 'L');
  emit(g, `const ${name}=${made};`);
  openLoop(g, node, fail);
  emit(g, `${next}:{`);
  if (filter !== undefined) {
    g.condition(g, filter, { whenTrue: '', whenFalse: `break ${next};`, fail }, node.loopStep.id);
  }
  add(name);
  checkSize(g, node, { name, count: made === '[]' ? 'length' : 'size' }, fail);
  emit(g, '}}\n');
  return name;
}

/** A result never has more elements than the loop has iterations, so most limits need no test of their own. */
function checkSize(g: Generation, node: Expr, { name, count }: { name: string; count: string }, fail: Fail): void {
  const { maxCollectionSize, maxSteps } = g.env.limits;
  if (maxCollectionSize >= maxSteps) return;
  const message = 'the list or map is larger than the limit `maxCollectionSize`';
  const error = errorConstant(g.scope, 'limit/collection-size', message, node.id);
  emit(g, `if(${name}.${count}>${maxCollectionSize}){${fail(error)}}\n`);
}

function pushElement(g: Generation, element: Expr, list: string, fail: Fail): void {
  const value = g.value(g, element, fail);
  emit(g, `${list}.push(${tagged(g, value, staticType(g, element))});`);
}

function insertEntry(g: Generation, call: CallExpr, map: string, fail: Fail): void {
  const [, key, value] = call.args as readonly [Expr, Expr, Expr | undefined];
  const keyCode = tagged(g, g.value(g, key, fail), staticType(g, key));
  const error = fresh(g, 'v');
  const located = `${runtimeName(g.scope, 'locate')}(${error},${call.id})`;
  const put =
    value === undefined
      ? `${runtimeName(g.scope, 'putEntries')}(${map},${keyCode})`
      : `${runtimeName(g.scope, 'putEntry')}(${map},${keyCode},${tagged(g, g.value(g, value, fail), staticType(g, value))})`;
  emit(g, `const ${error}=${put};if(${error}!==undefined){${fail(located)}}\n`);
}

/** Emits any other comprehension, step by step. */
function fold(g: Generation, node: ComprehensionExpr, fail: Fail): string {
  const type = staticType(g, node.accuInit);
  const accu = fresh(g, 'v');
  const done = fresh(g, 'L');
  // The condition may test whether the accumulator is a value at all.
  const guarded = node.loopCondition.kind === 'call' && node.loopCondition.function === '@not_strictly_false';
  const keep: Fail = guarded ? nonValue => `${accu}=${nonValue};break ${accu}s;` : fail;
  emit(g, `let ${accu};${accu}s:{`);
  const initial = g.value(g, node.accuInit, keep);
  emit(g, `${accu}=${initial};}\n${done}:{`);
  g.locals.set(localKey(node.id, node.accuVar), { js: accu, type, guarded });
  openLoop(g, node, fail);
  g.condition(g, node.loopCondition, { whenTrue: '', whenFalse: `break ${done};`, fail }, node.id);
  emit(g, `${accu}s:{`);
  const step = g.value(g, node.loopStep, keep);
  const adapted = adapt(g, step, { from: staticType(g, node.loopStep), to: type, exprId: node.loopStep.id }, keep);
  emit(g, `${accu}=${adapted};}}}\n`);
  return resultValue(g, node, fail);
}

/** The range of a loop: an array, and the values at an index of it. */
interface Range {
  readonly array: string;
  readonly size: string;
  readonly index: string;
  /** The values of the first and, if there is one, the second variable at the index. */
  readonly first: Variable;
  readonly second?: Variable;
}

interface Variable {
  readonly js: string;
  readonly type: Type;
  /** True if the value may be unread host data, an error or an unknown. */
  readonly raw: boolean;
}

/** Emits the head of a comprehension's loop with its range, and binds its variables. The caller emits the body and `}`. */
function openLoop(g: Generation, node: ComprehensionExpr, fail: Fail): void {
  const range = rangeOf(g, node, fail);
  const limit = errorConstant(g.scope, OUT_OF_STEPS.code, OUT_OF_STEPS.message, node.id);
  const steps = g.typed.loops.roundSteps.get(node.id) ?? 1;
  const { index, size } = range;
  emit(g, `for(let ${index}=0;${index}<${size};${index}++){if(${takeSteps(g, steps)}<0){${fail(limit)}}\n`);
  bind(g, node, node.iterVar, range.first);
  if (node.iterVar2 !== undefined && range.second !== undefined) bind(g, node, node.iterVar2, range.second);
}

function bind(g: Generation, node: ComprehensionExpr, name: string, variable: Variable): void {
  const js = fresh(g, 'x');
  emit(g, `const ${js}=${variable.js};`);
  g.locals.set(localKey(node.id, name), { js, type: variable.type, guarded: false, raw: variable.raw });
}

function rangeOf(g: Generation, node: ComprehensionExpr, fail: Fail): Range {
  const type = staticType(g, node.iterRange);
  const index = fresh(g, 'i');
  const value = g.value(g, node.iterRange, fail);
  // The loop reads the array repeatedly, so it needs a name.
  const array = fresh(g, 'c');
  const twice = node.iterVar2 !== undefined;
  switch (type.kind) {
    case 'list':
      emit(g, `const ${array}=${value};`);
      return listRange({ array, index }, type.element, twice);
    case 'map':
      iteration(g, { array, value, node }, fail);
      return mapRange(g, { array, index, map: value }, type, twice);
    default:
      iteration(g, { array, value, node }, fail);
      return dynamicRange(g, { array, index, value }, twice);
  }
}

/** Emits the range. All keys of a map must be known; its values are read in their iteration. */
function iteration(
  g: Generation,
  { array, value, node }: { readonly array: string; readonly value: string; readonly node: Expr },
  fail: Fail,
): void {
  const nonValue = runtimeName(g.scope, 'NonValue');
  emit(
    g,
    `const ${array}=${runtimeName(g.scope, 'iterationOf')}(${value},${node.id});if(${array} instanceof ${nonValue}){${fail(array)}}\n`,
  );
}

interface Names {
  readonly array: string;
  readonly index: string;
}

function listRange({ array, index }: Names, element: Type, twice: boolean): Range {
  const value: Variable = { js: `${array}[${index}]`, type: element, raw: true };
  const position: Variable = { js: index, type: INT, raw: false };
  const size = `${array}.length`;
  return twice ? { array, size, index, first: position, second: value } : { array, size, index, first: value };
}

function mapRange(
  g: Generation,
  { array, index, map }: Names & { map: string },
  type: { readonly key: Type; readonly value: Type },
  twice: boolean,
): Range {
  const key: Variable = { js: `${array}[${index}]`, type: type.key, raw: true };
  const size = `${array}.length`;
  if (!twice) return { array, size, index, first: key };
  const found = `${runtimeName(g.scope, 'lookUpTagged')}(${map},${array}[${index}])`;
  return { array, size, index, first: key, second: { js: found, type: type.value, raw: true } };
}

/** The value decides whether the range is a list or a map. */
function dynamicRange(g: Generation, { array, index, value }: Names & { value: string }, twice: boolean): Range {
  const size = `${array}.length`;
  const one: Variable = { js: `${array}[${index}]`, type: DYN, raw: true };
  if (!twice) return { array, size, index, first: one };
  const position: Variable = { js: `Array.isArray(${value})?${index}:${array}[${index}]`, type: DYN, raw: true };
  const lookUp = `${runtimeName(g.scope, 'lookUpTagged')}(${value},${array}[${index}])`;
  const second = `Array.isArray(${value})?${array}[${index}]:${lookUp}`;
  return { array, size, index, first: position, second: { js: second, type: DYN, raw: true } };
}

/** What a comprehension computes, recognized by structure rather than by macro name, since users may define macros with any name. */
type FoldShape =
  /** `cel.bind`: not a loop. */
  | { readonly kind: 'bind' }
  | { readonly kind: 'all' | 'exists'; readonly predicate: Expr }
  | { readonly kind: 'one'; readonly predicate: Expr }
  /** A list of `element` for each iteration that passes `filter`. */
  | { readonly kind: 'list'; readonly filter: Expr | undefined; readonly element: Expr }
  /** A map built by `cel.@mapInsert` from entries, or from maps of entries. */
  | { readonly kind: 'map'; readonly filter: Expr | undefined; readonly insertion: CallExpr }
  | { readonly kind: 'fold' };

export function foldShapeOf(node: ComprehensionExpr): FoldShape {
  const { iterRange, loopCondition, accuInit } = node;
  if (iterRange.kind === 'list' && iterRange.elements.length === 0 && isLiteral(loopCondition, false))
    return { kind: 'bind' };
  const quantifier = quantifierOf(node);
  if (quantifier !== undefined) return quantifier;
  if (!isLiteral(loopCondition, true)) return { kind: 'fold' };
  if (isLiteral(accuInit, 0)) return countOf(node) ?? { kind: 'fold' };
  if (!isAccumulator(node, node.result)) return { kind: 'fold' };
  return collectionOf(node) ?? { kind: 'fold' };
}

function quantifierOf(node: ComprehensionExpr): FoldShape | undefined {
  const { loopStep, loopCondition } = node;
  if (!isAccumulator(node, node.result) || !isCall(loopCondition, '@not_strictly_false')) return undefined;
  if (loopStep.kind !== 'call' || !isAccumulator(node, loopStep.args[0])) return undefined;
  const predicate = loopStep.args[1] as Expr;
  const [asked] = loopCondition.args;
  if (loopStep.function === '_&&_' && isLiteral(node.accuInit, true) && isAccumulator(node, asked)) {
    return { kind: 'all', predicate };
  }
  const negated = asked !== undefined && isCall(asked, '!_') && isAccumulator(node, asked.args[0]);
  return loopStep.function === '_||_' && isLiteral(node.accuInit, false) && negated
    ? { kind: 'exists', predicate }
    : undefined;
}

/** Recognizes `predicate ? accu + 1 : accu`, with `accu == 1` as the result. */
function countOf(node: ComprehensionExpr): FoldShape | undefined {
  const { loopStep, result } = node;
  if (!isCall(result, '_==_') || !isAccumulator(node, result.args[0]) || !isLiteral(result.args[1], 1))
    return undefined;
  if (!isCall(loopStep, '_?_:_') || !isAccumulator(node, loopStep.args[2])) return undefined;
  const [predicate, step] = loopStep.args as readonly [Expr, Expr];
  const increments = isCall(step, '_+_') && isAccumulator(node, step.args[0]) && isLiteral(step.args[1], 1);
  return increments ? { kind: 'one', predicate } : undefined;
}

function collectionOf(node: ComprehensionExpr): FoldShape | undefined {
  const { loopStep, accuInit } = node;
  const filtered = isCall(loopStep, '_?_:_') && isAccumulator(node, loopStep.args[2]);
  const [filter, step] = filtered ? (loopStep.args as readonly [Expr, Expr]) : [undefined, loopStep];
  if (step.kind !== 'call' || !isAccumulator(node, step.args[0])) return undefined;
  if (accuInit.kind === 'list' && accuInit.elements.length === 0 && step.function === '_+_') {
    const [, added] = step.args;
    if (added?.kind !== 'list' || added.elements.length !== 1 || added.optionalIndices.length > 0) return undefined;
    return { kind: 'list', filter, element: added.elements[0] as Expr };
  }
  const empty = accuInit.kind === 'map' && accuInit.entries.length === 0;
  return empty && step.function === 'cel.@mapInsert' ? { kind: 'map', filter, insertion: step } : undefined;
}

function isAccumulator(node: ComprehensionExpr, expr: Expr | undefined): boolean {
  return expr?.kind === 'ident' && expr.name === node.accuVar;
}

function isCall(expr: Expr, name: string): expr is CallExpr {
  return expr.kind === 'call' && expr.function === name;
}

function isLiteral(expr: Expr | undefined, value: boolean | number): boolean {
  return expr?.kind === 'literal' && expr.literal.value === value;
}

/** `cel.@block([…], e)`: the elements of the list are bound to `@index0`, `@index1`, … */
export function blockValue(g: Generation, call: CallExpr, fail: Fail): string | undefined {
  const [slots, result] = call.args as readonly [Expr, Expr];
  if (slots.kind !== 'list') return undefined;
  slots.elements.forEach((value, index) => {
    bindName(g, { scope: call.id, name: `@index${index}`, value });
  });
  const value = g.value(g, result, fail);
  return adapt(g, value, { from: staticType(g, result), to: staticType(g, call), exprId: call.id }, fail);
}
