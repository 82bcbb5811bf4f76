// What a command has instead of the process: output, input, environment.

import { choosePaint, type Paint, printable, printableLines } from '@tollgate/diagnostics';
import { UsageError } from './exit-code.ts';

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

/** Escape sequences that Tollgate itself writes: colours, and those that clear a progress line or the screen. */
const OWN_SEQUENCE = /(\u001b\[(?:0|1|2|34|1;3[1236])m|\r\u001b\[K|\u001b\[2J\u001b\[H)/;

/** Makes control characters visible that do not come from Tollgate but from a file, a log or a server. */
export function safeText(text: string): string {
  const safe = printableLines(text);
  if (safe === text) return text;
  return text
    .split(OWN_SEQUENCE)
    .map((part, index) => (index % 2 === 1 ? part : printableLines(part)))
    .join('');
}

/** Asks a person a question on the terminal and returns the line that is typed. @throws UsageError if input ends or is interrupted */
export async function askPerson(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string>((resolve, reject) => {
      reader.once('close', () => reject(new UsageError('cancelled')));
      reader.once('SIGINT', () => reader.close());
      reader.question(question).then(resolve, reject);
    });
  } finally {
    reader.close();
  }
}

/**
 * Maximum number of bytes to read, so that endless files end. Larger than the longest document that the analysis accepts, so that a
 * truncated one is rejected for its length.
 */
export const MAX_BYTES = 16 * 1024 * 1024;

/** Returns the bytes of a stream, up to `most`; the rest is not read. */
export async function readBytes(chunks: AsyncIterable<Uint8Array>, most = MAX_BYTES): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  return Buffer.concat(read).subarray(0, most);
}
