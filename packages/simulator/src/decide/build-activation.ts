import { type Place, type Profile, variablesAt } from '@tollgate/catalog';
import { fieldPathOf, type HostObject, readsOf, type TypedAst, Unknown } from '@tollgate/cel';
import type { TrafficState } from './traffic-state.ts';
import { PROVIDERS, type Provide } from './value-providers.ts';

/** Makes the objects that expressions read of a state. */
export type BuildActivation = (state: TrafficState) => HostObject;

interface Plan {
  readonly [name: string]: Provide | Plan;
}

type PlanInTheMaking = { [name: string]: Provide | Plan };

/** @param readers expressions that run on it: what none of them reads is left out; everything is made when absent */
export function activationBuilder(profile: Profile, place: Place, readers?: readonly TypedAst[]): BuildActivation {
  const reads = readers?.flatMap(readsOf).map(fieldPathOf);
  const root: PlanInTheMaking = {};
  for (const { path } of variablesAt(profile, place)) {
    if (reads !== undefined && !reads.some(read => isWithin(read, path) || isWithin(path, read))) continue;
    const provide = providerOf(path, profile);
    add(root, path.split('.'), provide);
  }
  return state => build(root, state);
}

/** What an extension added is in no recording. */
function providerOf(path: string, profile: Profile): Provide {
  const provide = PROVIDERS[path];
  if (provide === undefined) {
    const unknown = new Unknown([path]);
    return () => unknown;
  }
  return /TLS\.Version$/.test(path) ? spelt(provide, profile.switches.tlsVersionSpelling) : provide;
}

/** Recordings spell the version `TLS 1.3`. */
function spelt(provide: Provide, spelling: Profile['switches']['tlsVersionSpelling']): Provide {
  const prefix = spelling.slice(0, -'1.3'.length);
  return state => {
    const version = provide(state);
    return typeof version === 'string' ? version.replace(/^TLS /, prefix) : version;
  };
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
