import { choosePaint, type Paint, printable } from '@tollgate/diagnostics';

/** The input, output and environment of a command, apart from files. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Reads standard input to its end. */
  readonly readInput: () => Promise<Uint8Array>;
  /** True if a person reads the output as it is written. */
  readonly isInteractive: boolean;
  /** Width of the terminal that shows the output; undefined if it is not a terminal. */
  readonly columns?: number | undefined;
  /** Width of the terminal that shows errors; undefined if it is not a terminal. */
  readonly errorColumns?: number | undefined;
  /** Resolves when the output can take more; undefined if it already can. */
  readonly drained?: () => Promise<void> | undefined;
  /** Asks a person and returns the line that is typed; undefined if nobody is there. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Prints a one-line message to standard error. */
export function printMessage({ writeError }: Pick<Terminal, 'writeError'>, message: string): void {
  writeError(`tollgate: ${printable(message)}\n`);
}

/** Returns the colours and width for a report on the terminal. */
export function reportStyle(terminal: Terminal): { readonly paint: Paint; readonly width: number | undefined } {
  return { paint: choosePaint(terminal.isInteractive, terminal.env), width: terminal.columns };
}
