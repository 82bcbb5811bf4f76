export type { CodeDescription, CodeExample, CodeKind } from './code-description.ts';
export { codeFrame, type FrameOptions } from './code-frame.ts';
export { ANSI, choosePaint, type Paint, PLAIN, type Style } from './colour.ts';
export type { Diagnostic, DiagnosticArgs, Fix, RelatedLocation, Severity, TextEdit } from './diagnostic.ts';
export {
  type Cell,
  displayCells,
  displayWidth,
  escapedControls,
  jsonText,
  printable,
  printableLines,
} from './display-cells.ts';
export { ExternalError } from './external-error.ts';
export { InternalError, unreachable } from './internal-error.ts';
export { type DiffLine, diffLines } from './line-diff.ts';
export { lineStart } from './line-start.ts';
export { ownValue } from './own-value.ts';
export type { Position, Range } from './range.ts';
export { jsonDiagnostics, jsonReport } from './report/formats/json-report.ts';
export { textReport } from './report/formats/text-report.ts';
export {
  isFailing,
  type Report,
  type ReportedCase,
  SEVERITIES,
  type SuppressedDiagnostic,
  sortDiagnostics,
  summaryLine,
} from './report/model/report.ts';
export { REPORT_FORMATS, type ReportFormat } from './report/model/report-format.ts';
export type { ReportOptions } from './report/model/report-options.ts';
export type { Reporter } from './report/model/reporter.ts';
export { type CodeCount, countByCode } from './report/model/statistics.ts';
export { humanPosition, SourceText } from './source-text.ts';
export { type TextChange, unifiedDiff } from './unified-diff.ts';
