import { type Place, type Profile, TEXT_KEY, variablesAt } from '@tollgate/catalog';
import { fieldPathOf, type HostObject, readsOf, type TypedAst } from '@tollgate/cel';
import type { Provide } from '../values/provide.ts';
import { providerOf } from '../values/providers.ts';
import type { TrafficState } from './traffic-state.ts';

/** Makes the objects that expressions read of a state. */
export type BuildActivation = (state: TrafficState) => HostObject;

interface Plan {
  readonly [name: string]: Provide | Plan;
}

type PlanInTheMaking = { [name: string]: Provide | Plan };

/** @param readers expressions that run on it: what none of them reads is left out; everything is made when absent */
export function activationBuilder(profile: Profile, place: Place, readers?: readonly TypedAst[]): BuildActivation {
  const reads = readers?.flatMap(readsOf).map(fieldPathOf);
  const paths = variablesAt(profile, place).map(variable => variable.path);
  const root: PlanInTheMaking = {};
  for (const path of paths) {
    if (reads !== undefined && !reads.some(read => isWithin(read, path) || isWithin(path, read))) continue;
    // A text that has fields: its text is one of them.
    const isDual = paths.some(other => other !== path && isWithin(other, path));
    add(root, (isDual ? `${path}.${TEXT_KEY}` : path).split('.'), providerOf(path, profile));
  }
  return state => build(root, state);
}

function isWithin(part: string, whole: string): boolean {
  return `${part}.`.startsWith(`${whole}.`);
}

function add(plan: PlanInTheMaking, [name, ...rest]: readonly string[], provide: Provide): void {
  if (rest.length === 0) {
    plan[name!] = provide;
    return;
  }
  plan[name!] ??= {};
  add(plan[name!] as PlanInTheMaking, rest, provide);
}

function build(plan: Plan, state: TrafficState): HostObject {
  const object: Record<string, unknown> = {};
  for (const name in plan) {
    const member = plan[name]!;
    object[name] = typeof member === 'function' ? member(state) : build(member, state);
  }
  return object as HostObject;
}
