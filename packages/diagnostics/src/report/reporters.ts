import { checkstyleReport } from './checkstyle-report.ts';
import { compactReport } from './compact-report.ts';
import type { ReportFormat } from './formats.ts';
import { githubReport } from './github-report.ts';
import { gitlabReport } from './gitlab-report.ts';
import { jsonReport, ndjsonReport } from './json-report.ts';
import { junitReport } from './junit-report.ts';
import { markdownReport } from './markdown-report.ts';
import { rdjsonlReport, rdjsonReport } from './rdjson-report.ts';
import type { Report } from './report.ts';
import type { ReportOptions } from './report-options.ts';
import { sarifReport } from './sarif-report.ts';
import { textReport } from './text-report.ts';

/** Formats a report. Equal reports produce equal output. */
export type Reporter = (report: Report, options?: ReportOptions) => string;

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
