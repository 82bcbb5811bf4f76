/** Bounds on what readers hold in memory. */
export interface TrafficLimits {
  /** Bytes of what is read of one entry of a HAR file: URL, headers and the like, no body; a larger one is skipped without being held. */
  readonly maxHarEntryBytes: number;
  /** UTF-16 units of a log's line; a longer one is skipped without being held. */
  readonly maxLineLength: number;
}

/** What applies when a reader is given no limits. */
export const DEFAULT_TRAFFIC_LIMITS: TrafficLimits = {
  // Images in `data:` URLs are the largest that browsers record.
  maxHarEntryBytes: 16 * 1024 * 1024,
  // Servers refuse requests of more than 8 to 64 kB of header; a log line holds some of those, escaped to up to four times.
  maxLineLength: 256 * 1024,
};
