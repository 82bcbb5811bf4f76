// Delivers an event to its destination: a webhook, a file or standard output.

import { constants } from 'node:fs';
import { mkdir, open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { writeProblem } from '@tollgate/diagnostics';
import { type Members, membersAt, stringAt } from '../api-error.ts';
import type { SecretBox } from '../security/encryption.ts';
import { openedBody } from '../service/answers.ts';
import type { Delivery, Store } from '../store/store.ts';
import { DeliveryError } from './signature.ts';

/** Must be shorter than a lease. */
const WEBHOOK_TIMEOUT = 15_000;

/** The dependencies of event delivery. */
interface DeliverOptions {
  readonly store: Pick<Store, 'get'>;
  readonly box: SecretBox;
  readonly allowPrivate: boolean;
  /** The folder for event files; undefined if none is configured. */
  readonly folder: string | undefined;
  readonly writeLine: (line: string) => void;
  readonly now: () => number;
}

/** Returns a function that sends an event to the target of its destination. */
export function createDelivery(options: DeliverOptions): (delivery: Delivery, signal: AbortSignal) => Promise<void> {
  return async (delivery, signal) => {
    const record = await options.store.get(delivery.destinationId);
    if (!record) throw new DeliveryError('the destination does not exist any more', { isFinal: true });
    const target = membersAt(openedBody(options, record), 'target') ?? {};
    await send(target, delivery, signal, options);
  };
}

async function send(target: Members, delivery: Delivery, signal: AbortSignal, options: DeliverOptions): Promise<void> {
  const { eventId: id, body } = delivery;
  const [http, file] = [membersAt(target, 'http'), membersAt(target, 'file')];
  if (http) {
    const webhook = { url: stringAt(http, 'url') ?? '', headers: headersOf(http), secret: stringAt(http, 'secret') };
    const { allowPrivate, now } = options;
    // Loaded late because it loads TLS, which many servers never need.
    const { callWebhook } = await import('./webhook.ts');
    await callWebhook(webhook, { id, body }, { allowPrivate, now, signal, timeout: WEBHOOK_TIMEOUT });
  } else if (file) {
    if (options.folder === undefined) throw new DeliveryError('no folder for events is configured', { isFinal: true });
    await appendEvent(options.folder, stringAt(file, 'path') ?? '', body);
  } else if (membersAt(target, 'stdout')) {
    options.writeLine(body);
  } else {
    const kind = Object.keys(target).find(key => membersAt(target, key)) ?? 'nothing';
    throw new DeliveryError(`this server does not deliver to \`${kind}\``, { isFinal: true });
  }
}

function headersOf(target: Members): Readonly<Record<string, string>> {
  const entries = Object.entries(membersAt(target, 'headers') ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** Appends a line to a file below the folder and syncs it. @throws DeliveryError */
export async function appendEvent(folder: string, path: string, line: string): Promise<void> {
  const target = resolve(folder, path);
  if (!isBelow(folder, target)) throw outside(path);
  try {
    await mkdir(dirname(target), { recursive: true });
    // A link inside the folder may point outside.
    if (!isBelow(await realpath(folder), resolve(await realpath(dirname(target)), 'x'))) throw outside(path);
    const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW;
    const file = await open(target, flags, 0o600);
    try {
      await file.write(`${line}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof DeliveryError) throw cause;
    throw new DeliveryError(`cannot write \`${path}\`: ${writeProblem(cause)}`, { cause });
  }
}

function isBelow(folder: string, path: string): boolean {
  const inside = relative(resolve(folder), path);
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

function outside(path: string): DeliveryError {
  return new DeliveryError(`\`${path}\` is outside the folder for events`, { isFinal: true });
}
