import { choosePaint, type Paint, printable } from '@tollgate/diagnostics';

/** What a command may use besides files: its output, its input and its environment. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** All of the standard input. */
  readonly readInput: () => Promise<Uint8Array>;
  /** Whether people read the output as it comes. */
  readonly isInteractive: boolean;
  /** How wide the terminal is, where there is one. */
  readonly columns?: number | undefined;
  /** How wide the terminal is that shows errors as they come, where there is one. */
  readonly errorColumns?: number | undefined;
  /** Settles when whoever reads the output has taken what was written; undefined when nothing is left. */
  readonly drained?: () => Promise<void> | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Says in one line what went wrong, or what the user should know. */
export function tell({ writeError }: Pick<Terminal, 'writeError'>, message: string): void {
  writeError(`tollgate: ${printable(message)}\n`);
}

/** How a report is to look on the terminal. */
export function reportLook(terminal: Terminal): { readonly paint: Paint; readonly width: number | undefined } {
  return { paint: choosePaint(terminal.isInteractive, terminal.env), width: terminal.columns };
}
