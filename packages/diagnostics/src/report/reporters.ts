import { checkstyleReport } from './formats/checkstyle-report.ts';
import { compactReport } from './formats/compact-report.ts';
import { githubReport } from './formats/github-report.ts';
import { gitlabReport } from './formats/gitlab-report.ts';
import { jsonReport, ndjsonReport } from './formats/json-report.ts';
import { junitReport } from './formats/junit-report.ts';
import { markdownReport } from './formats/markdown-report.ts';
import { rdjsonlReport, rdjsonReport } from './formats/rdjson-report.ts';
import { sarifReport } from './formats/sarif-report.ts';
import { textReport } from './formats/text-report.ts';
import type { ReportFormat } from './model/report-format.ts';
import type { Reporter } from './model/reporter.ts';

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
