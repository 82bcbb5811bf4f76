import type { CallExpr, Expr } from '../../ast/ast.ts';
import type { Overload } from '../../ast/declaration.ts';
import { readsWhole } from '../../lowering/call-steps.ts';
import { createDispatcher } from '../../runtime/dispatch.ts';
import { DYN, type Type } from '../../types/type.ts';
import { NO_MATCHING_OVERLOAD } from '../../values/errors.ts';
import { undeclared } from '../access/name.ts';
import { compileAlternative } from '../access/optional.ts';
import { type Code, type Compiler, chargedCode, errorAt } from '../code/code.ts';
import { convertCode, convertResult } from '../code/conversion.ts';
import { compileWhole, compileWholeFor } from '../code/whole-code.ts';
import { compileArithmetic } from './arithmetic.ts';
import { compileComparison } from './comparison.ts';
import { callCode, implementationOf, type Operation, operationOf } from './implementation-call.ts';
import { compileStringCall } from './string-calls.ts';

/** Compiles a function or operator that is called with the values of all operands. */
export function compileCall(call: CallExpr, compiler: Compiler): Code {
  const reference = compiler.typed.references[call.id];
  if (reference?.kind !== 'function') return unresolved(call, compiler);
  const operands = operandsOf(call, reference);
  const [overload] = reference.overloads;
  if (overload?.id === 'to_dyn') return compileDyn(operands[0]!, call, compiler);
  const alternative = overload && compileAlternative(call, overload.id, compiler);
  if (alternative !== undefined) return alternative;
  if (reference.overloads.length > 1 || overload === undefined || dependsOnRun(overload, operands, compiler))
    return compileDispatch(call, operands, compiler);
  return compileOverload(call, { overload, operands }, compiler);
}

/** Returns the operands. The target of a member call is the first; the target of a function with a qualified name is part of the name. */
function operandsOf(call: CallExpr, { overloads }: { readonly overloads: readonly Overload[] }): readonly Expr[] {
  const isMember = call.target !== undefined && overloads[0]?.member === true;
  return isMember ? [call.target, ...call.args] : call.args;
}

function unresolved(call: CallExpr, compiler: Compiler): Code {
  if (!compiler.env.functions.has(call.function)) return undeclared(call.id, call.function, compiler);
  const { code, message } = NO_MATCHING_OVERLOAD;
  return compiler.constant(errorAt(call.id, code, message));
}

/** Returns true if only the values decide which of two implementations the overload needs. */
function dependsOnRun(overload: Overload, operands: readonly Expr[], compiler: Compiler): boolean {
  if (implementationOf(overload, compiler.env).mixed === undefined) return false;
  return operands.some(operand => compiler.typeOf(operand).kind === 'dyn');
}

interface Chosen {
  readonly overload: Overload;
  readonly operands: readonly Expr[];
}

/** `dyn(x)` hides the static type and changes nothing else. */
function compileDyn(operand: Expr, call: CallExpr, compiler: Compiler): Code {
  return convertCode(compileWhole(operand, compiler), { from: compiler.typeOf(operand), to: DYN, exprId: call.id });
}

function compileOverload(call: CallExpr, { overload, operands }: Chosen, compiler: Compiler): Code {
  const codes = operands.map((operand, index) => {
    const code = compileOperand(operand, overload.params[index] ?? DYN, call, compiler);
    return readsWhole([overload], index) ? chargedCode(code, operand, compiler) : code;
  });
  const operation = operationOf(implementationOf(overload, compiler.env), compiler);
  const code =
    compileFast(call, { overload, codes, operation }, compiler) ??
    callCode(operation, codes, { exprId: call.id, overloads: [overload] }, compiler);
  return convertResult(code, { from: overload.result, to: compiler.typeOf(call), exprId: call.id });
}

function compileOperand(operand: Expr, to: Type, call: CallExpr, compiler: Compiler): Code {
  const code = compileWholeFor(to, operand, compiler);
  return convertCode(code, { from: compiler.typeOf(operand), to, exprId: call.id });
}

interface Prepared {
  readonly overload: Overload;
  readonly codes: readonly Code[];
  readonly operation: Operation;
}

function compileFast(call: CallExpr, { overload, codes, operation }: Prepared, compiler: Compiler): Code | undefined {
  const [left, right] = codes;
  if (codes.length !== 2 || left === undefined || right === undefined) return undefined;
  const binary = { overloadId: overload.id, left, right, operation, exprId: call.id };
  return (
    compileArithmetic(binary, compiler) ?? compileComparison(binary, compiler) ?? compileStringCall(binary, compiler)
  );
}

/** Compiles a call with several possible overloads, which the values decide between. */
function compileDispatch(call: CallExpr, operands: readonly Expr[], compiler: Compiler): Code {
  const reference = compiler.typed.references[call.id];
  const overloads = reference?.kind === 'function' ? reference.overloads : [];
  const candidates = overloads.map(overload => ({
    overload,
    implementation: implementationOf(overload, compiler.env),
  }));
  const codes = operands.map((operand, index) => {
    const change = { from: compiler.typeOf(operand), to: DYN, exprId: call.id };
    const code = convertCode(compileWhole(operand, compiler), change);
    return readsWhole(overloads, index) ? chargedCode(code, operand, compiler) : code;
  });
  compiler.takesSteps();
  const dispatch = createDispatcher(call.function, candidates, compiler.context) as Operation;
  return convertCode(callCode(dispatch, codes, { exprId: call.id, overloads }, compiler), {
    from: DYN,
    to: compiler.typeOf(call),
    exprId: call.id,
  });
}
