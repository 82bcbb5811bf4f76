import type { Reporter } from '@tollgate/diagnostics';
import type { DecisionFormat } from './decision-outputs.ts';
import { csvReport } from './formats/csv-report.ts';
import { jsonDocument, jsonText } from './formats/json-report.ts';
import { markdownReport } from './formats/markdown-report.ts';
import { htmlReport } from './html/html-report.ts';
import type { ReplayFormat } from './options/replay-options.ts';
import type { ReplayResult } from './result/replay-result.ts';

/** The reporters of all formats that are written at the end of a replay, except the one for terminals. */
export const REPORTERS: Readonly<Record<Exclude<ReplayFormat, 'text' | DecisionFormat>, Reporter<ReplayResult>>> = {
  json: answer => jsonText(jsonDocument(answer)),
  csv: csvReport,
  markdown: markdownReport,
  html: htmlReport,
};
