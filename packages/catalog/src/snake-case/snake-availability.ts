import type { Availability } from '../schema/fact.ts';

/** Where facts in snake case are available, which differs between profiles. */
export interface SnakeAvailability {
  /** Wherever the connection is known. */
  readonly connection: Availability;
  /** Wherever the TLS connection to the client is known. */
  readonly tls: Availability;
  /** Wherever the request is known. */
  readonly http: Availability;
  /** Wherever the response is known. */
  readonly response: Availability;
}
