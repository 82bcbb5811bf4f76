import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../store/sqlite-store.ts';
import type { Delivery, Store } from '../store/store.ts';
import { backOff, type Dispatcher, startDispatcher } from './dispatcher.ts';
import { DeliveryError } from './signature.ts';

/** After the time of all events. */
const LATER = 4_000_000_000_000;

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
  // The clock advances by an hour per failure, so that no back-off has to be waited for.
  let clock = Date.now();
  await new Promise<void>(resolve => {
    dispatcher = startDispatcher({
      outbox: store.outbox,
      deliver,
      maxTries,
      now: () => clock,
      report: (delivery, outcome, reason = '') => {
        if (outcome === 'retried') clock += 3_600_000;
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

  it('delivers to a healthy receiver while another one hangs', async () => {
    const blank = { kind: 'thing', parentId: null, body: '{}', createdAt: '', refs: [], claims: [] };
    await store.write(async writer => {
      await writer.insert({ ...blank, id: 'd0' });
      await writer.insert({ ...blank, id: 's0', refs: ['d0', 'd1'] });
      await writer.setSources('s1', []);
      await writer.setSources('s0', ['thing_updated.v0']);
    });
    await publish(...Array.from({ length: 200 }, (_, index) => `${String.fromCodePoint(97 + (index % 20))}${index}`));
    const hanging = new Set<string>();
    let mostHanging = 0;
    const delivered = new Set<string>();
    await new Promise<void>(resolve => {
      dispatcher = startDispatcher({
        outbox: store.outbox,
        deliver: async ({ destinationId, eventId }, signal) => {
          if (destinationId === 'd1') return;
          hanging.add(eventId);
          mostHanging = Math.max(mostHanging, hanging.size);
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
        },
        maxTries: 3,
        now: () => LATER,
        report: ({ eventId }) => {
          delivered.add(eventId);
          if (delivered.size === 200) resolve();
        },
        reportFailure: error => {
          throw error;
        },
      });
    });
    expect([delivered.size, mostHanging, await store.outbox.pending()]).toEqual([200, 8, 200]);
  });

  it('attempts one event at a time while a receiver is down, and all of them when it works again', async () => {
    await publish(...Array.from({ length: 26 }, (_, index) => `${String.fromCodePoint(97 + index)}${index}`));
    let isUp = false;
    let running = 0;
    const concurrent: number[] = [];
    const seen = await outcomes(
      26 + 20,
      async () => {
        running += 1;
        await new Promise(resolve => setImmediate(resolve));
        concurrent.push(running);
        running -= 1;
        if (concurrent.length === 20) isUp = true;
        if (concurrent.length <= 20 || !isUp) throw new DeliveryError('busy');
      },
      12,
    );
    // The first eight are sent at once; then the receiver is down.
    expect(Math.max(...concurrent.slice(8, 21))).toBe(1);
    expect(seen.filter(line => line.includes('delivered'))).toHaveLength(26);
    expect(await store.outbox.pending()).toBe(0);
  });
});

it('doubles the delay after each failure, up to an hour, minus up to a random quarter', () => {
  expect([1, 2, 3, 12, 13, 100].map(failures => backOff(failures, () => 0))).toEqual([
    1000, 2000, 4000, 2_048_000, 3_600_000, 3_600_000,
  ]);
  expect(backOff(1, () => 1)).toBe(750);
});
