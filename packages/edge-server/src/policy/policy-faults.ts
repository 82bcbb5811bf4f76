import { type Diagnostic, humanPosition, jsonDiagnostics, type SourceText } from '@tollgate/diagnostics';
import { type ErrorNumber, type Fault, faultAt, type Path } from '@tollgate/edge-api';

/** Numbers of errors by the code of a diagnostic, and else by the area that the code begins with. */
const BY_CODE: Readonly<Record<string, ErrorNumber>> = {
  'policy/unknown-action': 2201,
  'phase/action-unavailable': 2202,
  'endpoint/action-unavailable': 2205,
  'policy/empty-actions': 2206,
  'policy/unreachable-action': 2207,
  'config/unknown-key': 2203,
  'config/wrong-type': 2203,
  'config/missing-key': 2203,
  'config/bad-shape': 2203,
  'config/bad-url': 2226,
  'endpoint/phase-unavailable': 2230,
  'limit/rules': 2264,
  'limit/actions': 2265,
  'limit/expressions': 2265,
};
const BY_AREA: Readonly<Record<string, ErrorNumber>> = {
  config: 2204,
  document: 2236,
  endpoint: 2200,
  expression: 2200,
  json: 2236,
  limit: 2236,
  name: 2200,
  phase: 2200,
  policy: 9026,
  regex: 2200,
  syntax: 2200,
  type: 2200,
  yaml: 2236,
};
const OTHER: ErrorNumber = 9026;

/** A diagnostic as the API's error, with its line and column within the text. */
export function policyFault({ code, message, range }: Diagnostic, source: SourceText, path: Path): Fault {
  const [area = ''] = code.split('/');
  const { line, column } = humanPosition(source, range.start);
  const value = `${line}:${column} ${code}: ${message}`;
  return faultAt(path, BY_CODE[code] ?? BY_AREA[area] ?? OTHER, { value });
}

/** All diagnostics as the command line's JSON report has them, for programs. */
export function diagnosticDetails(
  diagnostics: readonly Diagnostic[],
  source: SourceText,
): Readonly<Record<string, string>> {
  return { diagnostics: JSON.stringify(jsonDiagnostics({ sources: [source], diagnostics })) };
}
