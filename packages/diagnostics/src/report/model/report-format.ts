/** The report formats, each with its purpose. */
export const REPORT_FORMATS = {
  text: 'for people, with the lines of the policy',
  compact: 'a line for each finding',
  json: 'one document with all there is to know',
  ndjson: 'JSON lines',
  sarif: 'SARIF 2.1.0, for code scanning',
  github: 'annotations of GitHub Actions, and a summary of the step',
  markdown: 'a summary in Markdown',
  gitlab: 'code quality report of GitLab',
  junit: 'JUnit XML',
  checkstyle: 'Checkstyle XML',
  rdjson: 'for reviewdog',
  rdjsonl: 'for reviewdog, as JSON lines',
} as const;

/** One of {@link REPORT_FORMATS}. */
export type ReportFormat = keyof typeof REPORT_FORMATS;
