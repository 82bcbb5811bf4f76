import { startServer } from '@tollgate/language-server';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { createHost } from './host.ts';

/** Runs the language server on standard input and output until the editor ends it. */
export async function runLanguageServer(terminal: Terminal): Promise<ExitCode> {
  const { process } = globalThis;
  const isShutDown = await startServer(createHost(terminal), { input: process.stdin, output: process.stdout });
  return isShutDown ? EXIT.clean : EXIT.findings;
}
