// Answers that are kept, so that a repeated request is done once.

import { createHash } from 'node:crypto';
import type { Operation } from '@tollgate/edge-api';
import { ApiError } from '../api-error.ts';
import type { RecordWriter } from '../store/store.ts';
import type { ApiAnswer, ApiRequest, ServiceContext } from './context.ts';

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
