import { ExternalError, printable } from '@tollgate/diagnostics';
import type { Exchange } from './exchange.ts';
import { formatLocation, type RecordLocation } from './record-location.ts';

/** A batch of recorded traffic: small enough to be held in memory, large enough to be efficient. */
export interface TrafficBatch {
  readonly exchanges: readonly Exchange[];
  readonly skipped: readonly SkippedRecord[];
}

/** A record that is not an exchange. Readers continue after it. */
export interface SkippedRecord {
  readonly place: RecordLocation;
  readonly reason: SkipReason;
  /** The beginning of the record. */
  readonly excerpt: string;
  /** Where the record breaks the format, and what was expected there; only for the first few such records. */
  readonly detail?: string;
}

/** Why a record was skipped; a stable code for tools. */
export type SkipReason = keyof typeof SKIP_REASONS;

/** Descriptions of the reasons for skipping records. */
export const SKIP_REASONS = {
  'traffic/malformed-line': 'not a line of the log format',
  'traffic/line-too-long': 'line too long',
  'traffic/not-utf-8': 'invalid UTF-8',
  'traffic/nul-byte': 'contains a NUL byte',
  'traffic/malformed-json': 'not a JSON object',
  'traffic/malformed-row': 'malformed row',
  'traffic/open-quote': 'part of a field whose quote is not closed',
  'traffic/no-fields': 'no known field',
  'traffic/no-request': 'no HTTP request received',
  'traffic/malformed-entry': 'not a HAR entry with a request',
  'traffic/entry-too-large': 'HAR entry too large',
  'traffic/not-http': 'not an HTTP request',
  'traffic/served-from-cache': 'served from the browser cache',
} as const;

/** The number of UTF-16 units of a skipped record that are kept. */
const EXCERPT_LENGTH = 120;

/** Returns the beginning of a record for display, with control characters made visible. */
export function excerptOf(text: string): string {
  const start = printable(text.slice(0, EXCERPT_LENGTH));
  return text.length > EXCERPT_LENGTH ? `${start}…` : start;
}

/** Skipped records that are not faults: a strict reader accepts them. */
const FINE: ReadonlySet<SkipReason> = new Set([
  'traffic/no-request',
  'traffic/not-http',
  'traffic/served-from-cache',
] as const);

/** Throws an {@link ExternalError} for the first record of a batch that could not be read. */
export function refuseUnreadable({ skipped }: TrafficBatch): void {
  const record = skipped.find(({ reason }) => !FINE.has(reason));
  if (record === undefined) return;
  const { place, reason, excerpt, detail } = record;
  const why = detail === undefined ? `${SKIP_REASONS[reason]}: ${excerpt}` : `${SKIP_REASONS[reason]}, ${detail}`;
  const message = `\`${formatLocation(place)}\` cannot be read: ${why}`;
  throw new ExternalError(UNREADABLE_RECORD, message);
}

/** The code of the error that a strict reader throws. A reader of several files stops at it. */
export const UNREADABLE_RECORD = 'traffic/unreadable-record';
