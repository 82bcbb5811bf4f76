import { ExternalError, printable } from '@tollgate/diagnostics';
import type { Exchange } from './exchange.ts';
import type { ExchangeRows } from './exchange-rows.ts';
import { formatPlace, type Place } from './place.ts';

/** A stretch of recorded traffic, as readers give it: small enough to be held, large enough to cost little. */
export interface TrafficBatch {
  /** Where there are rows, to be asked for before the next batch. */
  readonly exchanges: readonly Exchange[];
  readonly skipped: readonly SkippedRecord[];
  /** The same exchanges, where a reader gives them in a way that takes less time than to make each of them. */
  readonly rows?: ExchangeRows;
}

/** A record that is no exchange. Readers go on after it. */
export interface SkippedRecord {
  readonly place: Place;
  readonly reason: SkipReason;
  /** The beginning of the record. */
  readonly excerpt: string;
  /** Of the first few lines that are not of their format: where they break it, and what was expected there. */
  readonly detail?: string;
}

/** Why a record is no exchange; tools decide by it. */
export type SkipReason = keyof typeof SKIP_REASONS;

/** Why records are skipped, in words for people. */
export const SKIP_REASONS = {
  'traffic/malformed-line': 'not a line of the log format',
  'traffic/line-too-long': 'line too long',
  'traffic/not-utf-8': 'not in UTF-8',
  'traffic/nul-byte': 'a byte in it is zero',
  'traffic/malformed-json': 'not a JSON object',
  'traffic/malformed-row': 'not a row of as many fields as there are columns',
  'traffic/no-fields': 'nothing in it is a field of an exchange',
  'traffic/no-request': 'no HTTP request was received',
  'traffic/malformed-entry': 'not a HAR entry with a request',
  'traffic/entry-too-large': 'HAR entry too large',
  'traffic/not-http': 'not an HTTP request',
  'traffic/served-from-cache': 'answered by the browser’s own cache',
} as const;

/** UTF-16 units of a skipped record that are kept. */
const EXCERPT_LENGTH = 120;

/** Gives the beginning of a record's text, control characters made visible, for showing to people. */
export function excerptOf(text: string): string {
  const start = printable(text.slice(0, EXCERPT_LENGTH));
  return text.length > EXCERPT_LENGTH ? `${start}…` : start;
}

/** What readers give that is fine as it is, though it is no exchange: a strict reader takes it. */
const FINE: ReadonlySet<SkipReason> = new Set([
  'traffic/no-request',
  'traffic/not-http',
  'traffic/served-from-cache',
] as const);

/** Throws a {@link ExternalError} with the first record of a batch that could not be read. */
export function refuseUnreadable({ skipped }: TrafficBatch): void {
  const record = skipped.find(({ reason }) => !FINE.has(reason));
  if (record === undefined) return;
  const { place, reason, excerpt, detail } = record;
  const why = detail === undefined ? `${SKIP_REASONS[reason]}: ${excerpt}` : `${SKIP_REASONS[reason]}, ${detail}`;
  const message = `\`${formatPlace(place)}\` cannot be read: ${why}`;
  throw new ExternalError(UNREADABLE_RECORD, message);
}

/** The code of what a strict reader throws. Whoever reads several files stops at it. */
export const UNREADABLE_RECORD = 'traffic/unreadable-record';
