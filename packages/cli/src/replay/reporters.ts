import type { Reporter } from '@tollgate/diagnostics';
import { csvReplay, type ReplayResult } from '@tollgate/reports';
import { htmlReplay } from '@tollgate/reports/html';
import { jsonReplay } from '@tollgate/reports/json';
import { markdownReplay } from '@tollgate/reports/markdown';
import type { DecisionFormat } from './decision-outputs.ts';
import type { ReplayFormat } from './replay-options.ts';

/** The reporters of all formats that are written at the end of a replay, except the one for terminals. */
export const REPORTERS: Readonly<Record<Exclude<ReplayFormat, 'text' | DecisionFormat>, Reporter<ReplayResult>>> = {
  json: jsonReplay,
  csv: csvReplay,
  markdown: markdownReplay,
  html: htmlReplay,
};
