// The thread that checks, formats, lints or tests files.

import { parentPort, workerData } from 'node:worker_threads';
import { InternalError } from '@tollgate/diagnostics';
import type { InputPart } from './input/document-parts.ts';
import type { LintWork } from './lint/lint-run.ts';
import type { CheckOptions } from './policies/check.ts';
import type { FormatFilesOptions } from './policies/format.ts';
import type { TestPoliciesOptions } from './policies/test-policies.ts';
import type { Failure } from './process/exit-code.ts';
import type { Terminal } from './process/terminal.ts';
import {
  type FilesRequest,
  type FileThreadMessage,
  type FileThreadSetup,
  type PortableFailure,
  portableError,
  portableFailure,
  type WrittenText,
} from './process/thread-messages.ts';

// Runs in a thread: prepares the work of a command once, and does it for the requested files.

const port = parentPort;
if (port === null) throw new InternalError('not in a thread');
const post = (message: FileThreadMessage) => port.postMessage(message);

/** The work of a command on some files. */
type Work = (inputs: readonly unknown[]) => Promise<{ readonly failures: readonly Failure[] }>;

const { command, options, ...screen } = workerData as FileThreadSetup;
let written: WrittenText[] = [];
const terminal: Terminal = {
  ...screen,
  write: text => written.push({ isError: false, text }),
  writeError: text => written.push({ isError: true, text }),
  readInput: async () => new Uint8Array(),
};

const ready = prepare();
port.on('message', async ({ index, inputs }: FilesRequest) => {
  try {
    const work = await ready;
    written = [];
    const results = await work(inputs);
    const result = { ...results, failures: results.failures.map(portableFailure) };
    post({ kind: 'done', index, count: inputs.length, result, written });
  } catch (error) {
    const failure = portableError(error) ?? uncloneable(error);
    if (failure === undefined) throw error;
    post({ kind: 'failed', failure });
  }
});

/** Custom lint rules can put anything into their results. */
function uncloneable(error: unknown): PortableFailure | undefined {
  if (!(error instanceof Error) || error.name !== 'DataCloneError') return undefined;
  const message = `threads cannot exchange the results: ${error.message}; run without \`--concurrency\``;
  return { name: 'UsageError', code: '', message };
}

/** What the preparation writes, the command has written already. */
async function prepare(): Promise<Work> {
  switch (command) {
    case 'check': {
      const { prepareCheck } = await import('./policies/check.ts');
      const work = await prepareCheck(options as CheckOptions, terminal);
      return inputs => work(inputs as readonly InputPart[]);
    }
    case 'fmt': {
      const { prepareFormat } = await import('./policies/format.ts');
      const work = await prepareFormat(options as FormatFilesOptions, terminal);
      return inputs => work(inputs as readonly InputPart[]);
    }
    case 'lint': {
      const { prepareLint } = await import('./lint/lint-run.ts');
      const work = await prepareLint(options as LintWork, terminal);
      return inputs => work(inputs as readonly InputPart[]);
    }
    case 'test': {
      const { prepareTests } = await import('./policies/test-policies.ts');
      const work = await prepareTests(options as TestPoliciesOptions, terminal);
      return inputs => work(inputs as readonly string[]);
    }
  }
}
