import type { ExternalError } from '@tollgate/diagnostics';
import { FileReplacement, makeFolder } from '../output/replace-file.ts';
import type { Terminal } from '../process/terminal.ts';

/** Takes lines as they come, and goes on when whoever reads them can take more. */
export interface LineStream {
  /** Holds the line until the next flush. */
  readonly add: (line: string) => void;
  readonly flush: () => Promise<void>;
  /** Gives what went wrong. */
  readonly finish: () => Promise<ExternalError | undefined>;
  /** Leaves a file as it was. */
  readonly abandon: () => Promise<void>;
}

/** A stream of lines into a file, or to the standard output for undefined. */
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
  const folder = makeFolder(file);
  const replacement = new FileReplacement(file);
  const flush = async () => {
    await folder;
    await replacement.write(take());
  };
  return { add, flush, finish: () => flush().then(() => replacement.finish()), abandon: () => replacement.abandon() };
}
