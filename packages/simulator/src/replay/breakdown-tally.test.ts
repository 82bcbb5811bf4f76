import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import { type Exchange, NO_HEADER_KNOWN } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { createSimulation } from '../simulation/simulation.ts';
import { BreakdownTally, breakdownSummary } from './breakdown-tally.ts';
import { CountedExchange } from './key-breakdown.ts';

const POLICY = {
  inbound: [
    { expressions: ["req.Method == 'POST'"], actions: [{ type: 'deny', config: { status_code: 405 } }] },
    { expressions: ["conn.ClientIP == '203.0.113.1'"], actions: [{ type: 'deny', config: { status_code: 403 } }] },
    { actions: [{ type: 'log', config: { metadata: {} } }] },
  ],
};

const SOURCE = new SourceText('p.json', JSON.stringify(POLICY));
const ANALYSIS = analyzePolicy(SOURCE, { profile: EDGE_V2, endpoint: 'https-route' });
const { judge } = createSimulation(ANALYSIS.policy, { profile: EDGE_V2, environments: ANALYSIS.environments }).begin();

const EXCHANGE: Exchange = {
  place: { file: 'a.log', number: 1, unit: 'line' },
  time: 0,
  clientIp: '203.0.113.7',
  tls: { version: undefined, cipherSuite: undefined, serverName: undefined },
  method: 'GET',
  target: '/a?b=c',
  url: undefined,
  protocol: 'HTTP/1.1',
  requestHeaders: NO_HEADER_KNOWN,
  response: { status: 200, headers: NO_HEADER_KNOWN, bodySize: 1 },
};

function counted(exchanges: readonly Exchange[], options: { top?: number; maxKeys?: number } = {}): BreakdownTally {
  const tally = new BreakdownTally(POLICY.inbound.length, { top: options.top ?? 2 }, options.maxKeys);
  for (const exchange of exchanges) tally.add(new CountedExchange(exchange), judge(exchange));
  return tally;
}

function exactly(text: string, count: number) {
  return { text, count: { least: count, most: count } };
}

const PASSED = { kind: 'passed', status: undefined, action: undefined };

describe('the breakdown of figures', () => {
  it('lists by rule which clients, paths and countries matched, and when', () => {
    const { rules } = counted([
      EXCHANGE,
      { ...EXCHANGE, target: '/a#c', time: 25 },
      { ...EXCHANGE, target: undefined, url: 'https://e.co?x', clientIp: undefined, method: 'POST' },
      { ...EXCHANGE, target: '/b', clientIp: '203.0.113.9' },
    ]).summary();
    expect(rules).toEqual([
      {
        matched: [1, 0],
        keys: {
          clients: { top: [], distinct: 0, unknown: 1 },
          paths: { top: [exactly('/', 1)], distinct: 1, unknown: 0 },
          countries: { top: [], distinct: 0, unknown: 1 },
        },
      },
      expect.objectContaining({ matched: [0, 0] }),
      {
        matched: [2, 1],
        keys: {
          clients: { top: [exactly('203.0.113.7', 2), exactly('203.0.113.9', 1)], distinct: 2, unknown: 0 },
          paths: { top: [exactly('/a', 1), exactly('/a#c', 1)], distinct: 3, unknown: 0 },
          countries: { top: [], distinct: 0, unknown: 3 },
        },
      },
    ]);
  });

  it('lists countries by their codes, or by their names if only these are known', () => {
    const located = [
      { countryCode: 'DE', country: 'Germany' },
      { country: 'France' },
      { countryCode: 'DE' },
      { countryCode: '' },
      {},
    ];
    const { keys } = counted(located.map(geo => ({ ...EXCHANGE, geo }))).summary().rules[2]!;
    expect(keys!.countries).toEqual({ top: [exactly('DE', 2), exactly('France', 1)], distinct: 2, unknown: 2 });
  });

  it('counts outcomes over time, with undetermined ones apart', () => {
    const { time } = counted([
      EXCHANGE,
      { ...EXCHANGE, method: 'POST', time: 99 },
      { ...EXCHANGE, clientIp: undefined, time: undefined },
      { ...EXCHANGE, clientIp: undefined, time: 3 },
    ]).summary();
    expect(time).toEqual({
      width: 10,
      starts: [0, 90],
      exchanges: [2, 1],
      outcomes: [
        { outcome: PASSED, counts: [1, 0] },
        { outcome: { kind: 'denied', status: 405, action: 'deny' }, counts: [0, 1] },
      ],
      undetermined: [1, 0],
      untimed: 1,
    });
  });

  it('compares recorded statuses with those that clients receive', () => {
    const responding = (status: number | undefined) => ({ status, headers: NO_HEADER_KNOWN, bodySize: 0 });
    const { statuses } = counted([
      EXCHANGE,
      EXCHANGE,
      { ...EXCHANGE, response: responding(404), method: 'POST' },
      { ...EXCHANGE, response: undefined },
      { ...EXCHANGE, response: responding(1e9), clientIp: undefined },
      { ...EXCHANGE, response: responding(undefined), method: 'POST' },
    ]).summary();
    expect(statuses).toEqual([
      { recorded: 200, after: 200, count: 2 },
      { recorded: 404, after: 405, count: 1 },
      { recorded: 'unknown', after: 405, count: 1 },
      { recorded: 'unknown', after: 'unknown', count: 1 },
      { recorded: 'unknown', after: 'undetermined', count: 1 },
    ]);
  });

  it('lists no keys if none are requested', () => {
    expect(counted([EXCHANGE], { top: 0 }).summary().rules[2]).toEqual({ matched: [1] });
  });

  it('keeps a bounded number of keys, and finds the frequent one among many', () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({
      ...EXCHANGE,
      clientIp: index % 3 === 0 ? '203.0.113.99' : `198.51.${index >> 8}.${index & 255}`,
      target: '/',
    }));
    const tally = counted(many, { maxKeys: 200 });
    const { clients, paths } = tally.summary().rules[2]!.keys!;
    expect(paths).toEqual({ top: [exactly('/', 3000)], distinct: 1, unknown: 0 });
    expect(clients.distinct).toBe(undefined);
    expect(clients.top[0]!.text).toBe('203.0.113.99');
    const { least, most } = clients.top[0]!.count;
    expect([least <= 1000, most >= 1000, most - least < 50]).toEqual([true, true, true]);
  });
});

describe('intervals of time', () => {
  const second = 1000;
  const widthOf = (width: number, starts: readonly number[]) => {
    const buckets = starts.map(start => ({ start, exchanges: 1, series: [1] }));
    const time = { width, buckets, untimed: 0 };
    return breakdownSummary({ ruleCount: 0, outcomes: [undefined], time, statuses: [], keys: undefined }).time.width;
  };

  it.each([
    ['a clock of seconds', 10, [0, second, 7 * second], second],
    ['a clock of minutes', 10, [0, 60 * second, 180 * second], 60 * second],
    ['a clock of days', second, [0, 1, 5].map(day => day * 86_400 * second), 86_400 * second],
    ['a clock of milliseconds', 10, [0, 1500], 10],
    ['a single time', 10, [second], 10],
    ['two times of which both are whole minutes', 10, [0, 60 * second], second],
    ['intervals that are longer than its step', 5 * second, [0, 5 * second, 15 * second], 5 * second],
  ])('are no finer than the clock: %s', (_, width, starts, expected) => {
    expect(widthOf(width, starts)).toBe(expected);
  });
});
