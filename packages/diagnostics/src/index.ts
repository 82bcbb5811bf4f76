export {
  ANSI,
  type Cell,
  choosePaint,
  codeFrame,
  displayCells,
  displayWidth,
  escapedControls,
  type FrameOptions,
  jsonText,
  type Paint,
  printable,
  printableLines,
  type Style,
  WITHOUT_COLORS as PLAIN,
} from './code-frame.ts';
export type {
  CodeDescription,
  CodeExample,
  CodeKind,
  Diagnostic,
  DiagnosticArgs,
  Fix,
  Position,
  Range,
  RelatedLocation,
  Severity,
  TextEdit,
} from './diagnostic.ts';
export { ExternalError, fileProblem, InternalError, unreachable, writeProblem } from './errors.ts';
export { isRecord, once, onceForEach, ownValue, quotedName, singleQuoted } from './plain-values.ts';
export { jsonDiagnostics, jsonReport } from './report/json-reports.ts';
export type { Reporter, ReportOptions } from './report/report.ts';
export {
  type CodeCount,
  countByCode,
  isFailing,
  REPORT_FORMATS,
  type Report,
  type ReportedCase,
  type ReportFormat,
  SEVERITIES,
  type SuppressedDiagnostic,
  sortDiagnostics,
  summaryLine,
} from './report/report.ts';
export { textReport } from './report/text-reports.ts';
export { type ColumnUnit, humanPosition, lineStart, SourceText } from './source-text.ts';
export { type DiffLine, diffLines, type TextChange, unifiedDiff } from './unified-diff.ts';
