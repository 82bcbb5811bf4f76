import { createHmac, timingSafeEqual } from 'node:crypto';

/** Header with the second that a webhook was signed in, since 1970. */
export const TIMESTAMP_HEADER = 'tollgate-timestamp';
/** Header with `v1=` and the HMAC-SHA256 of the timestamp, a period and the body, in hex. */
export const SIGNATURE_HEADER = 'tollgate-signature';

/** What a receiver compares the signature header with. */
export function signWebhook(secret: string, timestamp: number, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

/** A webhook as its receiver has it. */
export interface ReceivedWebhook {
  readonly body: string;
  /** Values of {@link TIMESTAMP_HEADER} and {@link SIGNATURE_HEADER}. */
  readonly timestamp: string;
  readonly signature: string;
}

/** How old a webhook may be and when it is, in seconds since 1970. */
export interface Freshness {
  readonly now: number;
  readonly tolerance: number;
}

/**
 * Whether a webhook was signed with the secret, not long ago: an old one may be one that somebody has recorded. For
 * receivers; compares in constant time.
 */
export function verifyWebhook(secret: string, received: ReceivedWebhook, { now, tolerance }: Freshness): boolean {
  const timestamp = Number(received.timestamp);
  if (!Number.isInteger(timestamp) || Math.abs(now - timestamp) > tolerance) return false;
  const expected = Buffer.from(signWebhook(secret, timestamp, received.body));
  const found = Buffer.from(received.signature);
  return expected.length === found.length && timingSafeEqual(expected, found);
}
