import type { Diagnostic, Severity, SourceText } from '@tollgate/diagnostics';
import { helpUrl } from '@tollgate/diagnostics/reports';
import { DiagnosticSeverity, DiagnosticTag, type Diagnostic as ProtocolDiagnostic } from 'vscode-languageserver-types';
import { toRange } from './ranges.ts';
import { uriOfPath } from './uris.ts';

/** What the client supports in diagnostics. */
export interface DiagnosticSupport {
  readonly related: boolean;
  readonly tags: boolean;
  readonly links: boolean;
}

const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

const TAG = { unnecessary: DiagnosticTag.Unnecessary, deprecated: DiagnosticTag.Deprecated } as const;

/** Name of the source of all diagnostics. */
const SOURCE = 'tollgate';

/** Address of the pages of codes. */
const PAGES = 'https://github.com/tollgate-policies/tollgate/blob/main/docs/reference/codes';

/** Converts a diagnostic of a document. Its range ends on the line on which it starts, so that a marker never covers half the file. */
export function toDiagnostic(
  diagnostic: Diagnostic,
  source: SourceText,
  { related, tags, links }: DiagnosticSupport,
): ProtocolDiagnostic {
  const { code, message, range, severity } = diagnostic;
  return {
    range: toRange(source, { start: range.start, end: endOnLine(source, range) }),
    severity: SEVERITY[severity],
    code,
    source: SOURCE,
    message,
    ...(links && { codeDescription: { href: pageOf(code) } }),
    ...(tags && diagnostic.tags && { tags: diagnostic.tags.map(tag => TAG[tag]) }),
    ...(related && diagnostic.related && { relatedInformation: relatedTo(diagnostic, source) }),
  };
}

/** Returns the address of the page of a code. */
export function pageOf(code: string): string {
  return helpUrl(code, PAGES)!;
}

function endOnLine(source: SourceText, { start, end }: Diagnostic['range']): number {
  const lineBreak = source.text.slice(start, end).search(/[\r\n]/);
  return lineBreak < 1 ? end : start + lineBreak;
}

function relatedTo({ related = [], uri }: Diagnostic, source: SourceText) {
  // Positions in other files need their text, which is not at hand.
  return related
    .filter(one => one.uri === uri)
    .map(one => ({
      location: { uri: uriOfPath(one.uri), range: toRange(source, one.range) },
      message: one.message,
    }));
}
