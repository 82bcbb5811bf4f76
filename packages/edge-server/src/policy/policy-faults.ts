import { refusalOf } from '@tollgate/catalog';
import { type Diagnostic, humanPosition, jsonDiagnostics, type SourceText } from '@tollgate/diagnostics';
import { type ErrorNumber, type Fault, faultAt, isErrorNumber, type Path } from '@tollgate/edge-api';

/** The error for diagnostics without a number of their own. */
const OTHER: ErrorNumber = 9026;

/** Converts a diagnostic to an API error with line and column. */
export function policyFault(diagnostic: Diagnostic, source: SourceText, path: Path): Fault {
  const { code, message, range } = diagnostic;
  const { line, column } = humanPosition(source, range.start);
  const value = `${line}:${column} ${code}: ${message}`;
  const refusal = refusalOf(diagnostic);
  return faultAt(path, refusal !== undefined && isErrorNumber(refusal) ? refusal : OTHER, { value });
}

/** Returns all diagnostics in the format of the command line's JSON report. */
export function diagnosticDetails(
  diagnostics: readonly Diagnostic[],
  source: SourceText,
): Readonly<Record<string, string>> {
  return { diagnostics: JSON.stringify(jsonDiagnostics({ sources: [source], diagnostics })) };
}
