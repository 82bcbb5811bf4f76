import { type Members, membersAt, stringAt } from '../api/members.ts';
import type { SecretBox } from '../security/secret-box.ts';
import { openedBody } from '../service/records/answer.ts';
import type { Delivery, Store } from '../store/port/store.ts';
import { DeliveryError } from './delivery-error.ts';
import { appendEvent } from './file-target.ts';

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
