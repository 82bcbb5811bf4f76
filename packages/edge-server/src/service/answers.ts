// Responses from stored records, with the fields that the service computes, and a cache of them.

import { randomBytes, randomInt } from 'node:crypto';
import { kindOfIdentifier, pathOfIdentifier, RECORD_KINDS, type RecordKindName, toAnswer } from '@tollgate/edge-api';
import { parse } from 'yaml';
import { isMembers, type Members, membersAt, parseBody, stringAt } from '../api-error.ts';
import { certificateDetails } from '../security/certificate-details.ts';
import type { OpenedSecret, SecretBox } from '../security/encryption.ts';
import type { Family, StoredRecord } from '../store/store.ts';
import { type RuleSettings, type ServiceContext, SHAPE_OF_RECORD } from './context.ts';
import { changeSecrets } from './shape-walk.ts';

/** How to build responses. */
interface AnswerMaker extends Pick<ServiceContext, 'box'> {
  readonly baseUrl: string;
  /** Whether to omit secrets, as in events. */
  readonly withoutSecrets?: boolean;
  /** Learns of each secret that cannot be decrypted, which the response has as null: its place, and why. */
  readonly lacks?: (secret: string) => void;
}

/** Returns the response form of a record. */
export function recordAnswer(maker: AnswerMaker, { record, members }: Family): Members {
  return toAnswer(shapeOfRecord(record), withComputedFields(maker, record, members), {
    uriOf: id => uriOf(maker.baseUrl, id),
  });
}

/** Returns the response form of a module; undefined if it is not configured. */
export function moduleAnswer(maker: AnswerMaker, record: StoredRecord, module: ModuleName): Members | undefined {
  const kept = membersAt(withComputedFields(maker, record, [], module.field), module.field);
  return kept && toAnswer(module.shape, kept, { uriOf: id => uriOf(maker.baseUrl, id) });
}

/** The field of a module and the shape of its response. */
interface ModuleName {
  readonly field: string;
  readonly shape: string;
}

/** Returns the URI of an event source. */
export function sourceUri(baseUrl: string, subscriptionId: string, type: string): string {
  return `${uriOf(baseUrl, subscriptionId)}/sources/${type}`;
}

/** Returns the absolute URI of a record. For a route, the id of its edge is required. */
export function uriOf(baseUrl: string, id: string, parentId?: string | null): string {
  const kind = kindOfIdentifier(id);
  const path = pathOfIdentifier(id) ?? (kind && RECORD_KINDS[kind].path) ?? `/${id}`;
  return `${baseUrl}${path.replace('{edge_id}', parentId ?? '').replace('{id}', id)}`;
}

/** Returns the shape of a stored record. */
export function shapeOfRecord({ kind }: Pick<StoredRecord, 'kind'>): string {
  return SHAPE_OF_RECORD.get(kind)!;
}

/** Returns a stored body with its secrets decrypted. @throws ExternalError `store/secret` */
export function openedBody({ box }: Pick<ServiceContext, 'box'>, record: StoredRecord): Members {
  return changeSecrets(shapeOfRecord(record), parseBody(record.body), (stored, place) =>
    box.isSealed(stored) ? box.open(stored, `${record.id}${place}`) : stored,
  );
}

/** Returns a stored body with those secrets decrypted that can be; the others stay encrypted, for a record that is written again. */
export function openableBody({ box }: Pick<ServiceContext, 'box'>, record: StoredRecord): Members {
  return changeSecrets(shapeOfRecord(record), parseBody(record.body), (stored, place) => {
    const found = opened(box, stored, `${record.id}${place}`);
    return 'secret' in found ? found.secret : stored;
  });
}

/** Returns a stored body with its secrets decrypted; null where that is not possible. */
function readableBody({ box, lacks }: AnswerMaker, record: StoredRecord): Members {
  return changeSecrets(shapeOfRecord(record), parseBody(record.body), (stored, place) => {
    const found = opened(box, stored, `${record.id}${place}`);
    if ('secret' in found) return found.secret;
    lacks?.(`${record.id}${place}: ${found.reason}`);
    return null;
  });
}

/** Returns a stored body with its secrets removed, except URLs whose origin is shown. */
function bodyWithoutSecrets({ box }: Pick<ServiceContext, 'box'>, record: StoredRecord): Members {
  return changeSecrets(shapeOfRecord(record), parseBody(record.body), (stored, place, { secret }) => {
    if (secret !== 'origin-only') return undefined;
    const found = opened(box, stored, `${record.id}${place}`);
    return 'secret' in found ? found.secret : undefined;
  });
}

/** Decrypts a secret; returns what was stored before its field became one. */
function opened(box: SecretBox, stored: string, place: string): OpenedSecret {
  return box.isSealed(stored) ? box.tryOpen(stored, place) : { secret: stored };
}

/** Returns the stored fields together with those that the service computes. */
function withComputedFields(
  maker: AnswerMaker,
  record: StoredRecord,
  members: readonly StoredRecord[],
  module?: string,
): Members {
  const { id, kind, parentId, createdAt } = record;
  const body = maker.withoutSecrets ? bodyWithoutSecrets(maker, record) : readableBody(maker, record);
  const uri = uriOf(maker.baseUrl, id, parentId);
  const common = { ...withPolicy(body, module), id, uri, created_at: createdAt };
  switch (kind as RecordKindName) {
    case 'https_edge':
      return { ...common, routes: members.map(member => withComputedFields(maker, member, [])) };
    case 'https_edge_route':
      return { ...common, edge_id: parentId, ...withSamlUrls(common, maker.baseUrl, id) };
    case 'ip_policy_rule':
      return { ...common, ip_policy_id: parentId };
    case 'event_subscription':
      return { ...common, sources: sourcesOf(body).map(type => ({ type, uri: sourceUri(maker.baseUrl, id, type) })) };
    default:
      return common;
  }
}

/** Returns the event types of a stored subscription. */
export function sourcesOf(body: Members): readonly string[] {
  const { sources } = body;
  return Array.isArray(sources) ? sources.map((source: Members) => String(source.type)) : [];
}

/** Adds both forms of the policy, or only the one of the module asked for. */
function withPolicy(body: Members, module?: string): Members {
  const kept = membersAt(body, 'policy');
  if (!kept) return body;
  return {
    ...body,
    ...(module !== 'traffic_policy' && { policy: policyObject(kept) ?? null }),
    ...(module !== 'policy' && { traffic_policy: policyText(kept) }),
  };
}

/** The metadata URL is also the entity id (part B, section 1.3). */
function withSamlUrls(body: Members, baseUrl: string, id: string): Members {
  const saml = membersAt(body, 'saml');
  if (!saml) return {};
  const metadata = `${baseUrl}/saml/${id}`;
  return {
    saml: {
      ...saml,
      entity_id: metadata,
      metadata_url: metadata,
      assertion_consumer_service_url: `${metadata}/acs`,
      single_logout_url: `${metadata}/slo`,
    },
  };
}

/** A cached response, valid while its record has this revision. */
export interface CachedAnswer {
  readonly revision: number;
  /** JSON in UTF-8, ready to send. */
  readonly text: Buffer;
  /** The secrets that cannot be decrypted. */
  readonly lacks?: readonly string[];
  /** The stamp of the store when the record was read; while it is unchanged, the response is valid. */
  readonly stamp: number | undefined;
}

/** A least-recently-used cache of responses. */
export interface AnswerCache {
  readonly get: (key: string) => CachedAnswer | undefined;
  readonly set: (key: string, answer: CachedAnswer) => void;
}

/** Creates a cache that holds at most `capacity` bytes. */
export function createAnswerCache(capacity: number): AnswerCache {
  const answers = new Map<string, CachedAnswer>();
  let size = 0;
  const drop = (key: string, { text }: CachedAnswer) => {
    answers.delete(key);
    size -= key.length + text.length;
  };
  return {
    get: key => {
      const found = answers.get(key);
      if (found) {
        answers.delete(key);
        answers.set(key, found);
      }
      return found;
    },
    set: (key, answer) => {
      const before = answers.get(key);
      if (before) drop(key, before);
      answers.set(key, answer);
      size += key.length + answer.text.length;
      for (const [oldest, value] of answers) {
        if (size <= capacity) break;
        drop(oldest, value);
      }
    },
  };
}

/** The inputs of computed fields. */
interface ComputedFieldInput {
  readonly body: Members;
  readonly settings: RuleSettings;
  /** The current time, RFC 3339. */
  readonly time: string;
}

const MADE: Partial<Record<RecordKindName, (making: ComputedFieldInput) => Members>> = {
  certificate_authority: ({ body }) => certificateDetails(stringAt(body, 'ca_pem') ?? ''),
  reserved_addr: ({ body, settings }) => ({
    // Random host names avoid collisions: with ports alone, the birthday paradox would cause one after about a hundred records.
    addr: `${randomBytes(8).toString('hex')}.${stringAt(body, 'region')}.tcp.${settings.host}:${randomInt(20_000, 30_000)}`,
  }),
  reserved_domain: ({ body, settings }) => ({
    cname_target: `${(stringAt(body, 'domain') ?? '').replaceAll('.', '-').replace('*', 'any')}.cname.${settings.host}`,
  }),
  endpoint: endpointFields,
};

const KEPT_FROM_CREATION = new Set<RecordKindName>(['certificate_authority', 'reserved_addr', 'reserved_domain']);

/** Returns the fields that the service computes when a record is created. */
export function fieldsAtCreation(kind: RecordKindName, making: ComputedFieldInput): Members {
  return MADE[kind]?.(making) ?? {};
}

/** Returns the fields that the service recomputes when a record changes. */
export function fieldsAtUpdate(kind: RecordKindName, making: ComputedFieldInput): Members {
  return KEPT_FROM_CREATION.has(kind) ? {} : fieldsAtCreation(kind, making);
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443', tls: '443' };

function endpointFields({ body, time }: ComputedFieldInput): Members {
  const url = new URL(stringAt(body, 'url') ?? '');
  const proto = url.protocol.slice(0, -1);
  const port = url.port === '' ? (DEFAULT_PORTS[proto] ?? '443') : url.port;
  return { updated_at: time, public_url: stringAt(body, 'url'), proto, hostport: `${url.hostname}:${port}` };
}

// Policies as they are stored: the object of `/policy` or the string of `/traffic_policy`.

/** Returns the form of `/policy`; undefined if the policy contains something that `/policy` cannot represent. */
function policyObject(kept: Members): Members | undefined {
  const { enabled, value, object } = kept;
  if (typeof value !== 'string') return kept;
  // Strings stored by earlier releases have no object form.
  const form = object === undefined ? objectForm(value) : object;
  return isMembers(form) ? { ...form, enabled: form.enabled !== false && enabled !== false } : undefined;
}

/** Returns the form of `/traffic_policy`. */
function policyText(kept: Members): Members {
  const { enabled = true, value, inbound = null, outbound = null } = kept;
  if (typeof value === 'string') return kept;
  const phases = { ...(inbound !== null && { inbound }), ...(outbound !== null && { outbound }) };
  return { enabled, value: JSON.stringify(phases) };
}

const PHASES = new Set(['enabled', 'inbound', 'outbound']);

/** Reads a policy that has been checked, so that its rules have the expected shape; undefined if `/policy` cannot represent it. */
export function objectForm(text: string): Members | undefined {
  const document: unknown = parse(text);
  if (!isMembers(document) || !Object.keys(document).every(key => PHASES.has(key))) return undefined;
  const { enabled, inbound, outbound } = document;
  return { enabled: enabled !== false, inbound: rules(inbound), outbound: rules(outbound) };
}

function rules(value: unknown): unknown {
  if (!Array.isArray(value)) return null;
  return value.filter(isMembers).map(({ name = '', expressions, actions }) => ({
    name,
    expressions: expressions ?? [],
    actions: Array.isArray(actions)
      ? actions.filter(isMembers).map(({ type, config }) => ({ type, config: config ?? null }))
      : [],
  }));
}
