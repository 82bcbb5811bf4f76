import { gitlabReport, jsonReport, ndjsonReport, rdjsonlReport, rdjsonReport } from './json-reports.ts';
import { markdownReport } from './markdown-report.ts';
import type { Reporter, ReportFormat } from './report.ts';
import { sarifReport } from './sarif-report.ts';
import { compactReport, githubReport, textReport } from './text-reports.ts';
import { checkstyleReport, junitReport } from './xml-reports.ts';

/** The reporter of each format. */
export const REPORTERS: Readonly<Record<ReportFormat, Reporter>> = {
  text: textReport,
  compact: compactReport,
  json: jsonReport,
  ndjson: ndjsonReport,
  sarif: sarifReport,
  github: githubReport,
  markdown: markdownReport,
  gitlab: gitlabReport,
  junit: junitReport,
  checkstyle: checkstyleReport,
  rdjson: rdjsonReport,
  rdjsonl: rdjsonlReport,
};
