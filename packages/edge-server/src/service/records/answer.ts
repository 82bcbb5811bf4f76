import { kindOfIdentifier, pathOfIdentifier, RECORD_KINDS, type RecordKindName, toAnswer } from '@tollgate/edge-api';
import { type Members, membersAt, parseBody } from '../../api/members.ts';
import type { Family, StoredRecord } from '../../store/port/store.ts';
import type { ServiceContext } from './context.ts';
import { policyForms } from './policy-form.ts';
import { SHAPE_OF_RECORD } from './record-facts.ts';
import { changeSecrets } from './shape-walk.ts';

/** What answers are made with. */
export interface AnswerMaker extends Pick<ServiceContext, 'box'> {
  readonly baseUrl: string;
  /** Secrets are left out, not shown: for what leaves the service unasked. */
  readonly withoutSecrets?: boolean;
}

/** A record as the API shows it. */
export function recordAnswer(maker: AnswerMaker, { record, members }: Family): Members {
  return toAnswer(shapeOfRecord(record), answerable(maker, record, members), { uriOf: id => uriOf(maker.baseUrl, id) });
}

/** A module of a record as the API shows it; undefined when it is not configured. */
export function moduleAnswer(maker: AnswerMaker, record: StoredRecord, module: ModuleName): Members | undefined {
  const kept = membersAt(answerable(maker, record, [], module.field), module.field);
  return kept && toAnswer(module.shape, kept, { uriOf: id => uriOf(maker.baseUrl, id) });
}

/** A module by its field, and the shape of its answer. */
export interface ModuleName {
  readonly field: string;
  readonly shape: string;
}

/** The URI of an event source. */
export function sourceUri(baseUrl: string, subscriptionId: string, type: string): string {
  return `${uriOf(baseUrl, subscriptionId)}/sources/${type}`;
}

/** The absolute URI of a record; of a route, its edge must be given. */
export function uriOf(baseUrl: string, id: string, parentId?: string | null): string {
  const kind = kindOfIdentifier(id);
  const path = pathOfIdentifier(id) ?? (kind && RECORD_KINDS[kind].path) ?? `/${id}`;
  return `${baseUrl}${path.replace('{edge_id}', parentId ?? '').replace('{id}', id)}`;
}

/** The shape of a stored record. */
export function shapeOfRecord({ kind }: Pick<StoredRecord, 'kind'>): string {
  return SHAPE_OF_RECORD.get(kind)!;
}

/** A stored body with its secrets readable. */
export function openedBody({ box }: Pick<ServiceContext, 'box'>, record: StoredRecord): Members {
  return changeSecrets(shapeOfRecord(record), parseBody(record.body), (sealed, place) =>
    box.open(sealed, `${record.id}${place}`),
  );
}

/** What is kept, with what the service makes of it: all that an answer is put together from. */
function answerable(maker: AnswerMaker, record: StoredRecord, members: readonly StoredRecord[], as?: string): Members {
  const { id, kind, parentId, createdAt } = record;
  const opened = maker.withoutSecrets
    ? changeSecrets(shapeOfRecord(record), parseBody(record.body), () => undefined)
    : openedBody(maker, record);
  const uri = uriOf(maker.baseUrl, id, parentId);
  const common = { ...withPolicy(opened, as), id, uri, created_at: createdAt };
  switch (kind as RecordKindName) {
    case 'https_edge':
      return { ...common, routes: members.map(member => answerable(maker, member, [])) };
    case 'https_edge_route':
      return { ...common, edge_id: parentId, ...withSamlUrls(common, maker.baseUrl, id) };
    case 'ip_policy_rule':
      return { ...common, ip_policy_id: parentId };
    case 'event_subscription':
      return { ...common, sources: sourcesOf(opened).map(type => ({ type, uri: sourceUri(maker.baseUrl, id, type) })) };
    default:
      return common;
  }
}

/** The event types of a subscription's kept body. */
export function sourcesOf(body: Members): readonly string[] {
  const { sources } = body;
  return Array.isArray(sources) ? sources.map((source: Members) => String(source.type)) : [];
}

function withPolicy(body: Members, as = 'policy'): Members {
  const kept = membersAt(body, 'policy');
  if (!kept) return body;
  const { object, text } = policyForms(kept);
  return as === 'traffic_policy' ? { ...body, traffic_policy: text } : { ...body, policy: object ?? null };
}

/** Part B, section 1.3: the metadata URL is the entity id. */
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
