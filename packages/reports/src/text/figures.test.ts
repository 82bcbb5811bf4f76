import { describe, expect, it } from 'vitest';
import { drawBar, formatBounds, formatCount, formatPercentage, pluralize } from './figures.ts';

describe('figures', () => {
  it('have thousands separators', () => {
    expect([formatCount(1_234_567), pluralize(1, 'rule'), pluralize(0, 'rule')]).toEqual([
      '1,234,567',
      '1 rule',
      '0 rules',
    ]);
    expect([formatBounds({ least: 2, most: 2 }), formatBounds({ least: 0, most: 1200 })]).toEqual(['2', '0–1,200']);
  });

  it.each([
    [0, 0, '0 %'],
    [1, 1000, '<1–100 %'],
    [999, 999, '>99 %'],
    [250, 500, '25–50 %'],
  ])('show %i to %i of 1,000 as %s', (least, most, text) => {
    expect(formatPercentage({ least, most }, 1000)).toBe(text);
  });

  it.each([
    [0, 0, ''],
    [1, 1, '█'],
    [0, 1, '░'],
    [12, 24, `${'█'.repeat(12)}${'░'.repeat(12)}`],
    [24, 24, '█'.repeat(24)],
    [23, 24, `${'█'.repeat(23)}░`],
  ])('draw %i to %i of 24 as %s', (least, most, bar) => {
    expect(drawBar({ least, most }, 24)).toBe(bar);
  });
});
