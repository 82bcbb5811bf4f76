// `tollgate lsp`: runs the language server, its thread, and commands for it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type CheckThread, type CommandRun, type CommandToRun, startServer } from '@tollgate/language-server';
import { streamTransport } from '@tollgate/language-server/node';
import { UNSAVED, unsavedName } from '../input/read-source.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { runOwnCommand } from '../process/own-command.ts';
import type { Terminal } from '../process/terminal.ts';
import { collectOldGenerationEarly, freezeYoungGeneration } from '../process/v8-heap-flags.ts';
import { VERSION } from '../process/version.ts';

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
  const isShutDown = await startServer(setup, streamTransport({ input: process.stdin, output: process.stdout }));
  return isShutDown ? EXIT.clean : EXIT.findings;
}

/** Starts a thread that lints and formats for the language server. */
function startCheckThread({ env }: Pick<Terminal, 'env'>): CheckThread {
  // In a clone, packages run from source; in a bundle, the thread's file is next to this one.
  const isSource = import.meta.url.endsWith('.ts');
  const worker = new Worker(new URL(`./check-thread${isSource ? '.ts' : '.cjs'}`, import.meta.url), {
    workerData: { env },
    execArgv: isSource ? ['--conditions=tollgate-source'] : [],
    resourceLimits: THREAD_LIMITS,
  });
  // The server must end although the thread waits for messages.
  worker.unref();
  return {
    post: message => worker.postMessage(message),
    onMessage: listen => worker.on('message', listen),
    onEnd: listen => {
      worker.on('error', () => {});
      worker.on('exit', listen);
    },
    end: () => void worker.terminate(),
  };
}

/** With the young generation of a main thread, the garbage of one analysis would stay for long. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 2048 };

/** Runs this command in a process of its own, and keeps its output in a file. */
async function runCommand({ args, trust, shown, signal }: CommandToRun): Promise<CommandRun> {
  const trusted = trust === 'by-directory' ? {} : { TOLLGATE_TRUST: trust === 'always' ? '1' : '0' };
  const unsaved = mkdtempSync(join(tmpdir(), 'tollgate-shown-'));
  for (const { path, text } of shown) writeFileSync(join(unsaved, unsavedName(path)), text);
  const run = await runOwnCommand(args, { env: { ...trusted, [UNSAVED]: unsaved }, signal });
  rmSync(unsaved, { recursive: true, force: true });
  const report = join(mkdtempSync(join(tmpdir(), 'tollgate-')), `${args[0]}.txt`);
  writeFileSync(report, run.output);
  return { ...run, report };
}
