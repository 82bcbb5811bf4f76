import type { Diagnostic, Severity } from '../../diagnostic.ts';
import type { SourceText } from '../../source-text.ts';
import { type XmlElement, xmlDocument } from '../encoding/xml.ts';
import { type Report, sortDiagnostics, sourcesByUri } from '../model/report.ts';
import type { ReportOptions } from '../model/report-options.ts';
import { shownPath } from '../model/shown-path.ts';
import { locationOf } from '../model/source-location.ts';

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'info', hint: 'info' };

/** Returns a report in Checkstyle XML, which most CI servers read. */
export function checkstyleReport(report: Report, { directory }: ReportOptions = {}): string {
  const sources = sourcesByUri(report);
  const byFile = Map.groupBy(sortDiagnostics(report), ({ uri }) => uri);
  const uris = new Set([...sources.keys(), ...byFile.keys()]);
  const children = [...uris].map(uri => ({
    name: 'file',
    attributes: { name: shownPath(uri, directory) },
    children: (byFile.get(uri) ?? []).map(diagnostic => errorElement(diagnostic, sources.get(uri))),
  }));
  return xmlDocument({ name: 'checkstyle', attributes: { version: '4.3' }, children });
}

function errorElement({ range, severity, message, code }: Diagnostic, source: SourceText | undefined): XmlElement {
  const { line, column } = locationOf(source, range, 'code-point');
  return { name: 'error', attributes: { line, column, severity: SEVERITY[severity], message, source: code } };
}
