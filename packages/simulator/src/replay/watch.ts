import type { Exchange } from '@tollgate/traffic';
import type { Decision } from '../decision/decision.ts';
import type { EdgeDecision } from '../edge/edge-simulation.ts';

/** Observes a replay while it runs. */
export interface ReplayWatch {
  /** Called for each exchange, in the order of decisions. */
  readonly decided?: (exchange: Exchange, decided: Decided) => void;
  /** Called for each batch with its number of exchanges; the replay continues when the result is settled. */
  readonly read?: (exchanges: number) => Promise<void> | undefined;
  /** Ends the replay with what is known so far; its summary is marked as partial. */
  readonly stop?: AbortSignal;
}

/** The decision on an exchange, by a single policy or by an edge. */
export type Decided = { readonly kind: 'decided'; readonly decision: Decision } | EdgeDecision;
