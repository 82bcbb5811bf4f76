import { runTollgate } from './main.ts';
import type { ExitCode } from './process/exit-code.ts';
import type { Terminal } from './process/terminal.ts';

/** The result of running the command. */
export interface CapturedRun {
  readonly code: ExitCode;
  /** Everything written to standard output. */
  readonly output: string;
  /** Everything written to standard error. */
  readonly errors: string;
}

/** The environment of a run; by default no input, no terminal and no variables. */
export interface CaptureOptions extends Partial<Omit<Terminal, 'write' | 'writeError' | 'readInput'>> {
  /** Content of standard input. */
  readonly input?: string;
}

/** Runs the command as `runTollgate` does, and returns what it writes. */
export async function runCaptured(
  args: readonly string[],
  { input = '', ...terminal }: CaptureOptions = {},
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
