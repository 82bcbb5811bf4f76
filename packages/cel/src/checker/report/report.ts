import type { Diagnostic, DiagnosticArgs, Fix, Range, Severity } from '@tollgate/diagnostics';
import type { Expr } from '../../ast/ast.ts';
import { formatType } from '../../types/format.ts';
import { ERROR_TYPE, type Type } from '../../types/type.ts';
import { type CheckContext, resolved } from '../context/check-context.ts';

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly range: Range;
  readonly args: DiagnosticArgs;
  readonly severity?: Severity;
  readonly fixes?: readonly Fix[];
}

/** Adds a diagnostic and returns the error type, for the node. */
export function report(c: Pick<CheckContext, 'diagnostics'>, finding: Finding): Type {
  const { severity = 'error', fixes, ...rest } = finding;
  c.diagnostics.push({ ...rest, severity, uri: '', ...(fixes === undefined ? {} : { fixes }) });
  return ERROR_TYPE;
}

/** Returns the type as shown in messages, with dyn for unbound variables. */
export function displayType(c: CheckContext, type: Type): string {
  const text = formatType(resolved(c, type));
  return text.replace(/_var\d+/g, 'dyn').replaceAll('!error!', 'unknown');
}

export function reportMismatch(c: CheckContext, expr: Expr, expected: string, found: Type): Type {
  const type = displayType(c, found);
  return report(c, {
    code: 'type/mismatch',
    message: `expected ${expected}, found ${type}`,
    range: expr.range,
    args: { expected, found: type },
  });
}

/** Reports `a.?b`, `[?x]` and the like in an environment without the optionals library. */
export function reportOptionalSyntax(c: CheckContext, range: Range): Type {
  return report(c, {
    code: 'type/optional-syntax',
    message: 'optional syntax needs the optionals library, which is disabled',
    range,
    args: {},
  });
}

/** Returns the hint and the fix for an unknown name that is close to a known one. */
export function suggest(suggestion: string | undefined, range: Range, found?: string): SuggestionParts {
  if (suggestion === undefined) return { hint: '', args: {} };
  const isCase = found?.toLowerCase() === suggestion.toLowerCase();
  const fix: Fix = {
    title: `change to \`${suggestion}\``,
    // If only the case differs, nothing else can be meant.
    applicability: isCase ? 'safe' : 'suggestion',
    edits: [{ range, newText: suggestion }],
  };
  return { hint: `; did you mean \`${suggestion}\`?`, args: { suggestion }, fixes: [fix] };
}

interface SuggestionParts {
  readonly hint: string;
  readonly args: DiagnosticArgs;
  readonly fixes?: readonly Fix[];
}

/** Returns the diagnostics in source order without duplicates, which macros cause that use an argument several times. */
export function finish(diagnostics: readonly Diagnostic[], limit: number, range: Range): readonly Diagnostic[] {
  const unique = new Map(diagnostics.map(found => [`${found.range.start}:${found.range.end}:${found.message}`, found]));
  const sorted = [...unique.values()].sort((a, b) => a.range.start - b.range.start);
  if (sorted.length <= limit) return sorted;
  const last: Diagnostic = {
    code: 'limit/diagnostics',
    severity: 'error',
    message: `only the first ${limit - 1} of ${sorted.length} diagnostics are shown`,
    uri: '',
    range,
    args: { limit: 'maxDiagnostics', value: limit },
  };
  return [...sorted.slice(0, limit - 1), last];
}
