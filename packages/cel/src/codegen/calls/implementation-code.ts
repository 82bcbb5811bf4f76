import type { CallExpr } from '../../ast/ast.ts';
import type { Overload } from '../../ast/declaration.ts';
import { createsSized, readsWhole } from '../../lowering/call-steps.ts';
import type { ImplementationFunction } from '../../runtime/context/implementation.ts';
import { DYN, type Type } from '../../types/type.ts';
import { chargeOperand, contextConstant, steppingCall } from '../scope/context-code.ts';
import { emit, type Fail, fresh, type Generation, operandsOf, staticType } from '../scope/generation.ts';
import { constant, errorConstant, injectedName, runtimeName } from '../scope/module-scope.ts';
import { adapt, adaptOperand, failedTest, tagged } from '../scope/representation-code.ts';
import { dataCode, stringCode } from '../scope/source-text.ts';
import { wholeValue, wholeValueFor } from '../scope/whole-code.ts';

/** Emits the call of an overload's implementation. */
export function implementedCall(g: Generation, call: CallExpr, overload: Overload, fail: Fail): string {
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
export function leaveOnFailure(g: Generation, js: string, result: { type: Type; exprId: number }, fail: Fail): void {
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
export function dispatchedCall(g: Generation, call: CallExpr, overloads: readonly Overload[], fail: Fail): string {
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
export function functionName(g: Generation, overloadId: string, call: ImplementationFunction): string {
  const own = g.runtime[call.name];
  return own === call ? runtimeName(g.scope, call.name) : injectedName(g.scope, overloadId, call);
}
