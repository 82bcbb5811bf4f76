import type { ActionFact, ProfileSwitches } from './action-fact.ts';
import type {
  Availability,
  EndpointKind,
  EvaluationContext,
  FunctionFact,
  LimitFact,
  ObjectFact,
  Phase,
  VariableFact,
} from './fact.ts';

/** A profile: everything that one version of an edge offers to policies. */
export interface Profile {
  readonly name: string;
  readonly doc: string;
  /** The first one is the default. */
  readonly endpoints: readonly EndpointKind[];
  /** In the order in which they run. */
  readonly phases: readonly Phase[];
  /** One entry per phase. */
  readonly phaseFacts: Readonly<Partial<Record<Phase, PhaseFact>>>;
  /** Top-level keys of a policy document other than the phases. */
  readonly documentKeys: readonly string[];
  readonly variables: readonly VariableFact[];
  readonly objects: readonly ObjectFact[];
  readonly functions: readonly FunctionFact[];
  /** The cel-go versions of the CEL libraries on the edge, by name. Functions of later versions do not exist. */
  readonly libraryVersions: Readonly<Record<string, number>>;
  readonly actions: readonly ActionFact[];
  readonly limits: readonly LimitFact[];
  /** How header maps spell names: `User-Agent` or `user-agent`. */
  readonly headerNames: 'canonical' | 'lower-case';
  /** Answers to questions on which the vendor publishes nothing or contradicts itself. */
  readonly switches: ProfileSwitches;
}

/** When the rules of a phase run, and on which endpoints. */
export interface PhaseFact {
  readonly doc: string;
  readonly endpoints: readonly EndpointKind[];
  /** The day it was introduced, if later than the profile. */
  readonly since?: string;
}

/** Returns true if the fact may be used in the evaluation context. */
export function isAvailable(fact: Availability, context: EvaluationContext): boolean {
  return fact.phases.includes(context.phase) && fact.endpoints.includes(context.endpoint);
}

/** Returns true if traffic that the policy lets pass reaches an upstream. Without one, the policy must handle all traffic. */
export function hasUpstream(endpoint: EndpointKind): boolean {
  return endpoint !== 'cloud-endpoint';
}

/** Returns the phases of an endpoint's policies, in the order in which they run. */
export function phasesAt(profile: Profile, endpoint: EndpointKind): readonly Phase[] {
  return profile.phases.filter(phase => profile.phaseFacts[phase]?.endpoints.includes(endpoint));
}

/**
 * The CEL libraries of an edge and their cel-go versions, as of the vendor's function reference. `json.encode` is a function of the edge
 * that later versions of cel-go also have.
 */
export const EDGE_LIBRARIES: Readonly<Record<string, number>> = { encoders: 0, lists: 4, optionals: 2 };

/**
 * Returns an object whose lazy members are computed on first read and are plain values afterwards. Analysing one policy needs one profile;
 * building all of them would take longer than the analysis.
 */
export function withLazyMembers<T extends object, Late extends keyof T>(
  ready: Omit<T, Late>,
  makers: { readonly [Name in Late]: () => T[Name] },
): T {
  const target = { ...ready };
  for (const [name, make] of Object.entries<() => unknown>(makers)) {
    const get = () => {
      const value = make();
      Object.defineProperty(target, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(target, name, { get, enumerable: true, configurable: true });
  }
  return target as T;
}
