// The type of a call: the overloads that its arguments match.

import type { CallExpr, Expr } from '../ast/ast.ts';
import {
  assign,
  type Bindings,
  BOOL,
  DYN,
  ERROR_TYPE,
  freshVariable,
  isDynamic,
  isOpen,
  isVariable,
  listOf,
  mapParts,
  partsOf,
  resolve,
  type Type,
  typesEqual,
  undo,
} from '../ast/types.ts';
import type { Callable, Candidate, CandidateSet } from '../library/library.ts';
import { checkConstants } from './constants.ts';
import { inferOptionalSelect, inferSlots, qualifiedNameOf, resolveName, slotsOf } from './infer.ts';
import {
  type CheckContext,
  findLocal,
  reportMismatch,
  reportNoOverload,
  reportOptionalSyntax,
  reportUndeclaredFunction,
  reportUnexpandedMacro,
  resolved,
} from './report.ts';

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
  const isForeignMacro = namesElements(c, call) && callable?.member[call.args.length] === undefined;
  const args = isForeignMacro ? [targetType, ...call.args.map(() => DYN)] : inferArgs(c, call, [targetType]);
  if (callable === undefined) {
    if (targetType.kind === 'error') return targetType;
    return reportUndeclaredFunction(c, { name: call.function, member: true, range: call.functionRange });
  }
  return inferOverload(c, call, callable, { member: true, args });
}

/**
 * True for a call such as `list.sort(a, b, a < b)`, whose first argument is an undeclared name: it is written like a macro that declares
 * names for elements, so that an error for each name would hide the only one, that of the call.
 */
function namesElements(c: CheckContext, { args: [first, ...rest] }: CallExpr): boolean {
  if (first?.kind !== 'ident' || rest.length === 0) return false;
  return !findLocal(c, first.name) && !resolveName(c.env, first.name, c.env.index.variables);
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

function inferOverload(
  c: CheckContext,
  call: CallExpr,
  callable: Callable,
  given: { readonly member: boolean; readonly args: readonly Type[] },
): Type {
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

/**
 * Records the overloads that accept the arguments as the reference of node `id`. Returns the result type, dyn if several overloads with
 * different results match, or undefined if none does.
 */
function matchOverloads(
  c: CheckContext,
  id: number,
  candidates: CandidateSet,
  args: readonly Type[],
): Type | undefined {
  const firstKind = args[0]?.kind;
  const possible = (firstKind && candidates.byFirstKind[firstKind]) ?? candidates.all;
  let first: Candidate | undefined;
  let all: Candidate[] | undefined;
  let result: Type | undefined;
  for (const candidate of possible) {
    const type = match(c.bindings, candidate, args);
    if (type === undefined) continue;
    if (first === undefined || result === undefined) {
      first = candidate;
      result = type;
      continue;
    }
    all ??= [first];
    all.push(candidate);
    if (result.kind !== 'dyn' && !typesEqual(result, type)) result = DYN;
  }
  if (first !== undefined) {
    c.references[id] =
      all === undefined ? first.reference : { ...first.reference, overloads: all.map(candidate => candidate.overload) };
  }
  return result;
}

/** Returns the result type if the candidate accepts the arguments. */
function match(bindings: Bindings, candidate: Candidate, args: readonly Type[]): Type | undefined {
  if (candidate.dynamicOnly && !args.some(isDynamic)) return undefined;
  const slots: (Type | undefined)[] = candidate.paramCount === 0 ? NO_SLOTS : [];
  let sure = candidate.determined;
  for (let i = 0; i < args.length; i++) {
    const outcome = compare(candidate.params[i]!, args[i]!, slots);
    if (outcome === 'fails') return undefined;
    if (outcome === 'unsure') sure = false;
  }
  if (!sure) return unify(bindings, candidate, args);
  return candidate.paramCount === 0 ? candidate.result : fill(candidate.result, slots);
}

const NO_SLOTS: (Type | undefined)[] = [];

/**
 * Compares types without unification, which suffices for nearly all calls. `fits` and `fails` are what unification would find; `unsure`
 * requires it. A type parameter is bound to the first type it meets.
 */
function compare(param: Type, arg: Type, slots: (Type | undefined)[]): 'fits' | 'fails' | 'unsure' {
  switch (param.kind) {
    case 'param':
      return compareSlot((param as Type & { index: number }).index, arg, slots);
    case 'dyn':
      return isClosed(arg) ? 'fits' : 'unsure';
    case 'list':
      return arg.kind === 'list' ? compare(param.element, arg.element, slots) : otherKind(arg);
    case 'map': {
      if (arg.kind !== 'map') return otherKind(arg);
      const key = compare(param.key, arg.key, slots);
      const value = compare(param.value, arg.value, slots);
      return key === 'fits'
        ? value
        : value === 'fits'
          ? key
          : key === 'fails' || value === 'fails'
            ? 'fails'
            : 'unsure';
    }
    case 'optional':
      return arg.kind === 'optional' ? compare(param.value, arg.value, slots) : otherKind(arg);
    case 'object':
    case 'opaque':
    case 'type':
    case 'wrapper':
      return param === arg && isClosed(arg) ? 'fits' : 'unsure';
    default:
      return param.kind === arg.kind ? 'fits' : otherKind(arg);
  }
}

function compareSlot(index: number, arg: Type, slots: (Type | undefined)[]): 'fits' | 'unsure' {
  const slot = slots[index];
  if (slot !== undefined) return slot === arg || typesEqual(slot, arg) ? 'fits' : 'unsure';
  if (!isClosed(arg)) return 'unsure';
  slots[index] = arg;
  return 'fits';
}

function otherKind(arg: Type): 'fails' | 'unsure' {
  return arg.kind === 'null' || isOpen(arg) ? 'unsure' : 'fails';
}

/** Returns true if the type contains no variables and no errors. */
function isClosed(type: Type): boolean {
  return type.kind !== 'error' && type.kind !== 'param' && partsOf(type).every(isClosed);
}

function unify(bindings: Bindings, candidate: Candidate, args: readonly Type[]): Type | undefined {
  const before = bindings.trail.length;
  const firstFresh = bindings.types.length;
  const fresh: Type[] = [];
  for (let i = 0; i < candidate.paramCount; i++) fresh.push(freshVariable(bindings));
  for (let i = 0; i < args.length; i++) {
    if (!assign(bindings, args[i]!, fill(candidate.params[i]!, fresh))) {
      undo(bindings, before);
      bindings.types.length = firstFresh;
      return undefined;
    }
  }
  return resolve(bindings, fill(candidate.result, fresh));
}

function fill(type: Type, slots: readonly (Type | undefined)[]): Type {
  if (isVariable(type)) return slots[type.index] ?? type;
  return mapParts(type, part => fill(part, slots));
}
