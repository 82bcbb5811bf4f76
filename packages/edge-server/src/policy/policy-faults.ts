import { refusalOf } from '@tollgate/catalog';
import { type Diagnostic, humanPosition, jsonDiagnostics, type SourceText } from '@tollgate/diagnostics';
import { type ErrorNumber, type Fault, faultAt, isErrorNumber, type Path } from '@tollgate/edge-api';

/** The error for diagnostics without a number of their own. */
const OTHER: ErrorNumber = 9026;

/** Converts a diagnostic to an API error with line and column. */
export function policyFault(diagnostic: Diagnostic, source: SourceText, path: Path): Fault {
  const { code, message, range } = diagnostic;
  const { line, column } = humanPosition(source, range.start);
  const shown = withShortNames(message);
  const value = `${line}:${column} ${code}: ${shown}`;
  const refusal = refusalOf(diagnostic);
  const number = refusal !== undefined && isErrorNumber(refusal) ? refusal : OTHER;
  return faultAt(path, number, { value }, quotedIn(shown));
}

/** Returns all diagnostics in the format of the command line's JSON report. */
export function diagnosticDetails(
  diagnostics: readonly Diagnostic[],
  source: SourceText,
): Readonly<Record<string, string>> {
  return {
    diagnostics: JSON.stringify(jsonDiagnostics({ sources: [source], diagnostics: diagnostics.map(shortened) })),
  };
}

/** The most characters of a name or value of a policy in a response: in the policy, it may be of any length. */
const LONGEST = 100;

/** Fixes stay as they are: a part of one would be another. */
function shortened(diagnostic: Diagnostic): Diagnostic {
  const { message, args } = diagnostic;
  const short = Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? cut(value) : value]);
  return { ...diagnostic, message: withShortNames(message), args: Object.fromEntries(short) };
}

function withShortNames(message: string): string {
  return message.replace(/`([^`]*)`/g, (_, quoted: string) => `\`${cut(quoted)}\``);
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Returns how many characters of a message are quoted, which are mostly from the policy. */
function quotedIn(message: string): number {
  return [...message.matchAll(/`([^`]*)`/g)].reduce((sum, [, quoted = '']) => sum + quoted.length, 0);
}
