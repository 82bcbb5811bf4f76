import type { CallExpr, Expr } from '../../ast/ast.ts';
import type { Callable, CandidateSet } from '../../library/declarations/declaration-index.ts';
import { typesEqual } from '../../types/equality.ts';
import { BOOL, DYN, ERROR_TYPE, listOf, type Type } from '../../types/type.ts';
import { assign } from '../../types/unification.ts';
import { checkConstants } from '../constants/constants.ts';
import { type CheckContext, resolved } from '../context/check-context.ts';
import { reportMismatch, reportOptionalSyntax } from '../report/report.ts';
import { reportNoOverload } from '../report/report-call.ts';
import { reportUnexpandedMacro } from '../report/report-macro.ts';
import { reportUndeclaredFunction } from '../report/report-name.ts';
import { inferSlots, slotsOf } from './block.ts';
import { inferOptionalSelect } from './infer-select.ts';
import { matchOverloads } from './match-overload.ts';
import { qualifiedNameOf, resolveName } from './names.ts';

export function inferCall(c: CheckContext, call: CallExpr): Type {
  switch (call.function) {
    case '_&&_':
    case '_||_':
      return inferLogic(c, call);
    case '_?._':
      return inferOptionalSelect(c, call);
    case 'cel.@block':
      return inferBlock(c, call);
    default:
      return call.target === undefined ? inferGlobalCall(c, call) : inferTargetCall(c, call, call.target);
  }
}

/** Checks each operand separately, so that every operand that is not a bool is reported at its own range. */
function inferLogic(c: CheckContext, call: CallExpr): Type {
  for (const arg of call.args) requireBool(c, arg);
  const reference = c.env.index.callables.get(call.function)?.global[2]?.all[0]?.reference;
  if (reference !== undefined) c.references[call.id] = reference;
  return BOOL;
}

function requireBool(c: CheckContext, expr: Expr): void {
  const type = c.infer(c, expr);
  if (type.kind !== 'bool' && !assign(c.bindings, type, BOOL)) reportMismatch(c, expr, 'bool', type);
}

function inferGlobalCall(c: CheckContext, call: CallExpr): Type {
  const callable = resolveName(c.env, call.function, c.env.index.callables);
  const misused = callable === undefined ? reportUnexpandedMacro(c, call) : undefined;
  if (misused !== undefined) return misused;
  const args = inferArgs(c, call, []);
  if (callable === undefined) {
    const { function: name, functionRange: range } = call;
    return name === '_[?_]'
      ? reportOptionalSyntax(c, range)
      : reportUndeclaredFunction(c, { name, member: false, range });
  }
  if (call.function === '_?_:_') return inferConditional(c, call, callable, args);
  return inferOverload(c, call, callable, { member: false, args });
}

/** `a.b.f(x)` is the function `a.b.f` where one is declared, and the method `f` of `a.b` otherwise. */
function inferTargetCall(c: CheckContext, call: CallExpr, target: Expr): Type {
  const namespace = qualifiedNameOf(c, target);
  const qualified =
    namespace === undefined ? undefined : resolveName(c.env, `${namespace}.${call.function}`, c.env.index.callables);
  if (qualified !== undefined)
    return inferOverload(c, call, qualified, { member: false, args: inferArgs(c, call, []) });
  if (namespace !== undefined && isNamespace(c, namespace)) {
    const misused = reportUnexpandedMacro(c, call);
    if (misused !== undefined) return misused;
    inferArgs(c, call, []);
    const range = { start: target.range.start, end: call.functionRange.end };
    return reportUndeclaredFunction(c, { name: `${namespace}.${call.function}`, member: false, range });
  }
  const targetType = c.infer(c, target);
  const callable = resolveName(c.env, call.function, c.env.index.callables);
  const misused = callable === undefined ? reportUnexpandedMacro(c, call) : undefined;
  if (misused !== undefined) return misused;
  const args = inferArgs(c, call, [targetType]);
  if (callable === undefined) {
    if (targetType.kind === 'error') return targetType;
    return reportUndeclaredFunction(c, { name: call.function, member: true, range: call.functionRange });
  }
  return inferOverload(c, call, callable, { member: true, args });
}

/** Returns true if the names of functions, but of no variable, start with this name. */
function isNamespace(c: CheckContext, name: string): boolean {
  if (resolveName(c.env, name, c.env.index.variables) !== undefined) return false;
  return [...c.env.index.callables.keys()].some(other => other.startsWith(`${name}.`));
}

function inferArgs(c: CheckContext, call: CallExpr, into: Type[]): Type[] {
  for (const arg of call.args) into.push(c.infer(c, arg));
  return into;
}

interface Arguments {
  readonly member: boolean;
  readonly args: readonly Type[];
}

function inferOverload(c: CheckContext, call: CallExpr, callable: Callable, given: Arguments): Type {
  const candidates = given.member ? callable.member[given.args.length - 1] : callable.global[given.args.length];
  const type = candidates === undefined ? undefined : matchOverloads(c, call.id, candidates, given.args);
  if (hasError(given.args)) return typeDespiteErrors(type, candidates);
  if (type === undefined) return reportNoOverload(c, { call, callable, ...given });
  checkConstants(c, call);
  return type;
}

function hasError(types: readonly Type[]): boolean {
  for (const type of types) if (type.kind === 'error') return true;
  return false;
}

/**
 * Returns the result type that the call would have with any arguments. Anything more specific would be a guess and cause consequential
 * errors.
 */
function typeDespiteErrors(type: Type | undefined, candidates: CandidateSet | undefined): Type {
  const first = candidates?.all[0];
  if (type === undefined || candidates === undefined || first === undefined || first.paramCount > 0) return ERROR_TYPE;
  return candidates.all.every(({ result }) => typesEqual(result, first.result)) ? first.result : ERROR_TYPE;
}

/** Infers the type of `a ? b : c`. A condition of another type than bool has an error message of its own. */
function inferConditional(c: CheckContext, call: CallExpr, callable: Callable, args: readonly Type[]): Type {
  const [condition, ...branches] = args;
  const first = call.args[0];
  if (
    condition === undefined ||
    first === undefined ||
    condition.kind === 'bool' ||
    assign(c.bindings, condition, BOOL)
  ) {
    return inferOverload(c, call, callable, { member: false, args });
  }
  reportMismatch(c, first, 'bool', condition);
  return inferOverload(c, call, callable, { member: false, args: [BOOL, ...branches] });
}

/** `cel.block`: the type is that of the last argument, which refers to elements of the first by name. */
function inferBlock(c: CheckContext, call: CallExpr): Type {
  const slots = slotsOf(call);
  const result = call.args[1];
  const candidates = c.env.index.callables.get(call.function)?.global[2];
  if (candidates === undefined || result === undefined || slots === undefined) return inferGlobalCall(c, call);
  const outer = c.scope;
  inferSlots(c, slots, call.id);
  const type = resolved(c, c.infer(c, result));
  c.scope = outer;
  return matchOverloads(c, call.id, candidates, [listOf(DYN), type]) ?? type;
}
