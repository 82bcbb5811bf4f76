/** Builds the objects that expressions read from a state: only the members that a policy reads. */
import { type EvaluationContext, type Profile, STRING_KEY, variablesAt } from '@tollgate/catalog';
import { type HostObject, type Read, readsOf, type TypedAst } from '@tollgate/cel';
import { fieldPathOf } from '@tollgate/cel/tooling';
import { mayGenerateCode } from '@tollgate/diagnostics/portable';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import { headerReader, isHeaderMap, readerOf, type VariableReader } from './variable-readers.ts';

/** Builds the objects that expressions read from a state. */
export type BuildActivation = (state: TrafficState) => HostObject;

/** What an activation consists of, by name: values, and objects of them. */
export interface ActivationPlan {
  readonly [name: string]: PlannedValue | ActivationPlan;
}

/** How a value is read. */
export type PlannedValue =
  | { readonly kind: 'variable'; readonly path: string }
  /** One header of the map at a path. */
  | { readonly kind: 'header'; readonly path: string; readonly key: string };

type PlanInTheMaking = { [name: string]: PlannedValue | ActivationPlan };

/** Returns true for a value, false for an object of values. */
export function isPlannedValue(planned: PlannedValue | ActivationPlan): planned is PlannedValue {
  return typeof planned.kind === 'string';
}

/**
 * Compiles a function that builds activations.
 * @param readers the expressions that run on it: variables that none of them reads are left out; all are built if absent
 */
export function activationBuilder(
  profile: Profile,
  place: EvaluationContext,
  readers?: readonly TypedAst[],
): BuildActivation {
  const read = (planned: PlannedValue) =>
    planned.kind === 'variable' ? readerOf(planned.path, profile) : headerReader(planned.path, planned.key);
  const plan = activationPlan(profile, place, readers);
  return mayGenerateCode() ? compile(plan, read) : assemble(plan, read);
}

/** Returns what an activation for expressions consists of; see {@link activationBuilder}. */
export function activationPlan(
  profile: Profile,
  place: EvaluationContext,
  readers?: readonly TypedAst[],
): ActivationPlan {
  const reads = readers?.flatMap(readsOf);
  const readPaths = reads?.map(fieldPathOf);
  const paths = variablesAt(profile, place).map(variable => variable.path);
  const root = emptyPlan();
  for (const path of paths) {
    if (readPaths !== undefined && !readPaths.some(read => isWithin(read, path) || isWithin(path, read))) continue;
    // A string that also has fields: the string itself is one of them.
    const isDual = paths.some(other => other !== path && isWithin(other, path));
    const names = (isDual ? `${path}.${STRING_KEY}` : path).split('.');
    add(root, names, planOf(path, reads));
  }
  return root;
}

function isWithin(part: string, whole: string): boolean {
  return part.startsWith(whole) && (part.length === whole.length || part[whole.length] === '.');
}

/** If all headers are read by constant names, only those are looked up. */
function planOf(path: string, reads: readonly Read[] | undefined): PlannedValue | ActivationPlan {
  const whole = { kind: 'variable', path } as const;
  if (reads === undefined || !isHeaderMap(path)) return whole;
  const headers = emptyPlan();
  for (const read of reads) {
    if (!isWithin(fieldPathOf(read), path) && !isWithin(path, fieldPathOf(read))) continue;
    const step = read.steps[path.split('.').length - 1];
    if (step?.kind !== 'key' || typeof step.key.value !== 'string') return whole;
    headers[step.key.value] = { kind: 'header', path, key: step.key.value };
  }
  return headers;
}

function add(plan: PlanInTheMaking, [name, ...rest]: readonly string[], planned: PlannedValue | ActivationPlan): void {
  if (rest.length === 0) {
    plan[name!] = planned;
    return;
  }
  plan[name!] ??= emptyPlan();
  add(plan[name!] as PlanInTheMaking, rest, planned);
}

/** Without a prototype: assigning a name of `Object.prototype` must not change all objects. */
function emptyPlan(): PlanInTheMaking {
  return Object.create(null) as PlanInTheMaking;
}

type ReadValue = (planned: PlannedValue) => VariableReader;

/** One function with one object literal is ten times as fast as filling objects name by name. */
function compile(root: ActivationPlan, read: ReadValue): BuildActivation {
  const readers: VariableReader[] = [];
  const body = `return state=>(${activationCode(root, planned => `p${readers.push(read(planned)) - 1}(state)`)})`;
  const names = readers.map((_, index) => `p${index}`);
  const make: unknown = new Function(...names, `"use strict";${body}`)(...readers);
  return make as BuildActivation;
}

/** The same without generated code. */
function assemble(plan: ActivationPlan, read: ReadValue): BuildActivation {
  const members = Object.entries(plan).map(
    ([name, member]) => [name, isPlannedValue(member) ? read(member) : assemble(member, read)] as const,
  );
  return state => Object.fromEntries(members.map(([name, make]) => [name, make(state)])) as HostObject;
}

/** Returns the code of an object with the values of a plan, each by the code that `value` returns for it. */
export function activationCode(plan: ActivationPlan, value: (planned: PlannedValue) => string): string {
  const members = Object.entries(plan).map(([name, member]) => {
    const code = isPlannedValue(member) ? value(member) : activationCode(member, value);
    // Only a computed name makes `__proto__` a property like any other.
    return `${name === '__proto__' ? '["__proto__"]' : JSON.stringify(name)}:${code}`;
  });
  return `{${members.join(',')}}`;
}
