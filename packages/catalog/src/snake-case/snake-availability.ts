import type { Availability } from '../schema/fact.ts';

/** Where the names in snake case may be used; differs between the profiles that have them. */
export interface SnakePlaces {
  /** The connection is known. */
  readonly connection: Availability;
  /** The TLS connection of the client is known. */
  readonly tls: Availability;
  /** The request is known. */
  readonly http: Availability;
  /** The response is known. */
  readonly response: Availability;
}
