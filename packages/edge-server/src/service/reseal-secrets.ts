// Encrypts stored secrets again, with another key.

import type { RecordKindName } from '@tollgate/edge-api';
import { parseBody } from '../api-error.ts';
import { keyIdOf } from '../security/encryption.ts';
import type { StoredRecord } from '../store/store.ts';
import { shapeOfRecord } from './answers.ts';
import { type ServiceContext, SHAPE_OF_RECORD } from './context.ts';
import { changeSecrets } from './shape-walk.ts';

type Context = Pick<ServiceContext, 'store' | 'box'>;

/** Returns the ciphertext to store instead of a stored secret; the same one if nothing changes. */
type Reseal = (stored: string, place: string) => string;

/** The only kind with fields that became secrets after a release: the URLs and headers of webhooks. */
const PLAIN_BEFORE = 'event_destination';
const PAGE = 100;

/** Encrypts what was stored before its field became a secret. */
export async function sealPlainSecrets(context: Context): Promise<void> {
  await resealKind(context, PLAIN_BEFORE, (stored, place) =>
    context.box.isSealed(stored) ? stored : context.box.seal(stored, place),
  );
}

/** What a rotation did. */
export interface Rotation {
  /** How many secrets were encrypted again, and in how many records. */
  readonly secrets: number;
  readonly records: number;
  /** The places of the secrets that cannot be decrypted, and the identifiers of their keys. */
  readonly unreadable: readonly { readonly place: string; readonly keyId: string }[];
}

/** Encrypts every secret with the current key. Those that cannot be decrypted stay as they are. */
export async function rotateSecrets(context: Context): Promise<Rotation> {
  const { box } = context;
  const done = { secrets: 0, records: 0 };
  const unreadable = new Map<string, string>();
  const reseal: Reseal = (stored, place) => {
    if (!box.isSealed(stored)) return box.seal(stored, place);
    if (box.isCurrent(stored)) return stored;
    const opened = box.tryOpen(stored, place);
    if ('secret' in opened) return box.seal(opened.secret, place);
    unreadable.set(place, keyIdOf(stored));
    return stored;
  };
  for (const kind of SHAPE_OF_RECORD.keys()) {
    const counts = await resealKind(context, kind as RecordKindName, reseal);
    done.secrets += counts.secrets;
    done.records += counts.records;
  }
  return { ...done, unreadable: [...unreadable].map(([place, keyId]) => ({ place, keyId })) };
}

async function resealKind({ store }: Context, kind: RecordKindName, reseal: Reseal) {
  const counts = { secrets: 0, records: 0 };
  let page: readonly StoredRecord[] = [];
  do {
    page = await store.page(kind, { beforeId: page.at(-1)?.id, limit: PAGE });
    for (const { id } of page.filter(record => resealed(record, reseal).secrets > 0)) {
      const secrets = await store.write(async writer => {
        // Another process may have changed it since.
        const record = await writer.lock(id);
        const { body, secrets: changed } = record ? resealed(record, reseal) : { body: '', secrets: 0 };
        if (changed > 0) await writer.update({ id, body });
        return changed;
      });
      counts.secrets += secrets;
      counts.records += Number(secrets > 0);
    }
  } while (page.length === PAGE);
  return counts;
}

function resealed(record: StoredRecord, reseal: Reseal): { readonly body: string; readonly secrets: number } {
  let secrets = 0;
  const body = changeSecrets(shapeOfRecord(record), parseBody(record.body), (stored, place) => {
    const sealed = reseal(stored, `${record.id}${place}`);
    if (sealed !== stored) secrets += 1;
    return sealed;
  });
  return { body: JSON.stringify(body), secrets };
}
