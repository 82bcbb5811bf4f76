import type { Diagnostic } from '@tollgate/diagnostics';

/** Why a lint rule did not get through a file. */
export interface RuleFailure {
  /** The lint rule. */
  readonly id: string;
  readonly kind: 'threw' | 'stopped';
  /** Whether it is one of those that come with Tollgate: then the failure is a defect of Tollgate. */
  readonly isOwn: boolean;
  /** What was thrown. */
  readonly error: unknown;
}

/** The finding that stands for everything else that the lint rule would have found in the file. */
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

/** In one line. */
function reasonOf(error: unknown): string {
  return textOf(error).replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_REASON);
}

/** UTF-16 units. */
const LONGEST_REASON = 300;

/** What a lint rule throws need not be an error, nor have a string. */
function textOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'it threw a value without a string';
  }
}
