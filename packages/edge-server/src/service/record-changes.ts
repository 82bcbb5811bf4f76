// What is written with a change: references, claims on names and addresses, the change itself, and its events.

import {
  type ErrorNumber,
  eventTypeOf,
  type Fault,
  faultAt,
  KEPT_WHILE_REFERRED_TO,
  kindOfIdentifier,
  type Operation,
  type RecordKindName,
  type Reference,
} from '@tollgate/edge-api';
import { ApiError, type Members, notFound, parseBody, refused, stringAt, stringsAt } from '../api-error.ts';
import {
  type Claim,
  type Conflict,
  type Family,
  type RecordReader,
  type RecordWriter,
  StoreConflict,
  type StoredRecord,
} from '../store/store.ts';
import { recordAnswer, uriOf } from './answers.ts';
import { type ApiRequest, type ServiceContext, SHAPE_OF_RECORD } from './context.ts';
import { changeSecrets, type FoundReference } from './shape-walk.ts';

/** A change of a record. */
interface RecordedVersions {
  /** Undefined for a new record. */
  readonly before: StoredRecord | undefined;
  /** Undefined for a record that is deleted. */
  readonly after: StoredRecord | undefined;
}

/**
 * Adds a change to the record of changes, in the same transaction: who changed what, from where, and the fields that differ, before and after.
 * Secrets are left out; those that were replaced are named by their place.
 */
export async function recordChange(
  context: Pick<ServiceContext, 'box' | 'now'>,
  writer: Pick<RecordWriter, 'record'>,
  { id, principal, requestId, address }: Pick<ApiRequest, 'id' | 'principal' | 'requestId' | 'address'>,
  change: RecordedVersions,
): Promise<void> {
  const { before, after } = change;
  const record = (after ?? before)!;
  const detail = JSON.stringify(detailOf(context, change));
  const who = { keyId: principal.keyId, requestId, address };
  await writer.record({ at: context.now(), operation: id, resourceId: record.id, ...who, detail });
}

function detailOf(context: Pick<ServiceContext, 'box'>, { before, after }: RecordedVersions): Members {
  const [was, is] = [before, after].map(record => record && shown(context, record));
  if (!was || !is) return { before: was ?? null, after: is ?? null };
  const names = Object.keys({ ...was, ...is }).filter(name => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  const pick = (from: Members) => Object.fromEntries(names.map(name => [name, from[name] ?? null]));
  const secrets = replacedSecrets(before!, after!);
  return { before: pick(was), after: pick(is), ...(secrets.length > 0 && { secrets }) };
}

/** Returns a record in the form of responses. Of the two forms of a policy, one is enough. */
function shown(context: Pick<ServiceContext, 'box'>, record: StoredRecord): Members {
  const maker = { ...context, baseUrl: '', withoutSecrets: true };
  const { routes, uri, policy, traffic_policy: text, ...fields } = recordAnswer(maker, { record, members: [] });
  return { ...fields, ...(policy !== undefined && { policy: policy ?? text }) };
}

/** Returns the places of secrets that are new, gone or different. Each encryption of a secret is another, so only copies are equal. */
function replacedSecrets(before: StoredRecord, after: StoredRecord): readonly string[] {
  const [was, is] = [placesOf(before), placesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].filter(place => was.get(place) !== is.get(place));
}

function placesOf({ kind, body }: StoredRecord): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  changeSecrets(SHAPE_OF_RECORD.get(kind as RecordKindName)!, parseBody(body), (secret, place) => {
    places.set(place, secret);
    return secret;
  });
  return places;
}

/** Returns a fault for every reference to a record that does not exist. */
export async function missingReferences(
  reader: RecordReader,
  references: readonly FoundReference[],
): Promise<readonly Fault[]> {
  const kinds = await reader.kinds([...new Set(references.map(({ id }) => id))]);
  return references.filter(({ id }) => !kinds.has(id)).map(({ path, id, reference }) => missing(path, id, reference));
}

function missing(path: FoundReference['path'], id: string, reference: Reference): Fault {
  return faultAt(path, reference.missing as ErrorNumber, { value: id, expected: reference.kinds.join(', ') });
}

/** The error and field of a conflicting claim, by scope. */
const TAKEN: Readonly<Record<string, { readonly code: ErrorNumber; readonly field: string }>> = {
  hostport: { code: 7122, field: 'hostports' },
  match: { code: 7126, field: 'match' },
  cidr: { code: 1408, field: 'cidr' },
  domain: { code: 414, field: 'domain' },
};

/** Returns the fault for a claim that another record holds. */
function takenClaim({ scope, value }: Claim, index?: number): Fault {
  const { code, field } = TAKEN[scope.split(' ')[0]!]!;
  return faultAt(field === 'hostports' && index !== undefined ? [field, index] : [field], code, {
    value: scope.startsWith('match') ? value.slice(value.indexOf(' ') + 1) : value,
  });
}

/** Returns a fault for every claim that another record holds. */
export async function takenClaims(
  reader: RecordReader,
  claims: readonly Claim[],
  ownId: string,
): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const [index, claim] of claims.entries()) {
    const by = await reader.claimant(claim);
    if (by !== undefined && by !== ownId) faults.push(takenClaim(claim, index));
  }
  return faults;
}

/** Converts a conflict found by the store, where another process was faster, to an API error. */
function conflictError({ conflict }: StoreConflict, references: readonly FoundReference[] = []): ApiError {
  switch (conflict.kind) {
    case 'claim-taken':
      return new ApiError({ kind: 'faults', faults: [takenClaim(conflict.claim)] });
    case 'still-referenced':
      return stillReferenced(conflict);
    case 'no-such-record': {
      const [first] = references.filter(({ id }) => conflict.ids.includes(id));
      return first
        ? new ApiError({ kind: 'faults', faults: [missing(first.path, first.id, first.reference)] })
        : notFound();
    }
  }
}

function stillReferenced({ id, by }: Extract<Conflict, { readonly kind: 'still-referenced' }>): ApiError {
  const kind = kindOfIdentifier(id);
  const code = (kind && KEPT_WHILE_REFERRED_TO[kind]) ?? 446;
  return refused(code, {
    value: id,
    expected: by.length > 0 ? by.map(one => `'${one}'`).join(', ') : 'another record',
  });
}

/** Runs work on the store and converts conflicts to API errors. */
export async function convertingConflicts<T>(
  work: () => Promise<T>,
  references: readonly FoundReference[] = [],
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreConflict ? conflictError(error, references) : error;
  }
}

/** The unique values that a record claims, by kind. */
const CLAIMS: Partial<Record<RecordKindName, (body: Members, parentId: string | null) => readonly Claim[]>> = {
  https_edge: hostports,
  tls_edge: hostports,
  tcp_edge: hostports,
  https_edge_route: (body, edgeId) => [
    { scope: `match ${edgeId}`, value: `${stringAt(body, 'match_type')} ${stringAt(body, 'match')}` },
  ],
  ip_policy_rule: (body, policyId) => [
    { scope: `cidr ${policyId}`, value: (stringAt(body, 'cidr') ?? '').toLowerCase() },
  ],
  reserved_domain: body => [{ scope: 'domain', value: stringAt(body, 'domain') ?? '' }],
  reserved_addr: body => [{ scope: 'address', value: stringAt(body, 'addr') ?? '' }],
};

/** Returns the claims of a record with this body. */
export function claimsOf(kind: RecordKindName, body: Members, parentId: string | null): readonly Claim[] {
  return CLAIMS[kind]?.(body, parentId) ?? [];
}

/** Hostports are unique across edges of all kinds. */
function hostports(body: Members): readonly Claim[] {
  return stringsAt(body, 'hostports').map(hostport => ({ scope: 'hostport', value: hostport.toLowerCase() }));
}

/** A change to a resource. */
interface Occurrence {
  readonly operation: Operation;
  readonly request: ApiRequest;
  readonly resourceId: string;
  /** Returns the resource after the change, or before its deletion. Called only if a subscription wants the event. */
  readonly family: () => Family | Promise<Family>;
}

/** Adds the event of a change to the outbox, in the same transaction. */
export async function publishChange(
  context: ServiceContext,
  writer: RecordWriter,
  occurrence: Occurrence,
): Promise<void> {
  const type = eventTypeOf(occurrence.operation);
  if (type === undefined) return;
  const id = `ev_${context.newKsuid()}`;
  const body = async () => eventBody(context, occurrence.request, await occurrence.family(), { id, type });
  await writer.publish({ id, type, resourceId: occurrence.resourceId, body });
}

/** Returns the envelope of part B, section 3.5, with the resource without its secrets. */
function eventBody(
  context: ServiceContext,
  { baseUrl, principal }: ApiRequest,
  family: Family,
  { id, type }: { readonly id: string; readonly type: string },
): string {
  const { keyId } = principal;
  return JSON.stringify({
    event_id: id,
    event_type: type,
    event_timestamp: new Date(context.now()).toISOString(),
    account_id: context.accountId,
    principal: { id: keyId, subject: keyId, source: 'API', credential: { id: keyId, uri: uriOf(baseUrl, keyId) } },
    object: recordAnswer({ box: context.box, baseUrl, withoutSecrets: true }, family),
  });
}
