import type { RunAction } from '../effects/model/effect.ts';

/** Actions of a route's modules, by when they run relative to the rules of the policy. Each list is in order. */
export interface ModuleActions {
  readonly beforeRequest: readonly RunAction[];
  readonly afterRequest: readonly RunAction[];
  readonly beforeResponse: readonly RunAction[];
  readonly afterResponse: readonly RunAction[];
  /** Names of all modules, in the order in which they run. */
  readonly names: readonly string[];
}
