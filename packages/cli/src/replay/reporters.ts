import { csvReport } from './csv-report.ts';
import { htmlReport } from './html/html-report.ts';
import { jsonDocument, jsonText } from './json-document.ts';
import { markdownReport } from './markdown-report.ts';
import type { ReplayAnswer } from './replay-answer.ts';
import type { ReplayFormat } from './replay-formats.ts';

/** A reporter for each format but that of terminals, which depends on how these look. */
export const REPORTERS: Readonly<Record<Exclude<ReplayFormat, 'text' | 'ndjson'>, (answer: ReplayAnswer) => string>> = {
  json: answer => jsonText(jsonDocument(answer)),
  csv: csvReport,
  markdown: markdownReport,
  html: htmlReport,
};
