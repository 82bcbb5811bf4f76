import type { Diagnostic } from '@tollgate/diagnostics';

/** Why a lint rule did not complete for a file. */
export interface RuleFailure {
  /** Id of the lint rule. */
  readonly id: string;
  readonly kind: 'threw' | 'stopped';
  /** True if it comes with Tollgate: then the failure is an internal error. */
  readonly isOwn: boolean;
  /** The exception. */
  readonly error: unknown;
}

/** Returns the finding that replaces all others of the lint rule in the file. */
export function failureFinding({ id, kind, isOwn, error }: RuleFailure, uri: string): Diagnostic {
  const [code, message] =
    kind === 'stopped'
      ? (['lint/rule-stopped', `lint rule \`${id}\` did not finish; fix it or turn it off`] as const)
      : isOwn
        ? ([
            'lint/internal-error',
            `internal error in lint rule \`${id}\`: ${reasonOf(error)}; please report it`,
          ] as const)
        : (['lint/rule-failed', `lint rule \`${id}\` failed: ${reasonOf(error)}; fix it or turn it off`] as const);
  return { code, severity: 'error', message, uri, range: { start: 0, end: 0 }, args: { rule: id } };
}

/** Formats the exception on one line. */
function reasonOf(error: unknown): string {
  return textOf(error).replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_REASON);
}

/** UTF-16 units. */
const LONGEST_REASON = 300;

/** A lint rule may throw any value, even one without a string form. */
function textOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'it threw a value without a string';
  }
}
