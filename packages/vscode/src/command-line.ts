import { type CancellationToken, type LogOutputChannel, workspace } from 'vscode';
import { unsavedTexts } from './open-documents.ts';
import { commandEnvironment, runTollgate, type TollgateResult } from './tollgate-program.ts';

/** Options of one run. */
interface RunOptions {
  /** Settings are looked for from here upward. */
  readonly directory: string;
  readonly input?: string;
  readonly token?: CancellationToken;
}

/** Runs `tollgate` commands on what the editor shows: nothing is saved for them. */
export type CommandLine = (args: readonly string[], options: RunOptions) => Promise<TollgateResult>;

/** Returns the command line for a script, which is looked up at each run because settings and trust may change. */
export function createCommandLine(script: () => string, log: LogOutputChannel): CommandLine {
  return async (args, { directory, input, token }) => {
    const abort = new AbortController();
    const listening = token?.onCancellationRequested(() => abort.abort());
    log.info(`tollgate ${args.join(' ')} (in ${directory})`);
    try {
      return await runTollgate({
        script: script(),
        args,
        directory,
        env: commandEnvironment(process.env, workspace.isTrusted),
        ...(input !== undefined && { input }),
        shown: unsavedTexts(),
        signal: abort.signal,
      });
    } finally {
      listening?.dispose();
    }
  };
}
