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
  /** How names of headers are written in the maps of headers: `User-Agent`, or `user-agent`. */
  readonly headerNames: 'canonical' | 'lower-case';
  /** Keys of the document beside the phases. */
  readonly documentKeys: readonly string[];
  readonly variables: readonly VariableFact[];
  readonly objects: readonly ObjectFact[];
  readonly functions: readonly FunctionFact[];
  readonly actions: readonly ActionFact[];
  readonly limits: readonly LimitFact[];
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

/** Open questions about what a policy means, each with the answer that a profile takes by default. */
export interface ProfileSwitches {
  /** A condition that ends in an evaluation error: does its rule not match, or does the request fail with status 500? */
  readonly evaluationError: 'skip-rule' | 'fail-request';
  /** Do `$args` and its like tell of the URL as earlier actions left it, or of the one that came? */
  readonly requestVariables: 'current-url' | 'original-url';
  /** In the text of `$args` and its like: is `$1` text, or is it expanded by the replacement? */
  readonly dollarsOfRequest: 'text' | 'expanded';
  /** How a literal `${` is written where expressions are filled in. */
  readonly interpolationEscape: '$${' | 'none';
  /** How `Version` of a TLS connection is spelt. */
  readonly tlsVersionSpelling: 'TLS 1.3' | '1.3' | 'TLSv1.3';
  /** Do the rules for responses run on what an action of the request's phase answered? */
  readonly responsePhaseAfterAnswer: 'skipped' | 'run';
}

/** Tells whether something may be used at a place. */
export function isAvailable(fact: Availability, place: Place): boolean {
  return fact.phases.includes(place.phase) && fact.endpoints.includes(place.endpoint);
}

/** The phases that policies of an endpoint have, in the order in which they happen. */
export function phasesAt(profile: Profile, endpoint: EndpointKind): readonly Phase[] {
  return profile.phases.filter(phase => profile.phaseFacts[phase]?.endpoints.includes(endpoint));
}
