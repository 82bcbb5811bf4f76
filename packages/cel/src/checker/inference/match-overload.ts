import type { Candidate, CandidateSet } from '../../library/declarations/declaration-index.ts';
import { typesEqual } from '../../types/equality.ts';
import { isDynamic, isOpen, mapParts, partsOf } from '../../types/structure.ts';
import { DYN, type Type } from '../../types/type.ts';
import { assign, type Bindings, freshVariable, isVariable, resolve, undo } from '../../types/unification.ts';
import type { CheckContext } from '../context/check-context.ts';

/**
 * Records the overloads that accept the arguments as the reference of node `id`. Returns the result type, dyn if several overloads with
 * different results match, or undefined if none does.
 */
export function matchOverloads(
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
