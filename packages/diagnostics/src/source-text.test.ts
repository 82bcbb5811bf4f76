import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { humanPosition, lineStart, SourceText } from './source-text.ts';

it.each([
  ['', 0, 0],
  ['ab', 2, 0],
  ['a\nb', 1, 0],
  ['a\nb', 2, 2],
  ['a\r\nb\r\n', 6, 6],
  ['\n', 0, 0],
  ['\n', 1, 1],
  ['\n\na', 0, 0],
])('the line of %j at %i begins at %i', (text, offset, start) => {
  expect(lineStart(text, offset)).toBe(start);
});

describe('SourceText', () => {
  it('ends lines at LF, CR LF and CR', () => {
    const source = new SourceText('u', 'a\nb\r\nc\rd');
    expect(source.lineCount).toBe(4);
    expect([0, 1, 2, 3].map(line => source.lineRange(line))).toEqual([
      { start: 0, end: 1 },
      { start: 2, end: 3 },
      { start: 5, end: 6 },
      { start: 7, end: 8 },
    ]);
  });

  it('clamps positions outside the source', () => {
    const source = new SourceText('u', 'ab\nc');
    expect(source.positionAt(-1)).toEqual({ line: 0, character: 0 });
    expect(source.positionAt(99)).toEqual({ line: 1, character: 1 });
    expect(source.offsetAt({ line: 0, character: 99 })).toBe(2);
    expect(source.offsetAt({ line: 9, character: 0 })).toBe(4);
    expect(source.offsetAt({ line: -1, character: 5 })).toBe(0);
  });

  it('converts offsets to positions and back without loss, except inside CR LF', () => {
    const text = fc.array(fc.constantFrom('a', '\n', '\r', '\r\n', '𝒳', 'é')).map(parts => parts.join(''));
    fc.assert(
      fc.property(text, fc.nat({ max: 40 }), (value, at) => {
        const offset = Math.min(at, value.length);
        const source = new SourceText('u', value);
        const isInsideBreak = value.slice(offset - 1, offset + 1) === '\r\n' && offset > 0;
        const back = source.offsetAt(source.positionAt(offset));
        expect(back).toBe(isInsideBreak ? offset - 1 : offset);
      }),
    );
  });

  it('has the lines of the new text after an edit', () => {
    const piece = fc.array(fc.constantFrom('a', '\n', '\r', '\r\n'), { maxLength: 6 }).map(parts => parts.join(''));
    const edits = fc.array(fc.tuple(fc.nat(12), fc.nat(3), piece), { maxLength: 4 });
    fc.assert(
      fc.property(piece, piece, edits, (before, more, changes) => {
        let source = new SourceText('u', before + more);
        for (const [where, length, newText] of changes) {
          expect(source.lineCount).toBeGreaterThan(0);
          const start = Math.min(where, source.text.length);
          source = source.edited({ range: { start, end: Math.min(start + length, source.text.length) }, newText });
        }
        const fresh = new SourceText('u', source.text);
        const lines = (one: SourceText) => Array.from({ length: one.lineCount }, (_, line) => one.lineRange(line));
        expect(lines(source)).toEqual(lines(fresh));
      }),
    );
  });

  it('counts columns for people from one, by code points', () => {
    expect(humanPosition(new SourceText('u', 'a\n𝒳b'), 4)).toEqual({ line: 2, column: 2 });
  });
});
