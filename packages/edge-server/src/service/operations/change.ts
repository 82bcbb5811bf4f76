import type { Operation, Path, RecordKindName } from '@tollgate/edge-api';
import { notFound } from '../../api/api-error.ts';
import { type Members, parseBody } from '../../api/members.ts';
import type { Family, RecordReader, RecordWriter, StoredRecord } from '../../store/port/store.ts';
import { beginTurn } from '../../threads/begin-turn.ts';
import { openableBody, sourcesOf } from '../records/answer.ts';
import { recordChange } from '../records/change-record.ts';
import { convertingConflicts } from '../records/conflicts.ts';
import type { ApiAnswer, ApiRequest, ServiceContext } from '../records/context.ts';
import { publishChange } from '../records/events.ts';
import { showsMembers } from '../records/record-kinds.ts';
import { checkDraft, type Draft, draftReferences, storedForm } from './draft.ts';
import { requireRevision, requireTarget } from './target.ts';
import { writeOnce } from './write-once.ts';

/** A change to an existing record. */
interface Change {
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
export async function changeRecord(context: ServiceContext, change: Change): Promise<ApiAnswer> {
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
