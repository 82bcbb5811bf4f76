import { jsonText } from '../code-frame.ts';
import type { Severity } from '../diagnostic.ts';
import { fingerprints } from './fingerprints.ts';
import { type Report, type ReportOptions, sortDiagnostics, sourcesByUri } from './report.ts';
import { locationOf, shownPath } from './source-location.ts';

const SEVERITY: Readonly<Record<Severity, string>> = {
  error: 'major',
  warning: 'minor',
  info: 'info',
  hint: 'info',
};

/** Returns a GitLab code quality report, a job artifact that merge requests show. */
export function gitlabReport(report: Report, { directory }: ReportOptions = {}): string {
  const sources = sourcesByUri(report);
  const diagnostics = sortDiagnostics(report);
  const path = (uri: string) => shownPath(uri, directory);
  const marks = fingerprints(diagnostics, sources);
  const issues = diagnostics.map(({ code, message, severity, uri, range }, index) => {
    const { line, endLine } = locationOf(sources.get(uri), range, 'code-point');
    return {
      description: message,
      check_name: code,
      fingerprint: marks[index],
      severity: SEVERITY[severity],
      location: { path: path(uri), lines: { begin: line, end: endLine } },
    };
  });
  return `${jsonText(issues, 2)}\n`;
}
