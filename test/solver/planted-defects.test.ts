import { readFileSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import { findsContradiction, findsCovered, PLANTED } from '../../scripts/reference/planted-defects.ts';

// `npm run check:generated` compares the page with the linter.
const PAGE = readFileSync(new URL('../../docs/reference/planted.md', import.meta.url), 'utf8');

/** Defects of a class that are planted here: some of them, or all in a deep run. */
function sampleOf<T>(planted: readonly T[]): readonly T[] {
  return inject('isDeep') ? planted : planted.filter((_, at) => at % 7 === 0);
}

describe.each([...PLANTED])('planted defects: %s', (name, planted) => {
  it('are reported, at least 95 %', () => {
    const row = PAGE.split('\n').find(line => line.startsWith(`| ${name} |`));
    const found = [...row!.matchAll(/\| (\d+) of (\d+) /g)].map(([, count, all]) => [Number(count), Number(all)]);
    expect(found.map(([, all]) => all)).toEqual([planted.length, planted.length]);
    for (const [count, all] of found) expect(count! / all!).toBeGreaterThanOrEqual(0.95);
  });

  it('are reported as the page says', () => {
    const some = sampleOf(planted);
    const missed = [findsCovered, findsContradiction].map(finds => some.filter(one => !finds(one)));
    for (const one of missed)
      expect({ one, isEnough: one.length <= planted.length * 0.05 }).toMatchObject({ isEnough: true });
  });
});

// A request for `https://admin.example/x` with `Host: admin.example:443` or `Host: ADMIN.EXAMPLE` reaches the second rule.
it.each([
  ["req.Host == 'admin.example'", "req.URL.startsWith('https://admin.example/')"],
  ["req.Host.endsWith('.example')", "req.URL.matches('^https://[a-z]+[.]example/')"],
  ["req.Host == 'admin.example' && req.Path == '/x'", "req.URL == 'https://admin.example/x?q=1'"],
  ["req.Host.startsWith('admin.example')", "req.URL.startsWith('https://admin.example/')"],
])('are not reported where `Host` may have a port, or capitals: %s', (earlier, covered) => {
  const one = { earlier: [earlier], covered };
  expect([findsCovered(one), findsContradiction(one)]).toEqual([false, false]);
});
