import type { Operation } from '@tollgate/edge-api';
import { recordChange } from '../records/change-record.ts';
import { convertingConflicts } from '../records/conflicts.ts';
import type { ApiAnswer, ApiRequest, ServiceContext } from '../records/context.ts';
import { publishChange } from '../records/events.ts';
import { familyOf } from './change.ts';
import { requireRevision, requireTarget } from './target.ts';

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
