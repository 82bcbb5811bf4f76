import { type Exchange, NO_HEADER_KNOWN, TLS_UNKNOWN } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { Selector, type TrafficSelection } from './select-exchanges.ts';
import type { DecisionCondition } from './traffic-condition.ts';

const exchangeAt = (number: number, time: number | undefined = number): Exchange => ({
  ...{ place: { file: 'a.log', number, unit: 'line' }, time, clientIp: undefined, tls: TLS_UNKNOWN, method: 'GET' },
  ...{ target: '/', url: undefined, protocol: undefined, requestHeaders: NO_HEADER_KNOWN, response: undefined },
});
const VERDICT = { outcomes: [], needs: [], hits: [], notReached: [], status: 'recorded' } as const;

function select(selection: TrafficSelection, exchanges: readonly Exchange[]) {
  const numbers: number[] = [];
  const selector = new Selector(selection, ({ exchange }) => numbers.push(exchange.place.number));
  for (const exchange of exchanges)
    if (selector.mayTake(exchange)) selector.offer({ exchange, verdict: VERDICT, decision: undefined });
  return { numbers, ...selector.finish() };
}

const MANY = Array.from({ length: 20_000 }, (_, index) => exchangeAt(index + 1));

function conditionOf(holds: (number: number) => boolean | undefined): DecisionCondition {
  return { holds: ({ place }) => holds(place.number), valuesOf: () => [], reads: [] };
}

describe('a selection of exchanges', () => {
  it('contains what it begins with and not what it ends with, and counts unknown times', () => {
    const some = [exchangeAt(1), exchangeAt(2), exchangeAt(3), { ...exchangeAt(4), time: undefined }];
    expect(select({ since: 2, until: 3 }, some)).toEqual({ numbers: [2], selected: 1, unknown: 1 });
    expect(select({}, some)).toEqual({ numbers: [1, 2, 3, 4], selected: 4, unknown: 0 });
  });

  it('counts where the condition is unknown', () => {
    const where = conditionOf(number => (number === 2 ? undefined : number > 2));
    expect(select({ where }, MANY.slice(0, 4))).toEqual({ numbers: [3, 4], selected: 2, unknown: 1 });
  });

  it.each([1, 7, 100, 5000, 20_000, 30_000])('has a sample of %i', count => {
    const { numbers, selected } = select({ sample: { count, seed: 1 } }, MANY);
    expect(selected).toBe(Math.min(count, MANY.length));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(select({ sample: { count, seed: 1 } }, MANY).numbers).toEqual(numbers);
  });

  it.each([1, 10, 50, 100])('has a share of %i percent, more or less', percent => {
    const { selected } = select({ sample: { percent, seed: 1 } }, MANY);
    expect(Math.abs(selected - (MANY.length * percent) / 100)).toBeLessThan(250);
  });

  it('depends on the seed, and samples from what the other conditions select', () => {
    const sampleOf = (seed: number) => select({ sample: { count: 50, seed } }, MANY).numbers;
    expect(sampleOf(1)).not.toEqual(sampleOf(2));
    const where = conditionOf(number => number % 2 === 0);
    const { numbers } = select({ where, sample: { count: 50, seed: 1 } }, MANY);
    expect([numbers.length, numbers.every(number => number % 2 === 0)]).toEqual([50, true]);
  });
});
