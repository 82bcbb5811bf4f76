import { parseBody } from '../../api/members.ts';
import type { StoredRecord } from '../../store/port/store.ts';
import { shapeOfRecord } from './answer.ts';
import type { ServiceContext } from './context.ts';
import { changeSecrets } from './shape-walk.ts';

/** The only kind with fields that became secrets after a release: the URLs and headers of webhooks. */
const KIND = 'event_destination';
const PAGE = 100;

/** Encrypts what was stored before its field became a secret. */
export async function sealPlainSecrets(context: Pick<ServiceContext, 'store' | 'box'>): Promise<void> {
  const { store } = context;
  let page: readonly StoredRecord[] = [];
  do {
    page = await store.page(KIND, { beforeId: page.at(-1)?.id, limit: PAGE });
    for (const record of page) if (sealedBody(context, record) !== undefined) await seal(context, record.id);
  } while (page.length === PAGE);
}

async function seal(context: Pick<ServiceContext, 'store' | 'box'>, id: string): Promise<void> {
  await context.store.write(async writer => {
    // Another process may have changed it since.
    const record = await writer.lock(id);
    const body = record && sealedBody(context, record);
    if (body !== undefined) await writer.update({ id, body });
  });
}

/** Returns the body with its plain secrets encrypted; undefined if there are none. */
function sealedBody({ box }: Pick<ServiceContext, 'box'>, record: StoredRecord): string | undefined {
  const body = parseBody(record.body);
  const sealed = changeSecrets(shapeOfRecord(record), body, (stored, place) =>
    box.isSealed(stored) ? stored : box.seal(stored, `${record.id}${place}`),
  );
  return sealed === body ? undefined : JSON.stringify(sealed);
}
