import { refusalOf } from '@tollgate/catalog';
import { type Diagnostic, humanPosition, jsonDiagnostics, type SourceText } from '@tollgate/diagnostics';
import { type ErrorNumber, type Fault, faultAt, isErrorNumber, type Path } from '@tollgate/edge-api';

/** What says no more than that the policy is wrong. */
const OTHER: ErrorNumber = 9026;

/** A diagnostic as the API's error, with its line and column within the text. */
export function policyFault(diagnostic: Diagnostic, source: SourceText, path: Path): Fault {
  const { code, message, range } = diagnostic;
  const { line, column } = humanPosition(source, range.start);
  const value = `${line}:${column} ${code}: ${message}`;
  const refusal = refusalOf(diagnostic);
  return faultAt(path, refusal !== undefined && isErrorNumber(refusal) ? refusal : OTHER, { value });
}

/** All diagnostics as the command line's JSON report has them, for programs. */
export function diagnosticDetails(
  diagnostics: readonly Diagnostic[],
  source: SourceText,
): Readonly<Record<string, string>> {
  return { diagnostics: JSON.stringify(jsonDiagnostics({ sources: [source], diagnostics })) };
}
