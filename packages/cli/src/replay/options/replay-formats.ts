/** The report formats of a replay, with their descriptions. */
export const REPLAY_FORMATS = {
  text: 'for people, on a terminal',
  json: 'all figures in one document',
  ndjson: 'JSON lines: one for each decision, and a last one with all figures',
  csv: 'one row per rule',
  decisions: 'CSV: one row for each decision',
  markdown: 'for pull requests and wikis',
  html: 'self-contained page with charts',
} as const;

/** One of {@link REPLAY_FORMATS}. */
export type ReplayFormat = keyof typeof REPLAY_FORMATS;
