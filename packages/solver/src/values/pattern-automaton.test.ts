import { compileRe2 } from '@tollgate/cel/tooling';
import { expect, it } from 'vitest';
import { intervalOf } from './automaton.ts';
import { patternProgram } from './pattern-automaton.ts';

it('reads the program of the RE2 library, whose form is not public', () => {
  const program = patternProgram('^a|b$');
  expect(program?.size).toBeGreaterThan(4);
  expect(program?.closure([program.start], 0, 2).readers).toHaveLength(2);
  expect(program?.closure([program.start], 3, 2).readers).toHaveLength(1);
});

it('has no program for an invalid pattern', () => {
  expect(patternProgram('(')).toBeUndefined();
});

it('separates all characters that a pattern treats differently when it ignores case', () => {
  const letters = ['k', 's', 'ß', 'i', 'µ', 'θ', 'ω', 'å', 'ǆ', 'ᾳ', 'σ', 'ꙋ', 'ა', 'ı'];
  for (const letter of letters) {
    const program = patternProgram(`(?i)${letter}`)!;
    const engine = compileRe2(`(?i)${letter}`);
    const test = 'test' in engine ? engine.test : undefined;
    const byInterval = new Map<number, boolean>();
    for (let point = 0; point < 0x2_0000; point++) {
      if (point >= 0xd800 && point < 0xe000) continue;
      const interval = intervalOf(program.cuts, point);
      const matches = test!(String.fromCodePoint(point));
      const known = byInterval.get(interval) ?? matches;
      byInterval.set(interval, known);
      if (known !== matches) expect({ letter, point: point.toString(16) }).toBe('treated like its neighbours');
    }
  }
});
