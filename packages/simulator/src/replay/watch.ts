import type { Exchange } from '@tollgate/traffic';
import type { Decision } from '../decision/decision.ts';
import type { EdgeDecision } from '../edge/edge-simulation.ts';

/** Is told of a replay as it goes on. */
export interface ReplayWatch {
  /** Of each exchange, in the order in which they are decided. */
  readonly decided?: (exchange: Exchange, decided: Decided) => void;
  /** Of each stretch of traffic that was replayed, by the number of its exchanges; the replay goes on when what it gives is settled. */
  readonly read?: (exchanges: number) => Promise<void> | undefined;
}

/** What came of an exchange: under a policy that is replayed by itself, or on an edge. */
export type Decided = { readonly kind: 'decided'; readonly decision: Decision } | EdgeDecision;
