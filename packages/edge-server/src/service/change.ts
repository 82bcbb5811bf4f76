// Changes of existing records: the record, its revision, and the draft that is checked before it is stored.

import { createHash } from 'node:crypto';
import { type Operation, type Path, RECORD_KINDS, type RecordKindName } from '@tollgate/edge-api';
import { ApiError, type Members, notFound, parseBody, refuseAny, refused } from '../api-error.ts';
import type { Claim, Family, RecordReader, RecordWriter, StoredRecord } from '../store/store.ts';
import { beginTurn } from '../thread-pool.ts';
import { openableBody, sourcesOf } from './answers.ts';
import {
  type ApiAnswer,
  type ApiRequest,
  parentKey,
  type ServiceContext,
  SHAPE_OF_RECORD,
  showsMembers,
} from './context.ts';
import {
  claimsOf,
  convertingConflicts,
  missingReferences,
  publishChange,
  recordChange,
  takenClaims,
} from './record-changes.ts';
import { rulesOf } from './rules.ts';
import { changeSecrets, type FoundReference, referencesIn, secretAt } from './shape-walk.ts';

/** A change to an existing record. */
interface RequestedChange {
  readonly operation: Operation;
  readonly request: ApiRequest;
  readonly kind: RecordKindName;
  readonly id: string;
  /** Returns the new body of the record. */
  readonly change: (before: Members) => Members;
  /** The part of the new record whose references must be checked. */
  readonly given: Members;
  readonly moduleAt?: Path;
  readonly answer: (record: StoredRecord, family: () => Promise<Family>) => ApiAnswer | Promise<ApiAnswer>;
}

/** Reads, changes, checks and writes a record in one transaction, under a lock, so that concurrent changes to other parts are kept. */
export async function changeRecord(context: ServiceContext, change: RequestedChange): Promise<ApiAnswer> {
  const { operation, request, kind, id, given, moduleAt } = change;
  const work = async (writer: RecordWriter): Promise<ApiAnswer> => {
    const pause = beginTurn();
    const record = requireTarget(await writer.lock(id), operation, request);
    requireRevision(record, request);
    const before = openableBody(context, record);
    const after = change.change(before);
    const draft: Draft = {
      id,
      kind,
      parentId: record.parentId,
      before,
      after,
      given,
      moduleAt,
      stored: parseBody(record.body),
    };
    await checkDraft(context, writer, draft);
    await pause();
    const form = storedForm(context, draft);
    const revision = await writer.update({ id, ...form });
    await pause();
    if (kind === 'event_subscription') await writer.setSources(id, sourcesOf(draft.after));
    const changed = { ...record, body: form.body, revision };
    await recordChange(context, writer, request, { before: record, after: changed });
    const family = () => familyOf(writer, changed);
    await publishChange(context, writer, { operation, request, resourceId: id, family });
    await pause();
    return await change.answer(changed, family);
  };
  const draft: Draft = { id, kind, parentId: null, before: undefined, after: given, given, moduleAt };
  return await convertingConflicts(() => writeOnce(context, request, operation, work), draftReferences(draft));
}

/** Returns a record with the records that its response includes. */
export async function familyOf(reader: RecordReader, record: StoredRecord): Promise<Family> {
  if (!showsMembers(record.kind)) return { record, members: [] };
  const family = await reader.family(record.id);
  if (!family) throw notFound();
  return family;
}

/** A record that is about to be written. */
export interface Draft {
  readonly id: string;
  readonly kind: RecordKindName;
  readonly parentId: string | null;
  /** The current body with secrets decrypted where that is possible; undefined for a new record. */
  readonly before: Members | undefined;
  /** The current body as it is stored. */
  readonly stored?: Members;
  /** The new body with secrets decrypted. */
  readonly after: Members;
  /** The part of the new body given in the request, whose references are checked. */
  readonly given: Members;
  /** The path of the module in the body as sent; undefined if the request gives fields of the record. */
  readonly moduleAt?: Path | undefined;
}

/** Checks references, then the rules between records. @throws ApiError */
export async function checkDraft(context: ServiceContext, writer: RecordWriter, draft: Draft): Promise<void> {
  refuseAny(await missingReferences(writer, draftReferences(draft)));
  const { id, kind, parentId, before, after } = draft;
  const faults = [...(await takenClaims(writer, newClaims(draft), id))];
  const proposal = { id, parentId, before, after, reader: writer, settings: context.rules };
  for (const rule of rulesOf(kind)) faults.push(...(await rule(proposal)));
  refuseAny(faults);
}

/** Returns the references in the request. */
export function draftReferences({ kind, given, moduleAt }: Draft): readonly FoundReference[] {
  const found = referencesIn(SHAPE_OF_RECORD.get(kind)!, given);
  if (!moduleAt) return found;
  return found.map(one => ({ ...one, path: [...moduleAt, ...one.path.slice(1)] }));
}

/** A draft in stored form. References and claims are undefined if unchanged. */
interface StoredForm {
  readonly body: string;
  readonly refs?: readonly string[];
  readonly claims?: readonly Claim[];
}

/** Returns a draft in stored form, with secrets encrypted. */
export function storedForm({ box }: Pick<ServiceContext, 'box'>, draft: Draft): StoredForm {
  const { id, kind, before, after, stored } = draft;
  const shape = SHAPE_OF_RECORD.get(kind)!;
  const sealed = changeSecrets(shape, after, (secret, place) => {
    // Also one that cannot be decrypted: its key may be found again.
    const kept = stored && before && secretAt(before, place) === secret ? secretAt(stored, place) : undefined;
    return typeof kept === 'string' && box.isSealed(kept) ? kept : box.seal(secret, `${id}${place}`);
  });
  const refs = refsOf(kind, after);
  const sameRefs = before !== undefined && refs.join() === refsOf(kind, before).join();
  return {
    body: JSON.stringify(sealed),
    ...(!sameRefs && { refs }),
    ...(!sameClaims(draft) && { claims: claimsOf(kind, after, draft.parentId) }),
  };
}

/** Returns the ids that a record refers to, except its parent, with which it is deleted. */
function refsOf(kind: RecordKindName, body: Members): readonly string[] {
  const parent = parentKey(kind);
  const references = referencesIn(SHAPE_OF_RECORD.get(kind)!, body);
  return references.filter(({ path }) => path[0] !== parent).map(({ id }) => id);
}

function newClaims(draft: Draft): readonly Claim[] {
  return sameClaims(draft) ? [] : claimsOf(draft.kind, draft.after, draft.parentId);
}

function sameClaims({ kind, parentId, before, after }: Draft): boolean {
  if (!before) return false;
  const text = (body: Members) => JSON.stringify(claimsOf(kind, body, parentId));
  return text(before) === text(after);
}

/** Checks that every identifier in the path has the right kind. @throws ApiError */
export function checkPath({ record }: Operation, { path }: Pick<ApiRequest, 'path'>): void {
  const kind = record === 'event_source' ? 'event_subscription' : record;
  for (const [name, expected] of [
    ['id', kind],
    ['edge_id', 'https_edge'],
    ['subscription_id', 'event_subscription'],
  ] as const) {
    const value = path[name];
    if (value !== undefined) checkIdentifier(value, expected);
  }
}

function checkIdentifier(value: string, kind: RecordKindName): void {
  const { prefix, noun } = RECORD_KINDS[kind];
  const isValid = value.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{27}$/.test(value.slice(prefix.length + 1));
  if (!isValid) throw refused(222, { value: value.slice(0, 100), expected: noun });
}

/** Returns the record of the path, which must exist below the parent in the path. @throws ApiError */
export function requireTarget(
  record: StoredRecord | undefined,
  { record: kind }: Operation,
  request: ApiRequest,
): StoredRecord {
  if (!record) throw notFound();
  const key = kind === 'event_source' ? undefined : parentKey(kind);
  const parent = key === undefined ? undefined : request.path[key];
  if (key !== undefined && parent !== undefined && parent !== record.parentId) {
    throw refused(7110, { value: parent, expected: record.parentId ?? '' }, key);
  }
  return record;
}

/** Checks the record against `If-Match`. @throws ApiError */
export function requireRevision({ revision }: StoredRecord, { ifMatch }: ApiRequest): void {
  if (ifMatch === undefined || ifMatch === '*') return;
  const tags = ifMatch
    .split(',')
    .map(tag => tag.trim())
    .filter(tag => tag !== '');
  if (tags.length === 0) throw new ApiError({ kind: 'plain', error: 'empty-precondition' });
  if (!tags.includes(etagOf(revision))) throw new ApiError({ kind: 'plain', error: 'precondition-failed' });
}

/** Returns the entity tag of a revision. */
export function etagOf(revision: number): string {
  return `"${revision}"`;
}

// Answers that are kept, so that a repeated request is done once.

/** How long answers are kept, in milliseconds. */
export const ANSWERS_KEPT = 24 * 60 * 60 * 1000;

/**
 * Runs work in a transaction. If the request is a creation with an idempotency key, its answer is kept in the same transaction, and a
 * request with the same key gets it instead of running again. Refused requests leave no answer, so they run again.
 */
export async function writeOnce(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
  work: (writer: RecordWriter) => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  const { store, box, now } = context;
  const { idempotencyKey } = request;
  if (idempotencyKey === undefined || operation.kind !== 'create') return await store.write(work);
  const key = `${request.principal.keyId} ${idempotencyKey}`;
  const place = `answer ${key}`;
  const fingerprint = fingerprintOf(request);
  return await store.write(async writer => {
    const kept = await writer.reserveAnswer(key, now() - ANSWERS_KEPT);
    if (kept) {
      if (kept.fingerprint !== fingerprint) throw new ApiError({ kind: 'plain', error: 'idempotency-key-reused' });
      const { status, body, revision } = kept;
      const opened = box.tryOpen(body, place);
      if (!('secret' in opened)) throw new ApiError({ kind: 'plain', error: 'idempotent-answer-unreadable' });
      return { status, text: opened.secret, revision: revision ?? undefined, isReplayed: true };
    }
    const answer = await work(writer);
    const { status, text = '', revision = null } = answer;
    await writer.keepAnswer(key, { fingerprint, status, body: box.seal(String(text), place), revision });
    return answer;
  });
}

function fingerprintOf({ id, path, text }: ApiRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([id, path, text]))
    .digest('base64');
}
