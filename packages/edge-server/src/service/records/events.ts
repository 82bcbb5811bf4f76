import { eventTypeOf, type Operation } from '@tollgate/edge-api';
import type { Family, RecordWriter } from '../../store/port/store.ts';
import { recordAnswer, uriOf } from './answer.ts';
import type { ApiRequest, ServiceContext } from './context.ts';

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
