import { runTollgate } from './main.ts';
import type { ExitCode } from './process/exit-code.ts';
import type { Terminal } from './process/terminal.ts';

/** What a run of the command gave. */
export interface CapturedRun {
  readonly code: ExitCode;
  /** All that it wrote to the standard output. */
  readonly output: string;
  /** All that it wrote to the standard error. */
  readonly errors: string;
}

/** What the command is given; by default nothing to read, no terminal and no environment. */
export interface CapturedWorld extends Partial<Omit<Terminal, 'write' | 'writeError' | 'readInput'>> {
  /** The standard input. */
  readonly input?: string;
}

/** As `runTollgate`, with what it writes as the result. */
export async function runCaptured(
  args: readonly string[],
  { input = '', ...terminal }: CapturedWorld = {},
): Promise<CapturedRun> {
  let [output, errors] = ['', ''];
  const code = await runTollgate(args, {
    write: text => {
      output += text;
    },
    writeError: text => {
      errors += text;
    },
    readInput: async () => new TextEncoder().encode(input),
    isInteractive: false,
    env: {},
    ...terminal,
  });
  return { code, output, errors };
}
