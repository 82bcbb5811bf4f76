// Creates, updates and removes records, and replaces and removes their modules.

import { type Operation, RECORD_KINDS, type RecordKindName } from '@tollgate/edge-api';
import { type Members, notFound, stringAt } from '../api-error.ts';
import { hashToken, makeToken } from '../security/api-keys.ts';
import { toTimestamp } from '../security/certificate-details.ts';
import type { RecordWriter, StoredRecord } from '../store/store.ts';
import { beginTurn } from '../thread-pool.ts';
import { fieldsAtCreation, fieldsAtUpdate, moduleAnswer, recordAnswer, shapeOfRecord, sourcesOf } from './answers.ts';
import {
  changeRecord,
  checkDraft,
  type Draft,
  draftReferences,
  familyOf,
  requireRevision,
  requireTarget,
  storedForm,
} from './change.ts';
import { type ApiAnswer, type ApiRequest, parentKey, type ServiceContext } from './context.ts';
import { convertingConflicts, publishChange, recordChange } from './record-changes.ts';
import type { ValidBody } from './request-body.ts';
import { withKnownUrls } from './shape-walk.ts';
import { writeOnce } from './write-once.ts';

/** Creates a record. */
export async function createRecord(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
  { value }: ValidBody,
): Promise<ApiAnswer> {
  const kind = operation.record as RecordKindName;
  const ksuid = context.newKsuid();
  const token = kind === 'api_key' ? makeToken(ksuid) : undefined;
  const time = toTimestamp(new Date(context.now()));
  const made = fieldsAtCreation(kind, { body: value, settings: context.rules, time });
  const after = { ...value, ...made, ...(token !== undefined && keyFields(token)) };
  const id = `${RECORD_KINDS[kind].prefix}_${ksuid}`;
  const draft: Draft = { id, kind, parentId: parentOf(kind, request, value), before: undefined, after, given: value };
  const work = async (writer: RecordWriter): Promise<ApiAnswer> => {
    const pause = beginTurn();
    await requireParent(writer, request, draft);
    await checkDraft(context, writer, draft);
    const record = await insert(context, writer, draft, time);
    await recordChange(context, writer, request, { before: undefined, after: record });
    await pause();
    const family = { record, members: [] };
    await publishChange(context, writer, { operation, request, resourceId: id, family: () => family });
    await pause();
    const answer = recordAnswer({ box: context.box, baseUrl: request.baseUrl }, family);
    return { status: 201, text: JSON.stringify(token === undefined ? answer : { ...answer, token }), revision: 1 };
  };
  return await convertingConflicts(() => writeOnce(context, request, operation, work), draftReferences(draft));
}

async function insert(
  context: ServiceContext,
  writer: RecordWriter,
  draft: Draft,
  createdAt: string,
): Promise<StoredRecord> {
  const { id, kind, parentId, after } = draft;
  const { body, refs = [], claims = [] } = storedForm(context, draft);
  await writer.insert({ id, kind, parentId, createdAt, body, refs, claims });
  if (kind === 'event_subscription') await writer.setSources(id, sourcesOf(after));
  return { id, kind, parentId, createdAt, body, revision: 1 };
}

/** Keys created through the API can read and write; admin keys are created on the command line. */
function keyFields(token: string): Members {
  return { hash: hashToken(token), scopes: ['read', 'write'], expires_at: null };
}

function parentOf(kind: RecordKindName, { path }: ApiRequest, body: Members): string | null {
  const key = parentKey(kind);
  return key === undefined ? null : (path[key] ?? stringAt(body, key) ?? null);
}

/** A parent in the path must exist. A parent in the body is a reference, which is checked with the others. */
async function requireParent(writer: RecordWriter, { path }: ApiRequest, { kind, parentId }: Draft): Promise<void> {
  const key = parentKey(kind);
  if (key === undefined || path[key] === undefined || parentId === null) return;
  if (!(await writer.lock(parentId))) throw notFound();
}

/** Changes the fields given in the request. Modules are replaced as a whole (part A, section 4.5). */
export async function updateRecord(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
  { value }: ValidBody,
): Promise<ApiAnswer> {
  const kind = operation.record as RecordKindName;
  const time = toTimestamp(new Date(context.now()));
  const change = (before: Members): Members => {
    const body = withKnownUrls(shapeOfRecord({ kind }), before, { ...before, ...value });
    return { ...body, ...fieldsAtUpdate(kind, { body, settings: context.rules, time }) };
  };
  return await changeRecord(context, {
    operation,
    request,
    kind,
    id: request.path.id!,
    change,
    given: value,
    answer: async (_, family) => {
      const whole = await family();
      const answer = recordAnswer({ box: context.box, baseUrl: request.baseUrl }, whole);
      return { status: operation.success, text: JSON.stringify(answer), revision: whole.record.revision };
    },
  });
}

/** Replaces a module. */
export async function replaceModule(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
  { value, at }: ValidBody,
): Promise<ApiAnswer> {
  const given = { [keptField(operation)]: value };
  return await changeRecord(context, {
    operation,
    request,
    kind: operation.record as RecordKindName,
    id: request.path.id!,
    change: before => ({ ...before, ...given }),
    given,
    moduleAt: at,
    answer: record => {
      const maker = { box: context.box, baseUrl: request.baseUrl };
      const answer = moduleAnswer(maker, record, { field: operation.field!, shape: operation.answer! });
      return { status: operation.success, text: JSON.stringify(answer), revision: record.revision };
    },
  });
}

/** Removes a module; succeeds if there is none. */
export async function deleteModule(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
): Promise<ApiAnswer> {
  return await changeRecord(context, {
    operation,
    request,
    kind: operation.record as RecordKindName,
    id: request.path.id!,
    change: before => ({ ...before, [keptField(operation)]: null }),
    given: {},
    answer: ({ revision }) => ({ status: operation.success, text: undefined, revision }),
  });
}

/** Returns the record field that stores a module. Both forms of a policy share one field. */
function keptField({ field, record }: Operation): string {
  if (field === undefined) throw notFound();
  return field === 'traffic_policy' && record !== 'endpoint' ? 'policy' : field;
}

/** Deletes a record and everything that belongs to it, unless another record refers to it. */
export async function removeRecord(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
): Promise<ApiAnswer> {
  const id = request.path.id!;
  const work = () =>
    context.store.write(async writer => {
      const record = requireTarget(await writer.lock(id), operation, request);
      requireRevision(record, request);
      await publishChange(context, writer, {
        operation,
        request,
        resourceId: id,
        family: () => familyOf(writer, record),
      });
      await recordChange(context, writer, request, { before: record, after: undefined });
      await writer.remove(id);
      return { status: operation.success, text: undefined, revision: undefined };
    });
  return await convertingConflicts(work);
}
