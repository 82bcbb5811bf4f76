/** The formats of a replay's report, each with what it is for. */
export const REPLAY_FORMATS = {
  text: 'for people, on a terminal',
  json: 'one document with all figures',
  ndjson: 'JSON lines: one for each decision, and a last one with all figures',
  csv: 'a row for each rule, for spreadsheets',
  markdown: 'for pull requests and wikis',
  html: 'one page with plots, for browsers; needs no network',
} as const;

/** One of {@link REPLAY_FORMATS}. */
export type ReplayFormat = keyof typeof REPLAY_FORMATS;
