import { parentPort, workerData } from 'node:worker_threads';
import { ExternalError, InternalError } from '@tollgate/diagnostics';
import { prepareParts, type ReplayPart } from '@tollgate/simulator';
import { loadPolicy } from '../../policies/load-policy.ts';
import type { Terminal } from '../../process/terminal.ts';
import { replayOptions } from '../options/replay-options.ts';
import type { PartRequest, ThreadMessage, ThreadSetup } from './messages.ts';

// Runs in a thread: prepares the policy once, and replays the requested parts.

const port = parentPort;
if (port === null) throw new InternalError('not in a thread');
const post = (message: ThreadMessage) => port.postMessage(message);

/** The command has already printed these messages. */
const SILENT_TERMINAL: Omit<Terminal, 'env'> = {
  write: () => {},
  writeError: () => {},
  readInput: async () => new Uint8Array(),
  isInteractive: false,
};

/** Reporting after every batch took 3 % of the thread's time. */
const BYTES_PER_MESSAGE = 4 * 1024 * 1024;

const ready = prepare(workerData as ThreadSetup);
port.on('message', async ({ index, part }: PartRequest) => {
  try {
    const replayPart = await ready;
    post({ kind: 'done', index, data: await replayPart(part) });
  } catch (error) {
    if (!(error instanceof ExternalError)) throw error;
    post({ kind: 'failed', code: error.code, message: error.message });
  }
});

async function prepare({ args, breakdown, env }: ThreadSetup): Promise<ReplayPart> {
  const loaded = await loadPolicy(args.policy, args, { ...SILENT_TERMINAL, env });
  if ('refused' in loaded)
    throw new ExternalError('replay/policy-changed', `\`${args.policy}\` changed during the replay`);
  const { policy, environments, target } = loaded;
  const { files: _, ...options } = replayOptions(args, { profile: target.profile, environments });
  const read = { bytes: 0, exchanges: 0 };
  const printMessage = () => {
    post({ kind: 'read', ...read });
    [read.bytes, read.exchanges] = [0, 0];
  };
  const replayPart = prepareParts(policy, {
    ...options,
    ...(breakdown && { breakdown }),
    traffic: { ...options.traffic, onBytes: count => (read.bytes += count) },
    watch: {
      read: exchanges => {
        read.exchanges += exchanges;
        if (read.bytes >= BYTES_PER_MESSAGE) printMessage();
        return undefined;
      },
    },
  });
  return async part => {
    const data = await (await replayPart)(part);
    printMessage();
    return data;
  };
}
