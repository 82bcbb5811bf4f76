import type { OperationId } from '@tollgate/edge-api';
import type { Principal } from '../../security/principal.ts';
import type { SecretBox } from '../../security/secret-box.ts';
import type { KsuidSource } from '../../store/port/ksuid.ts';
import type { Store } from '../../store/port/store.ts';
import type { BodyChecks } from '../requests/body-checks.ts';

/** The dependencies of the service. */
export interface ServiceContext {
  readonly store: Store;
  readonly bodies: Pick<BodyChecks, 'check'>;
  readonly box: SecretBox;
  readonly newKsuid: KsuidSource;
  readonly now: () => number;
  readonly rules: RuleSettings;
  /** Identifies this service in events. */
  readonly accountId: string;
}

/** The settings that rules depend on. */
export interface RuleSettings {
  /** Whether hostports must be reserved. */
  readonly reservations: boolean;
  readonly privateDestinations: boolean;
  /** Whether a folder for events is configured. */
  readonly eventFiles: boolean;
  /** The host of addresses that the service assigns. */
  readonly host: string;
}

/** A request whose headers have been checked. */
export interface ApiRequest {
  readonly id: OperationId;
  /** The path parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body as sent; empty if there is none. */
  readonly text: string;
  readonly ifMatch: string | undefined;
  /** What the client names this request; a creation with the same name is not repeated. */
  readonly idempotencyKey?: string | undefined;
  /** The prefix of URIs in the response. */
  readonly baseUrl: string;
  readonly principal: Principal;
  /** The id of the request, as in the log. */
  readonly requestId: string;
  /** The address of the client; null on a Unix socket. */
  readonly address: string | null;
}

/** The response to a request. */
export interface ApiAnswer {
  readonly status: number;
  /** JSON; undefined for an empty response. */
  readonly text: string | Buffer | undefined;
  /** The revision of the record, for the ETag. */
  readonly revision: number | undefined;
  /** The secrets that cannot be decrypted, and why; the response has null for them. */
  readonly lacks?: readonly string[];
  /** True for the kept answer to an earlier request. */
  readonly isReplayed?: boolean;
}
