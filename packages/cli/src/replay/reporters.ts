import type { Reporter } from '@tollgate/diagnostics';
import { csvReport, type ReplayResult } from '@tollgate/reports';
import { htmlReport } from '@tollgate/reports/html';
import { jsonDocument, jsonText } from '@tollgate/reports/json';
import { markdownReport } from '@tollgate/reports/markdown';
import type { DecisionFormat } from './decision-outputs.ts';
import type { ReplayFormat } from './replay-options.ts';

/** The reporters of all formats that are written at the end of a replay, except the one for terminals. */
export const REPORTERS: Readonly<Record<Exclude<ReplayFormat, 'text' | DecisionFormat>, Reporter<ReplayResult>>> = {
  json: answer => jsonText(jsonDocument(answer)),
  csv: csvReport,
  markdown: markdownReport,
  html: htmlReport,
};
