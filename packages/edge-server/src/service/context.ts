// What the operations depend on, and the kinds of records.

import { OPERATIONS, type Operation, type OperationId, type RecordKindName } from '@tollgate/edge-api';
import type { Principal } from '../security/api-keys.ts';
import type { SecretBox } from '../security/encryption.ts';
import type { KsuidSource } from '../store/ksuid.ts';
import type { Store } from '../store/store.ts';
import type { BodyChecks } from './body-checks.ts';

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

const CREATIONS: readonly Operation[] = Object.values(OPERATIONS).filter(operation => operation.kind === 'create');

/** The shape of each record kind, from the operation that creates it. */
export const SHAPE_OF_RECORD: ReadonlyMap<string, string> = new Map(
  CREATIONS.flatMap(({ record, request }) =>
    record !== 'event_source' && request !== null ? [[record, request]] : [],
  ),
);

/** The path parameter or body field with the parent's identifier, by record kind. */
const PARENTS: Partial<Record<RecordKindName, string>> = {
  https_edge_route: 'edge_id',
  ip_policy_rule: 'ip_policy_id',
};

/** Returns the name of the path parameter or body field with the parent's identifier. */
export function parentKey(kind: RecordKindName): string | undefined {
  return PARENTS[kind];
}

/** Returns true if responses of this kind include the records that belong to it. */
export function showsMembers(kind: string): boolean {
  return kind === 'https_edge';
}
