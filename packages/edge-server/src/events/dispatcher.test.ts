import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Delivery, Store } from '../store/port/store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { DeliveryError } from './delivery-error.ts';
import { type Dispatcher, startDispatcher } from './dispatcher.ts';

let folder: string;
let store: Store;
let dispatcher: Dispatcher | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-dispatcher-'));
  store = await openSqliteStore(join(folder, 'test.db'));
  const blank = { kind: 'thing', parentId: null, body: '{}', createdAt: '', refs: [], claims: [] };
  await store.write(async writer => {
    await writer.insert({ ...blank, id: 'd1' });
    await writer.insert({ ...blank, id: 's1', refs: ['d1'] });
    await writer.setSources('s1', ['thing_updated.v0']);
  });
});

afterEach(async () => {
  await dispatcher?.stop();
  await store.close();
  rmSync(folder, { recursive: true });
});

async function publish(...ids: readonly string[]): Promise<void> {
  await store.write(async writer => {
    for (const id of ids) {
      await writer.publish({ id, type: 'thing_updated.v0', resourceId: id[0]!, body: () => `{"id":"${id}"}` });
    }
  });
}

/** Runs a dispatcher until it has reported this many outcomes. */
async function outcomes(
  count: number,
  deliver: (delivery: Delivery) => Promise<void>,
  maxTries = 3,
): Promise<string[]> {
  const seen: string[] = [];
  // The clock advances by an hour per call, so that no back-off has to be waited for.
  let clock = Date.now();
  await new Promise<void>(resolve => {
    dispatcher = startDispatcher({
      outbox: store.outbox,
      deliver,
      maxTries,
      now: () => {
        clock += 3_600_000;
        return clock;
      },
      report: (delivery, outcome, reason = '') => {
        seen.push(`${delivery.eventId} ${outcome} ${reason}`.trim());
        if (seen.length === count) resolve();
      },
      reportFailure: error => {
        throw error;
      },
    });
  });
  return seen;
}

describe('the dispatcher', () => {
  it('delivers the events of each resource in order, even if one is retried', async () => {
    await publish('a1', 'a2', 'b1', 'a3', 'b2');
    let failures = 2;
    const seen = await outcomes(7, async ({ eventId }) => {
      if (eventId === 'a2' && failures > 0) {
        failures -= 1;
        throw new DeliveryError('busy');
      }
    });
    expect(seen.filter(line => line.startsWith('a'))).toEqual([
      'a1 delivered',
      'a2 retried busy',
      'a2 retried busy',
      'a2 delivered',
      'a3 delivered',
    ]);
    expect(seen.filter(line => line.startsWith('b'))).toEqual(['b1 delivered', 'b2 delivered']);
    expect(await store.outbox.pending()).toBe(0);
  });

  it('abandons an event after the last attempt and continues with the next', async () => {
    await publish('a1', 'a2');
    const seen = await outcomes(4, async ({ eventId }) => {
      if (eventId === 'a1') throw new Error('gone');
    });
    expect(seen).toEqual(['a1 retried gone', 'a1 retried gone', 'a1 dead gone', 'a2 delivered']);
    expect((await store.outbox.deadLetters(5)).map(one => [one.eventId, one.attempts, one.lastError])).toEqual([
      ['a1', 3, 'gone'],
    ]);
  });

  it('does not retry final failures', async () => {
    await publish('a1');
    const seen = await outcomes(1, async () => {
      throw new DeliveryError('never', { isFinal: true });
    });
    expect(seen).toEqual(['a1 dead never']);
  });

  it('sends new events when woken', async () => {
    const delivered = new Promise<string>(resolve => {
      dispatcher = startDispatcher({
        outbox: store.outbox,
        deliver: async delivery => resolve(delivery.eventId),
        maxTries: 1,
        now: Date.now,
        report: () => undefined,
        reportFailure: () => undefined,
      });
    });
    await publish('a1');
    dispatcher?.wake();
    expect(await delivered).toBe('a1');
  });
});
