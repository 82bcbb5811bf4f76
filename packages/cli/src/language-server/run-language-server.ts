import { startServer } from '@tollgate/language-server';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { collectOldGenerationEarly, freezeYoungGeneration } from '../process/v8-heap-flags.ts';
import { VERSION } from '../process/version.ts';
import { runCommand } from './run-command.ts';
import { startCheckThread } from './start-check-thread.ts';

/** Runs the language server on standard input and output until the editor ends it. */
export async function runLanguageServer(terminal: Terminal): Promise<ExitCode> {
  const { process } = globalThis;
  collectOldGenerationEarly();
  freezeYoungGeneration();
  const loadHost = async () => {
    const { createHost } = await import('./host.ts');
    return { ...createHost(terminal), runCommand, startThread: () => startCheckThread(terminal) };
  };
  const setup = { version: VERSION, runsCommands: true, loadHost };
  const isShutDown = await startServer(setup, { input: process.stdin, output: process.stdout });
  return isShutDown ? EXIT.clean : EXIT.findings;
}
