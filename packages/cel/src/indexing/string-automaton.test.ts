import { describe, expect, it } from 'vitest';
import { type Mode, StringAutomaton } from './string-automaton.ts';

const TEXTS = ['he', 'she', 'his', 'hers', 'é', 's'];

function found(mode: Mode, text: string): readonly string[] {
  const out: number[] = [];
  new StringAutomaton(TEXTS, mode).find(text, out);
  return out.map(position => TEXTS[position]!);
}

describe('a string automaton', () => {
  it.each<[Mode, string, readonly string[]]>([
    ['prefix', 'hershey', ['he', 'hers']],
    ['prefix', 'élan', ['é']],
    ['prefix', 'x', []],
    ['suffix', 'ushers', ['s', 'hers']],
    ['suffix', 'she', ['he', 'she']],
    ['substring', 'ushers', ['s', 'she', 'he', 'hers', 's']],
    ['substring', 'café his', ['é', 'his', 's']],
    ['substring', 'hexe', ['he']],
    ['substring', '', []],
  ])('finds by %s in %j', (mode, text, expected) => {
    expect(found(mode, text)).toEqual(expected);
  });

  it('rejects strings whose tables would be large', () => {
    expect(StringAutomaton.isSmall(TEXTS)).toBe(true);
    expect(StringAutomaton.isSmall(['a'.repeat(3_000_000)])).toBe(true);
    expect(StringAutomaton.isSmall(['a'.repeat(3_000_000), 'b'])).toBe(false);
  });
});
