import { jsonText } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fit, MAX_ANSWER } from './answers.ts';

describe('fit', () => {
  it('leaves a small answer alone', () => {
    expect(fit({ total: 1, findings: [{ line: 1 }] })).toEqual({ total: 1, findings: [{ line: 1 }] });
  });

  it('shortens the longest lists from their ends, and names them', () => {
    const lists = fc.array(fc.string({ maxLength: 300, unit: fc.constantFrom('a', '\u202e', '\u009b') }), {
      maxLength: 120,
      size: 'max',
    });
    fc.assert(
      fc.property(lists, lists, (rules, examples) => {
        const fitted = fit({ total: rules.length, rules, examples });
        expect(jsonText(fitted).length).toBeLessThanOrEqual(MAX_ANSWER);
        for (const [key, list] of Object.entries({ rules, examples })) {
          const kept = fitted[key] as readonly string[];
          expect(list.slice(0, kept.length)).toEqual(kept);
          const isShortened = Array.isArray(fitted.shortened) && fitted.shortened.includes(key);
          expect(isShortened).toBe(kept.length < list.length);
        }
      }),
    );
  });
});
