import { type Place, type Profile, variablesAt } from '@tollgate/catalog';
import type { HostObject } from '@tollgate/cel';
import { InternalError } from '@tollgate/diagnostics';
import type { TrafficState } from './traffic-state.ts';
import { PROVIDERS, type Provide } from './value-providers.ts';

/** Makes the objects that expressions read of a state. */
export type BuildActivation = (state: TrafficState) => HostObject;

interface Plan {
  readonly [name: string]: Provide | Plan;
}

type PlanInTheMaking = { [name: string]: Provide | Plan };

/** @param isRead whether anything reads the variable of that path; others are left out */
export function activationBuilder(profile: Profile, place: Place, isRead: (path: string) => boolean): BuildActivation {
  const root: PlanInTheMaking = {};
  for (const { path } of variablesAt(profile, place)) {
    if (!isRead(path)) continue;
    const provide = PROVIDERS[path];
    if (provide === undefined) throw new InternalError(`no value for the variable \`${path}\``);
    add(root, path.split('.'), provide);
  }
  return state => build(root, state);
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
