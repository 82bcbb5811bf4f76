// Signatures of webhooks, and why a delivery failed.

import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header with the time of signing, in seconds since 1970. */
export const TIMESTAMP_HEADER = 'tollgate-timestamp';
/** The header with `v1=` and the hexadecimal HMAC-SHA256 of the timestamp, a period and the body. */
export const SIGNATURE_HEADER = 'tollgate-signature';

/** Returns the value of the signature header. */
export function signWebhook(secret: string, timestamp: number, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

/** A webhook as received. */
interface ReceivedWebhook {
  readonly body: string;
  /** Values of {@link TIMESTAMP_HEADER} and {@link SIGNATURE_HEADER}. */
  readonly timestamp: string;
  readonly signature: string;
}

/** The current time in seconds since 1970, and the maximum age of a webhook in seconds. */
interface Freshness {
  readonly now: number;
  readonly tolerance: number;
}

/**
 * Returns true if a webhook was signed with the secret recently; an old one could be a replay. Compares in constant time. For receivers.
 */
export function verifyWebhook(secret: string, received: ReceivedWebhook, { now, tolerance }: Freshness): boolean {
  const timestamp = Number(received.timestamp);
  if (!Number.isInteger(timestamp) || Math.abs(now - timestamp) > tolerance) return false;
  const expected = Buffer.from(signWebhook(secret, timestamp, received.body));
  const found = Buffer.from(received.signature);
  return expected.length === found.length && timingSafeEqual(expected, found);
}

/** A failed delivery of an event. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** Whether retrying is pointless. */
  readonly isFinal: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isFinal?: boolean } = {}) {
    super(message, options);
    this.isFinal = options.isFinal ?? false;
  }
}
