/** Limits on what readers hold in memory. */
export interface TrafficLimits {
  /** Bytes of a HAR entry without its bodies; a larger one is skipped without being buffered. */
  readonly maxHarEntryBytes: number;
  /** UTF-16 units of a log line; a longer one is skipped without being buffered. */
  readonly maxLineLength: number;
}

/** The default limits. */
export const DEFAULT_TRAFFIC_LIMITS: TrafficLimits = {
  // Images in `data:` URLs are the largest values that browsers record.
  maxHarEntryBytes: 16 * 1024 * 1024,
  // Servers reject requests with more than 8 to 64 kB of headers; a log line contains some of them, with escapes up to four times as long.
  maxLineLength: 256 * 1024,
};
