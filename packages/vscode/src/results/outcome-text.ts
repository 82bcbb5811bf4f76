/** How evaluation ends, in the reports of the command. */
export interface Outcome {
  readonly kind: string;
  readonly status?: number;
  readonly action?: string;
}

/** Returns an outcome for people: `denied with 403 by deny`. */
export function outcomeText({ kind, status, action }: Outcome): string {
  const code = status === undefined ? '' : ` with ${status}`;
  return `${kind.replaceAll('-', ' ')}${code}${action === undefined ? '' : ` by ${action}`}`;
}
