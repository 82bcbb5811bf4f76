import type { ExternalError } from '@tollgate/diagnostics';
import type { Terminal } from '../process/terminal.ts';
import { FileReplacement } from '../trust/replace-file.ts';

/** Writes lines, and waits while the reader is slow. */
export interface LineStream {
  /** Buffers a line until the next flush. */
  readonly add: (line: string) => void;
  readonly flush: () => Promise<void>;
  /** Returns the first error. */
  readonly finish: () => Promise<ExternalError | undefined>;
  /** Leaves the file unchanged. */
  readonly abandon: () => Promise<void>;
}

/** Opens a stream of lines to a file; to standard output if it is undefined. */
export function openLines(file: string | undefined, terminal: Terminal): LineStream {
  let lines: string[] = [];
  const take = () => {
    const text = lines.join('');
    lines = [];
    return text;
  };
  const add = (line: string) => void lines.push(line);
  if (file === undefined) {
    const flush = async () => {
      terminal.write(take());
      await terminal.drained?.();
    };
    return { add, flush, finish: () => flush().then(() => undefined), abandon: async () => undefined };
  }
  const replacement = new FileReplacement(file);
  const flush = () => replacement.write(take());
  return { add, flush, finish: () => flush().then(() => replacement.finish()), abandon: () => replacement.abandon() };
}
