import { readFileSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import { findsContradiction, findsCovered, PLANTED } from '../../scripts/reference/planted-defects.ts';

// `npm run check:generated` compares the page with the linter.
const PAGE = readFileSync(new URL('../../docs/reference/planted.md', import.meta.url), 'utf8');

/** Defects of a class that are planted here: some of them, or all in a deep run. */
function sampleOf<T>(planted: readonly T[]): readonly T[] {
  return inject('isDeep') ? planted : planted.filter((_, at) => at % 7 === 0);
}

/** Shares of classes in which some cannot be proved. */
const LEAST: Readonly<Record<string, number>> = {
  // A URL does not tell the host where the port in `Host` may be another one.
  'URL against path and host': 0.5,
};

describe.each([...PLANTED])('planted defects: %s', (name, planted) => {
  const least = LEAST[name] ?? 0.95;

  it('are reported, nearly all of them', () => {
    const row = PAGE.split('\n').find(line => line.startsWith(`| ${name} |`));
    const found = [...row!.matchAll(/\| (\d+) of (\d+) /g)].map(([, count, all]) => [Number(count), Number(all)]);
    expect(found.map(([, all]) => all)).toEqual([planted.length, planted.length]);
    for (const [count, all] of found) expect(count! / all!).toBeGreaterThanOrEqual(least);
  });

  it('are reported as the page says', () => {
    const some = sampleOf(planted);
    const missed = [findsCovered, findsContradiction].map(finds => some.filter(one => !finds(one)));
    for (const one of missed)
      expect({ one, isEnough: one.length <= planted.length * (1 - least) }).toMatchObject({ isEnough: true });
  });
});
