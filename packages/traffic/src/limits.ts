/** Bounds on what readers hold in memory. */
export interface TrafficLimits {
  /** Bytes of a HAR file, after decompression; it is read whole, because one JSON value cannot be streamed. */
  readonly maxHarBytes: number;
  /** UTF-16 units of a log's line; a longer one is skipped without being held. */
  readonly maxLineLength: number;
}

/** What applies when a reader is given no limits. */
export const DEFAULT_TRAFFIC_LIMITS: TrafficLimits = {
  // V8 holds no string of 512 MiB, and parsing takes several times the text.
  maxHarBytes: 256 * 1024 * 1024,
  // Servers refuse requests of more than 8 to 64 kB of header; a log line holds some of those, escaped to up to four times.
  maxLineLength: 256 * 1024,
};
