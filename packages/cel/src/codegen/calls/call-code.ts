import type { CallExpr, Expr } from '../../ast/ast.ts';
import type { Overload } from '../../ast/declaration.ts';
import { DYN } from '../../types/type.ts';
import { blockValue } from '../loops/block-code.ts';
import { emit, type Fail, fresh, type Generation, operandsOf, overloadsOf, staticType } from '../scope/generation.ts';
import { errorConstant } from '../scope/module-scope.ts';
import { adapt } from '../scope/representation-code.ts';
import { wholeValue } from '../scope/whole-code.ts';
import { indexValue, optionalAccess } from './access-code.ts';
import { arithmeticValue } from './arithmetic-code.ts';
import { dispatchedCall, implementedCall } from './implementation-code.ts';

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
