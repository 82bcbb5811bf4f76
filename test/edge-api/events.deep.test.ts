import { EVENT_TYPES, eventTypeOf, OPERATION_IDS, type OperationId, operationOf } from '@tollgate/edge-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiFixture } from './api-fixture.ts';
import { operationCases } from './cases/operation-cases.ts';
import { type Started, startForTest } from './start.ts';

let started: Started;

beforeAll(async () => {
  started = await startForTest();
});

afterAll(() => started?.stop());

interface Event {
  readonly event_id: string;
  readonly event_type: string;
  readonly event_timestamp: string;
  readonly account_id: string;
  readonly principal: { readonly id: string; readonly source: string };
  readonly object: Readonly<Record<string, unknown>>;
}

it('emits the documented event for every operation', async () => {
  const api = createApiFixture(started);
  const { id } = await api.make('event_destination', { format: 'json', target: { stdout: {} } });
  const sources = EVENT_TYPES.map(type => ({ type }));
  await api.make('event_subscription', { sources, destination_ids: [id] });
  // Those that emit nothing succeed in the suite of the contract.
  const emitting = operationCases().filter(({ row }) => eventTypeOf(operationOf(row as OperationId)) !== undefined);
  for (const { name, run } of emitting) if (/ answers 20\d, as described$/.test(name)) await run(api);
  const wanted = [...new Set(OPERATION_IDS.flatMap(one => eventTypeOf(operationOf(one)) ?? []))].sort();
  const events = () => started.written.map(line => JSON.parse(line) as Event);
  const types = () => [...new Set(events().map(event => event.event_type))].sort();
  await expect.poll(types, { timeout: 600_000 }).toEqual(wanted);
  for (const event of events()) {
    expect(event.event_id).toMatch(/^ev_[0-9A-Za-z]{27}$/);
    expect(event.event_timestamp).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
    expect(event.account_id).toMatch(/^ac_/);
    expect([event.principal.source, typeof event.object]).toEqual(['API', 'object']);
  }
});
