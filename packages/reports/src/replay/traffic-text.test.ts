import { PLAIN } from '@tollgate/diagnostics';
import type { KeySummary, PolicySummary, RuleSummary } from '@tollgate/simulator';
import { describe, expect, it } from 'vitest';
import { topSection } from './traffic-text.ts';

const NONE: KeySummary = { top: [], distinct: 0, unknown: 0 };

function exactly(text: string, count: number) {
  return { text, count: { least: count, most: count } };
}

function part(matches: readonly number[], clients: KeySummary, countries: KeySummary = NONE) {
  const rules = matches.map(
    (matched, index): RuleSummary => ({
      ...{ phase: 'inbound', index, name: 'a name', matched, notMatched: 0, failed: 0, notReached: 0, undetermined: 0 },
      ...{ actions: [], errors: [], needs: [] },
    }),
  );
  const time = { width: 10, starts: [], exchanges: [], outcomes: [], undetermined: [], untimed: 0 };
  const keys = { clients, paths: NONE, countries };
  const summary: PolicySummary = {
    ...{ rules, outcomes: [], undetermined: { exchanges: 0, needs: [] } },
    breakdown: { time, statuses: [], rules: matches.map(() => ({ matched: [], keys })) },
  };
  return { exchanges: 100, summary };
}

describe('the most frequent matches', () => {
  it('wrap between keys, and show how many are not listed', () => {
    const clients = { top: [exactly('203.0.113.1', 1200), exactly('203.0.113.2', 4)], distinct: 7, unknown: 3 };
    const countries = { top: [{ text: 'DE', count: { least: 2, most: 5 } }], distinct: undefined, unknown: 0 };
    expect(topSection(part([9], clients, countries), { paint: PLAIN, width: 40 })).toBe(`  most frequent matches
  inbound 1  a name
    clients    203.0.113.1 (1,200),
               203.0.113.2 (4),
               7 in total; 3 unknown
    countries  DE (2–5),
               and too many to count all`);
  });

  it('shows the rules with the most matches if there are many', () => {
    const matches = Array.from({ length: 60 }, (_, index) => 60 - index);
    const text = topSection(part(matches, { ...NONE, top: [exactly('::1', 1)] }), { paint: PLAIN, width: 80 });
    const lines = text.split('\n');
    expect([lines.length, lines[1], lines.at(-3), lines.at(-1)]).toEqual([
      102,
      '  inbound 1  a name',
      '  inbound 50  a name',
      '  … and 10 rules with fewer matches',
    ]);
  });

  it('are empty if all keys are unknown', () => {
    expect(topSection(part([9], { ...NONE, unknown: 9 }), { paint: PLAIN, width: 80 })).toBe('');
  });
});
