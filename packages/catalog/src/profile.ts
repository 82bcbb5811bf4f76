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
  readonly endpoints: readonly EndpointKind[];
  /** In the order in which they happen. */
  readonly phases: readonly Phase[];
  readonly variables: readonly VariableFact[];
  readonly objects: readonly ObjectFact[];
  readonly functions: readonly FunctionFact[];
  readonly actions: readonly ActionFact[];
  readonly limits: readonly LimitFact[];
}

/** Tells whether something may be used at a place. */
export function isAvailable(fact: Availability, place: Place): boolean {
  return fact.phases.includes(place.phase) && fact.endpoints.includes(place.endpoint);
}
