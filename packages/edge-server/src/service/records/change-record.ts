import type { RecordKindName } from '@tollgate/edge-api';
import { type Members, parseBody } from '../../api/members.ts';
import type { RecordWriter, StoredRecord } from '../../store/port/store.ts';
import { recordAnswer } from './answer.ts';
import type { ApiRequest, ServiceContext } from './context.ts';
import { SHAPE_OF_RECORD } from './record-kinds.ts';
import { changeSecrets } from './shape-walk.ts';

/** A change of a record. */
interface Change {
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
  change: Change,
): Promise<void> {
  const { before, after } = change;
  const record = (after ?? before)!;
  const detail = JSON.stringify(detailOf(context, change));
  const who = { keyId: principal.keyId, requestId, address };
  await writer.record({ at: context.now(), operation: id, resourceId: record.id, ...who, detail });
}

function detailOf(context: Pick<ServiceContext, 'box'>, { before, after }: Change): Members {
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
