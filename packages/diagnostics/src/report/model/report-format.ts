/** The report formats, each with its purpose. */
export const REPORT_FORMATS = {
  text: 'for people, with source excerpts',
  compact: 'one line per finding',
  json: 'one document with all details',
  ndjson: 'JSON Lines',
  sarif: 'SARIF 2.1.0, for code scanning',
  github: 'GitHub Actions annotations, and a job summary',
  markdown: 'summary in Markdown',
  gitlab: 'GitLab code quality report',
  junit: 'JUnit XML',
  checkstyle: 'Checkstyle XML',
  rdjson: 'for reviewdog',
  rdjsonl: 'for reviewdog, as JSON Lines',
} as const;

/** One of {@link REPORT_FORMATS}. */
export type ReportFormat = keyof typeof REPORT_FORMATS;
