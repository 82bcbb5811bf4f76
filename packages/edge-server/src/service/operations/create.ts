import { type Operation, RECORD_KINDS, type RecordKindName } from '@tollgate/edge-api';
import { notFound } from '../../api/api-error.ts';
import { toTimestamp } from '../../api/certificate-details.ts';
import { type Members, stringAt } from '../../api/members.ts';
import { hashToken, makeToken } from '../../security/token.ts';
import type { RecordWriter, StoredRecord } from '../../store/port/store.ts';
import { beginTurn } from '../../threads/begin-turn.ts';
import { recordAnswer, sourcesOf } from '../records/answer.ts';
import { recordChange } from '../records/change-record.ts';
import { fieldsAtCreation } from '../records/computed-fields.ts';
import { convertingConflicts } from '../records/conflicts.ts';
import type { ApiAnswer, ApiRequest, ServiceContext } from '../records/context.ts';
import { publishChange } from '../records/events.ts';
import { parentKey } from '../records/record-kinds.ts';
import type { ValidBody } from '../requests/request-body.ts';
import { checkDraft, type Draft, draftReferences, storedForm } from './draft.ts';
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
