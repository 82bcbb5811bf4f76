/** Builds the objects that expressions read from a state: only the members that a policy reads. */
import { type EvaluationContext, type Profile, STRING_KEY, variablesAt } from '@tollgate/catalog';
import { type HostObject, type Read, readsOf, type TypedAst } from '@tollgate/cel';
import { fieldPathOf } from '@tollgate/cel/tooling';
import { mayGenerateCode } from '@tollgate/diagnostics/portable';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import { headerMapReader, isHeaderMap, readerOf, type VariableReader } from './variable-readers.ts';

/** Builds the objects that expressions read from a state. */
export type BuildActivation = (state: TrafficState) => HostObject;

interface Plan {
  readonly [name: string]: VariableReader | Plan;
}

type PlanInTheMaking = { [name: string]: VariableReader | Plan };

/**
 * Compiles a function that builds activations.
 * @param readers the expressions that run on it: variables that none of them reads are left out; all are built if absent
 */
export function activationBuilder(
  profile: Profile,
  place: EvaluationContext,
  readers?: readonly TypedAst[],
): BuildActivation {
  const reads = readers?.flatMap(readsOf);
  const readPaths = reads?.map(fieldPathOf);
  const paths = variablesAt(profile, place).map(variable => variable.path);
  const root = emptyPlan();
  for (const path of paths) {
    if (readPaths !== undefined && !readPaths.some(read => isWithin(read, path) || isWithin(path, read))) continue;
    // A string that also has fields: the string itself is one of them.
    const isDual = paths.some(other => other !== path && isWithin(other, path));
    const names = (isDual ? `${path}.${STRING_KEY}` : path).split('.');
    add(root, names, planOf(path, profile, reads));
  }
  return mayGenerateCode() ? compile(root) : assemble(root);
}

function isWithin(part: string, whole: string): boolean {
  return part.startsWith(whole) && (part.length === whole.length || part[whole.length] === '.');
}

/** If all headers are read by constant names, only those are looked up. */
function planOf(path: string, profile: Profile, reads: readonly Read[] | undefined): VariableReader | Plan {
  const reader = readerOf(path, profile);
  if (reads === undefined || !isHeaderMap(path)) return reader;
  const keys = new Set<string>();
  for (const read of reads) {
    if (!isWithin(fieldPathOf(read), path) && !isWithin(path, fieldPathOf(read))) continue;
    const step = read.steps[path.split('.').length - 1];
    if (step?.kind !== 'key' || typeof step.key.value !== 'string') return reader;
    keys.add(step.key.value);
  }
  return headerMapReader(path, [...keys]);
}

function add(plan: PlanInTheMaking, [name, ...rest]: readonly string[], reader: VariableReader | Plan): void {
  if (rest.length === 0) {
    plan[name!] = reader;
    return;
  }
  plan[name!] ??= emptyPlan();
  add(plan[name!] as PlanInTheMaking, rest, reader);
}

/** Without a prototype: assigning a name of `Object.prototype` must not change all objects. */
function emptyPlan(): PlanInTheMaking {
  return Object.create(null) as PlanInTheMaking;
}

/** One function with one object literal is ten times as fast as filling objects name by name. */
function compile(root: Plan): BuildActivation {
  const readers: VariableReader[] = [];
  const body = `return state=>(${literalCode(root, readers)})`;
  const names = readers.map((_, index) => `p${index}`);
  const make: unknown = new Function(...names, `"use strict";${body}`)(...readers);
  return make as BuildActivation;
}

/** The same without generated code. */
function assemble(plan: Plan): BuildActivation {
  const members = Object.entries(plan).map(
    ([name, member]) => [name, typeof member === 'function' ? member : assemble(member)] as const,
  );
  return state => Object.fromEntries(members.map(([name, make]) => [name, make(state)])) as HostObject;
}

function literalCode(plan: Plan, readers: VariableReader[]): string {
  const members = Object.entries(plan).map(([name, member]) => {
    const value = typeof member === 'function' ? `p${readers.push(member) - 1}(state)` : literalCode(member, readers);
    // Only a computed name makes `__proto__` a property like any other.
    return `${name === '__proto__' ? '["__proto__"]' : JSON.stringify(name)}:${value}`;
  });
  return `{${members.join(',')}}`;
}
