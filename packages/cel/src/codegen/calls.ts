// Generated code for the values of calls, of reads by key and index, and of lists, maps and objects.

import type { CallExpr, Expr, ListExpr, MapEntry, MapExpr, Overload, SelectExpr, StructExpr } from '../ast/ast.ts';
import { DYN, nonNull, optionalOf, type Type } from '../ast/types.ts';
import { createsSized, readsWhole } from '../lowering/lower.ts';
import type { ImplementationFunction } from '../runtime/context.ts';
import { blockValue } from './loops.ts';
import {
  adapt,
  adaptOperand,
  chargeOperand,
  constant,
  contextConstant,
  dataCode,
  emit,
  errorConstant,
  type Fail,
  failedTest,
  fitsTest,
  fresh,
  type Generation,
  injectedName,
  operandsOf,
  overloadsOf,
  readerCode,
  runtimeName,
  staticType,
  steppingCall,
  stringCode,
  tagged,
  wholeValue,
  wholeValueFor,
} from './scope.ts';

type CallCode = (g: Generation, call: CallExpr, fail: Fail) => string | undefined;

/** Calls with specific code; those that return undefined are emitted like any other call. */
const SPECIAL: ReadonlyMap<string, CallCode> = new Map<string, CallCode>([
  ['_?_:_', conditionalValue],
  ['_[_]', indexValue],
  ['_?._', optionalAccess],
  ['_[?_]', optionalAccess],
  ['or', optionalOr],
  ['orValue', optionalOr],
  ['dyn', dynValue],
  ['cel.@block', blockValue],
  ['@not_strictly_false', notStrictlyFalse],
]);

/** Emits a call that is not a decision. */
export function callValue(g: Generation, call: CallExpr, fail: Fail): string {
  const overloads = overloadsOf(g, call);
  const [overload] = overloads;
  if (overload === undefined) return unresolved(g, call, fail);
  const special = SPECIAL.get(call.function)?.(g, call, fail);
  if (special !== undefined) return special;
  if (overloads.length > 1 || dependsOnRun(g, call, overload)) return dispatchedCall(g, call, overloads, fail);
  return arithmeticValue(g, call, overload, fail) ?? implementedCall(g, call, overload, fail);
}

/** Returns true if only the values decide which of two implementations the overload needs. */
function dependsOnRun(g: Generation, call: CallExpr, { id }: Overload): boolean {
  if (g.implementationOf(id)?.mixed === undefined) return false;
  return operandsOf(g, call).some(operand => staticType(g, operand).kind === 'dyn');
}

function unresolved(g: Generation, call: CallExpr, fail: Fail): string {
  const [code, message] = g.env.functions.has(call.function)
    ? ['eval/no-matching-overload', `no overload of \`${call.function}\` takes these arguments`]
    : ['eval/undeclared-reference', `\`${call.function}\` is not declared`];
  emit(g, `{${fail(errorConstant(g.scope, code, message, call.id))}}\n`);
  return 'undefined';
}

/** Evaluates only the chosen branch. */
function conditionalValue(g: Generation, call: CallExpr, fail: Fail): string {
  const [test, then, otherwise] = call.args as readonly [Expr, Expr, Expr];
  const name = fresh(g, 'v');
  const done = fresh(g, 'L');
  const other = fresh(g, 'L');
  emit(g, `let ${name};${done}:{${other}:{`);
  g.condition(g, test, { whenTrue: '', whenFalse: `break ${other};`, fail }, call.id);
  const first = branchValue(g, call, then, fail);
  emit(g, `${name}=${first};break ${done};}\n`);
  const second = branchValue(g, call, otherwise, fail);
  emit(g, `${name}=${second};}\n`);
  return name;
}

function branchValue(g: Generation, call: CallExpr, node: Expr, fail: Fail): string {
  const value = g.value(g, node, fail);
  const from = staticType(g, node);
  return adapt(g, value, { from, to: staticType(g, call), exprId: call.id }, fail);
}

/** Returns the value in its tagged representation. */
function dynValue(g: Generation, call: CallExpr, fail: Fail): string | undefined {
  if (overloadsOf(g, call)[0]?.id !== 'to_dyn') return undefined;
  const operand = call.args[0] as Expr;
  return adapt(g, wholeValue(g, operand, fail), { from: staticType(g, operand), to: DYN, exprId: call.id }, fail);
}

/** `or` and `orValue` evaluate their argument only if it is needed. */
function optionalOr(g: Generation, call: CallExpr, fail: Fail): string | undefined {
  const [overload] = overloadsOf(g, call);
  const [argument] = call.args;
  if (call.target === undefined || argument === undefined || overload === undefined) return undefined;
  if (overload.id !== 'optional_or_optional' && overload.id !== 'optional_orValue_value') return undefined;
  const from = staticType(g, call.target);
  const optional = { from, to: overload.params[0] ?? DYN, exprId: call.id };
  const target = adapt(g, wholeValue(g, call.target, fail), optional, fail);
  const held = overload.id === 'optional_or_optional' ? target : `${target}.value`;
  const name = fresh(g, 'v');
  emit(g, `let ${name}=${held};if(${target}.value===undefined){`);
  const other = wholeValue(g, argument, fail);
  const to = overload.params[1] ?? DYN;
  const adapted = adapt(g, other, { from: staticType(g, argument), to, exprId: call.id }, fail);
  emit(g, `${name}=${adapted};}\n`);
  return adapt(g, name, { from: overload.result, to: staticType(g, call), exprId: call.id }, fail);
}

/** Returns true unless its operand is false. Macros use it to end their loops. */
function notStrictlyFalse(g: Generation, call: CallExpr): string {
  const name = fresh(g, 'v');
  const done = fresh(g, 'L');
  emit(g, `let ${name}=true;${done}:{`);
  const exits = { whenTrue: '', whenFalse: `${name}=false;break ${done};`, fail: () => `break ${done};` };
  g.condition(g, call.args[0] as Expr, exits, call.id);
  emit(g, '}\n');
  return name;
}

/** The static type of an element and the location of its errors. */
interface Element {
  readonly type: Type;
  readonly exprId: number;
}

/** Emits the reading of a variable that holds an unread element: host data, a CEL value, or an error or unknown. */
function elementValue(g: Generation, js: string, element: Element, fail: Fail): string {
  const read = `${runtimeName(g.scope, 'locate')}(${readerCode(g, element.type)}(${js}),${element.exprId})`;
  emit(
    g,
    `if(!(${fitsTest(g, element.type, js)})){${js}=${read};if(${failedTest(g, element.type, js)}){${fail(js)}}}\n`,
  );
  return js;
}

/** Emits a selection from anything but a path: a computed object or map, a dynamic value, an optional. */
export function selectValue(g: Generation, node: SelectExpr, fail: Fail): string {
  const operand = g.value(g, node.operand, fail);
  const read = nonNull(staticType(g, node.operand)).kind === 'object' ? 'readField' : 'readMember';
  const name = fresh(g, 'v');
  emit(g, `let ${name}=${runtimeName(g.scope, read)}(${operand},${stringCode(node.field)},${node.id});`);
  return elementValue(g, name, { type: staticType(g, node), exprId: node.id }, fail);
}

/** Emits `_[_]`: directly for typed lists and maps, by dynamic dispatch for everything else. */
function indexValue(g: Generation, call: CallExpr, fail: Fail): string {
  const [operand, index] = call.args as readonly [Expr, Expr];
  const [from, by] = [staticType(g, operand), staticType(g, index)];
  const element = { type: staticType(g, call), exprId: call.id };
  const container = g.value(g, operand, fail);
  const key = g.value(g, index, fail);
  const name = fresh(g, 'v');
  if (from.kind === 'list' && by.kind === 'int') {
    const slow = `${runtimeName(g.scope, 'readIndex')}(${container},${key},${call.id})`;
    const test = fitsTest(g, element.type, name);
    emit(g, `let ${name}=${container}[${key}];if(!(${test})){${name}=${slow};`);
    elementValue(g, name, element, fail);
    emit(g, '}\n');
    return name;
  }
  const read = from.kind === 'map' ? 'readKey' : 'readIndexed';
  emit(g, `let ${name}=${runtimeName(g.scope, read)}(${container},${tagged(g, key, by)},${call.id});`);
  return elementValue(g, name, element, fail);
}

/** Emits `a.?b` and `a[?b]`, whose value is an optional. */
function optionalAccess(g: Generation, call: CallExpr, fail: Fail): string {
  const [operand, key] = call.args as readonly [Expr, Expr];
  const type = staticType(g, call);
  const held = type.kind === 'optional' ? type.value : DYN;
  const reader = constant(g.scope, `${runtimeName(g.scope, 'taggedReader')}(${dataCode(held)})`);
  const container = g.value(g, operand, fail);
  const keyCode = tagged(g, g.value(g, key, fail), staticType(g, key));
  const name = fresh(g, 'v');
  emit(g, `const ${name}=${runtimeName(g.scope, 'optionalMember')}(${container},${keyCode},${reader});`);
  leaveOnFailure(g, name, { type, exprId: call.id }, fail);
  return name;
}

function taggedValue(g: Generation, node: Expr, fail: Fail): string {
  return tagged(g, g.value(g, node, fail), staticType(g, node));
}

/** Emits a list literal; one that contains only constants is built once. */
export function listValue(g: Generation, node: ListExpr, fail: Fail): string {
  if (node.optionalIndices.length > 0) return listOfOptionals(g, node, fail);
  const elements = node.elements.map(element => taggedValue(g, element, fail)).join(',');
  if (node.elements.every(element => isConstant(g, element))) return constant(g.scope, `[${elements}]`);
  const name = fresh(g, 'v');
  emit(g, `const ${name}=[${elements}];\n`);
  return name;
}

function isConstant({ typed }: Generation, element: Expr): boolean {
  return element.kind === 'literal' || typed.constants.has(element.id);
}

function listOfOptionals(g: Generation, node: ListExpr, fail: Fail): string {
  const name = fresh(g, 'v');
  emit(g, `const ${name}=[];`);
  node.elements.forEach((element, index) => {
    if (!node.optionalIndices.includes(index)) {
      const value = taggedValue(g, element, fail);
      emit(g, `${name}.push(${value});`);
      return;
    }
    const optional = optionalValue(g, element, node.id, fail);
    emit(g, `if(${optional}.value!==undefined)${name}.push(${optional}.value);\n`);
  });
  return name;
}

/** Emits the value of an element, entry or field written with `?`; `exprId` locates the error if it is not an optional. */
function optionalValue(g: Generation, node: Expr, exprId: number, fail: Fail): string {
  return adapt(g, g.value(g, node, fail), { from: staticType(g, node), to: optionalOf(DYN), exprId }, fail);
}

/** Emits a map literal. */
export function mapValue(g: Generation, node: MapExpr, fail: Fail): string {
  const name = fresh(g, 'v');
  emit(g, `const ${name}=new ${runtimeName(g.scope, 'CelMap')};`);
  for (const entry of node.entries) mapEntry(g, entry, name, fail);
  return name;
}

function mapEntry(g: Generation, entry: MapEntry, map: string, fail: Fail): void {
  const key = taggedValue(g, entry.key, fail);
  const value = entry.optional ? optionalValue(g, entry.value, entry.id, fail) : taggedValue(g, entry.value, fail);
  const error = fresh(g, 'v');
  const put = `${runtimeName(g.scope, 'putEntry')}(${map},${key},${entry.optional ? `${value}.value` : value})`;
  const made = entry.optional ? `${value}.value===undefined?undefined:${put}` : put;
  const located = `${runtimeName(g.scope, 'locate')}(${error},${entry.id})`;
  emit(g, `const ${error}=${made};if(${error}!==undefined){${fail(located)}}\n`);
}

/** Emits an object literal of a declared type, which creates a plain host object. */
export function structValue(g: Generation, node: StructExpr, fail: Fail): string {
  const declared = g.env.objects.has(node.typeName);
  if (!declared) {
    const message = `the type \`${node.typeName}\` is not declared`;
    emit(g, `{${fail(errorConstant(g.scope, 'eval/undeclared-reference', message, node.id))}}\n`);
    return 'undefined';
  }
  const name = fresh(g, 'v');
  emit(g, `const ${name}=Object.create(null);`);
  for (const field of node.fields) {
    const value = field.optional ? optionalValue(g, field.value, node.id, fail) : taggedValue(g, field.value, fail);
    const held = field.optional ? `${value}.value` : value;
    emit(g, `if(${held}!==undefined)${name}[${stringCode(field.field)}]=${held};\n`);
  }
  return name;
}

/** An operation on two numbers `a` and `b`, and the test that its result `r` is exact. */
interface Quick {
  readonly compute: (a: string, b: string) => string;
  readonly keep: (r: string, b: string) => string;
}

const safe = (r: string) => `Number.isSafeInteger(${r})`;

/** By overload id. A safe result is exact, because a rounded one is never safe. Adding 0 turns -0 into 0. */
const INTEGER_OPERATIONS: Readonly<Record<string, Quick>> = {
  add_int64: { compute: (a, b) => `${a}+${b}`, keep: safe },
  subtract_int64: { compute: (a, b) => `${a}-${b}`, keep: safe },
  multiply_int64: { compute: (a, b) => `${a}*${b}+0`, keep: safe },
  divide_int64: { compute: (a, b) => `(${a}-${a}%${b})/${b}+0`, keep: (_, b) => `${b}!==0` },
  modulo_int64: { compute: (a, b) => `${a}%${b}+0`, keep: (_, b) => `${b}!==0` },
  add_uint64: { compute: (a, b) => `${a}+${b}`, keep: safe },
  subtract_uint64: { compute: (a, b) => `${a}-${b}`, keep: r => `${r}>=0` },
  multiply_uint64: { compute: (a, b) => `${a}*${b}`, keep: safe },
};

const DOUBLE_OPERATIONS: Readonly<Record<string, string>> = {
  add_double: '+',
  subtract_double: '-',
  multiply_double: '*',
  divide_double: '/',
};

/** Emits arithmetic on statically typed numbers; undefined for other overloads. */
function arithmeticValue(g: Generation, call: CallExpr, overload: Overload, fail: Fail): string | undefined {
  const operator = DOUBLE_OPERATIONS[overload.id];
  if (operator !== undefined) {
    const [a, b] = operandsCode(g, call, overload, fail);
    const name = fresh(g, 'v');
    emit(g, `const ${name}=${a}${operator}${b};\n`);
    return name;
  }
  const quick = INTEGER_OPERATIONS[overload.id];
  return quick === undefined ? undefined : integerValue(g, { call, overload, quick }, fail);
}

function integerValue(
  g: Generation,
  { call, overload, quick }: { readonly call: CallExpr; readonly overload: Overload; readonly quick: Quick },
  fail: Fail,
): string | undefined {
  const implementation = g.implementationOf(overload.id);
  if (implementation === undefined) return undefined;
  const [a, b] = operandsCode(g, call, overload, fail) as readonly [string, string];
  const name = fresh(g, 'v');
  // Mixed with bigints, JavaScript would throw.
  const numbers = [a, b].filter(js => !/^\(?-?\d+\)?$/.test(js)).map(js => `typeof ${js}!=="number"`);
  const refused = [...numbers, `!(${name}=${quick.compute(a, b)},${quick.keep(name, b)})`].join('||');
  emit(g, `let ${name};if(${refused}){${name}=${functionName(g, overload.id, implementation.call)}(${a},${b});`);
  leaveOnFailure(g, name, { type: overload.result, exprId: call.id }, fail);
  emit(g, '}\n');
  return name;
}

function operandsCode(g: Generation, call: CallExpr, overload: Overload, fail: Fail): readonly string[] {
  return call.args.map((node: Expr, index) => {
    const change = { from: staticType(g, node), to: overload.params[index] ?? DYN, exprId: call.id };
    return adapt(g, g.value(g, node, fail), change, fail);
  });
}

/** Emits the call of an overload's implementation. */
function implementedCall(g: Generation, call: CallExpr, overload: Overload, fail: Fail): string {
  const implementation = g.implementationOf(overload.id);
  const args = operandsOf(g, call).map((node, index) => {
    const to = overload.params[index] ?? DYN;
    const change = { from: staticType(g, node), to, exprId: call.id };
    const js = adaptOperand(g, wholeValueFor(g, to, node, fail), change, fail);
    if (readsWhole([overload], index)) chargeOperand(g, { node, js, type: to });
    return js;
  });
  if (implementation === undefined) return missing(g, call, fail);
  if (implementation.needsContext) args.unshift(contextConstant(g));
  const outcome = `${functionName(g, overload.id, implementation.call)}(${args.join(',')})`;
  const isSized = createsSized([overload]);
  const takesSteps = isSized || implementation.needsContext === true;
  const name = takesSteps ? steppingCall(g, isSized ? madeCode(g, outcome) : outcome) : plainCall(g, outcome);
  if (isSized || !implementation.total) leaveOnFailure(g, name, { type: overload.result, exprId: call.id }, fail);
  return adapt(g, name, { from: overload.result, to: staticType(g, call), exprId: call.id }, fail);
}

/** Emits an exit for a runtime function's result that is an error or unknown, and adds the location to an error. */
function leaveOnFailure(g: Generation, js: string, result: { type: Type; exprId: number }, fail: Fail): void {
  const located = `${runtimeName(g.scope, 'locate')}(${js},${result.exprId})`;
  emit(g, `if(${failedTest(g, result.type, js)}){${fail(located)}}\n`);
}

function plainCall(g: Generation, code: string): string {
  const name = fresh(g, 'v');
  emit(g, `const ${name}=${code};`);
  return name;
}

/** New values are charged to the budget. */
function madeCode(g: Generation, outcome: string): string {
  return `${runtimeName(g.scope, 'chargeResult')}(${contextConstant(g)},${outcome})`;
}

/** A declared function without an implementation is an evaluation error, because an environment may be meant for checking only. */
function missing(g: Generation, call: CallExpr, fail: Fail): string {
  const error = errorConstant(g.scope, 'eval/not-implemented', 'the function has no implementation', call.id);
  emit(g, `{${fail(error)}}\n`);
  return 'undefined';
}

/** Emits a call whose overload the values decide. */
function dispatchedCall(g: Generation, call: CallExpr, overloads: readonly Overload[], fail: Fail): string {
  const args = operandsOf(g, call).map((node, index) => {
    const js = tagged(g, wholeValue(g, node, fail), staticType(g, node));
    if (readsWhole(overloads, index)) chargeOperand(g, { node, js, type: DYN });
    return js;
  });
  const dispatcher = constant(g.scope, dispatcherCode(g, call.function, overloads));
  const outcome = `${dispatcher}(${args.join(',')})`;
  const name = steppingCall(g, createsSized(overloads) ? madeCode(g, outcome) : outcome);
  leaveOnFailure(g, name, { type: DYN, exprId: call.id }, fail);
  return adapt(g, name, { from: DYN, to: staticType(g, call), exprId: call.id }, fail);
}

function dispatcherCode(g: Generation, name: string, overloads: readonly Overload[]): string {
  const candidates = overloads.flatMap(({ id, member, params, result }) => {
    const implementation = g.implementationOf(id);
    if (implementation === undefined) return [];
    const { call, total, needsContext = false, mixed } = implementation;
    const flags = `total:${total},needsContext:${needsContext}${mixed ? `,mixed:${functionName(g, `${id} mixed`, mixed)}` : ''}`;
    return [
      `{overload:${dataCode({ id, member, params, result })},implementation:{call:${functionName(g, id, call)},${flags}}}`,
    ];
  });
  const create = runtimeName(g.scope, 'createDispatcher');
  return `${create}(${stringCode(name)},[${candidates.join(',')}],${contextConstant(g)})`;
}

/** Runtime functions are imported by name; user functions are injected. */
function functionName(g: Generation, overloadId: string, call: ImplementationFunction): string {
  const own = g.runtime[call.name];
  return own === call ? runtimeName(g.scope, call.name) : injectedName(g.scope, overloadId, call);
}
