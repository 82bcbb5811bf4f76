/** Bodies: those of requests, which adapters read only where a decision needs them, and those of answers. */
import type { Exchange } from '@tollgate/traffic';
import type { Enforcer } from './enforcer.ts';
import type { Answer } from './wire.ts';

/** The size of the largest body that is read, in bytes. With a larger one, what depends on the body is undetermined. */
export const MAX_BODY = 1_048_576;

/** Whether a request is decided only with its body: if it has a signature that the policy verifies. */
export function needsBody({ signatureHeaders }: Enforcer, { requestHeaders }: Exchange): boolean {
  if (signatureHeaders === undefined) return false;
  const { fields, unclear } = requestHeaders;
  return (
    fields.some(({ name }) => signatureHeaders.has(name.toLowerCase())) ||
    [...(unclear?.keys() ?? [])].some(name => signatureHeaders.has(name.toLowerCase()))
  );
}

/** Returns the body that an answer is sent with: some statuses have none (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export function sentBody({ status, body }: Answer): string {
  return status === 204 || status === 205 || status === 304 ? '' : body;
}

/** Returns one array with the bytes of several. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
