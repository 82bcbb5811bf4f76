import type { ActionFact } from './action-fact.ts';
import type {
  Availability,
  EndpointKind,
  FunctionFact,
  LimitFact,
  ObjectFact,
  Phase,
  Place,
  VariableFact,
} from './fact.ts';
import type { ProfileSwitches } from './switches.ts';

/** Everything that one version of an edge offers to policies. */
export interface Profile {
  readonly name: string;
  readonly doc: string;
  /** The first is meant where none is named. */
  readonly endpoints: readonly EndpointKind[];
  /** In the order in which they happen. */
  readonly phases: readonly Phase[];
  /** One for each of `phases`. */
  readonly phaseFacts: Readonly<Partial<Record<Phase, PhaseFact>>>;
  /** Keys of the document beside the phases. */
  readonly documentKeys: readonly string[];
  readonly variables: readonly VariableFact[];
  readonly objects: readonly ObjectFact[];
  readonly functions: readonly FunctionFact[];
  /** Versions of the CEL libraries that the edge runs, by name, as cel-go counts them. Functions that later ones brought are not there. */
  readonly libraryVersions: Readonly<Record<string, number>>;
  readonly actions: readonly ActionFact[];
  readonly limits: readonly LimitFact[];
  /** How names of headers are written in the maps of them: `User-Agent` or `user-agent`. */
  readonly headerNames: 'canonical' | 'lower-case';
  /** Which of the readings that are possible holds, where the vendor publishes nothing or contradicts itself. */
  readonly switches: ProfileSwitches;
}

/** When rules of a phase run, and at which endpoints. */
export interface PhaseFact {
  readonly doc: string;
  readonly endpoints: readonly EndpointKind[];
  /** First day of its existence, where that is later than the profile's. */
  readonly since?: string;
}

/** Tells whether something may be used at a place. */
export function isAvailable(fact: Availability, place: Place): boolean {
  return fact.phases.includes(place.phase) && fact.endpoints.includes(place.endpoint);
}

/** Whether traffic that the policy lets pass goes to an upstream. Where it does not, the policy must handle all traffic. */
export function hasUpstream(endpoint: EndpointKind): boolean {
  return endpoint !== 'cloud-endpoint';
}

/** The phases that policies of an endpoint have, in the order in which they happen. */
export function phasesAt(profile: Profile, endpoint: EndpointKind): readonly Phase[] {
  return profile.phases.filter(phase => profile.phaseFacts[phase]?.endpoints.includes(endpoint));
}
