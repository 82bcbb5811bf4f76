import { describe, expect, it } from 'vitest';
import { codeFrame, displayWidth } from './code-frame.ts';
import { SourceText } from './source-text.ts';

/** A frame of the source between `«` and `»`, which are removed. */
function frameOf(marked: string, width?: number): string {
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  const source = new SourceText('p.yaml', marked.replace(/[«»]/g, ''));
  return `\n${codeFrame(source, { start, end }, width === undefined ? {} : { width })}\n`;
}

describe('codeFrame', () => {
  it('puts carets under exactly the characters of the range', () => {
    expect(frameOf('a: 1\nb: «req.Metod» == 2\nc: 3')).toBe(`
 --> p.yaml:2:4
  |
2 | b: req.Metod == 2
  |    ^^^^^^^^^
`);
  });

  it('marks an empty range with one caret, also at the end of the source', () => {
    expect(frameOf('key:«»')).toBe(`
 --> p.yaml:1:5
  |
1 | key:
  |     ^
`);
    expect(frameOf('a: 1\n«»')).toBe(`
 --> p.yaml:2:1
  |
2 |
  | ^
`);
  });

  it.each([
    ['tabs', '\ta:\t«b»', '1 |     a:  b', '  |         ^'],
    ['wide characters', "x: '日本' «==» y", "1 | x: '日本' == y", '  |           ^^'],
    ['wide characters in the range', '«日本» x', '1 | 日本 x', '  | ^^^^'],
    ['emoji joined of several', "a: '👩‍👩‍👧' «b»", "1 | a: '👩‍👩‍👧' b", '  |         ^'],
    ['combining marks', 'e\u0301 «b»', '1 | e\u0301 b', '  |   ^'],
    ['characters beyond the basic plane', '𝒳 «b»', '1 | 𝒳 b', '  |   ^'],
    ['escape sequences made visible', 'a\u001b[31m «b»', '1 | a␛[31m b', '  |        ^'],
    ['marks of direction made visible', 'a\u202e «b»', '1 | a\ufffd b', '  |    ^'],
  ])('aligns carets with %s', (_, marked, text, carets) => {
    const lines = frameOf(marked).split('\n');
    expect([lines[3], lines[4]]).toEqual([text, carets]);
  });

  it('counts columns by code points', () => {
    expect(frameOf('𝒳𝒳 «b»').split('\n')[1]).toBe(' --> p.yaml:1:4');
  });

  it('marks every line of a short range, without its indentation', () => {
    expect(frameOf('a: «b\n  c:\r\n    d» e')).toBe(`
 --> p.yaml:1:4
  |
1 | a: b
  |    ^
2 |   c:
  |   ^^
3 |     d e
  |     ^
`);
  });

  it('omits the middle of a long range', () => {
    expect(frameOf(`«1\n2\n3\n4\n5\n6\n7\n8\n9\n10»`)).toBe(`
  --> p.yaml:1:1
   |
 1 | 1
   | ^
 2 | 2
   | ^
 3 | 3
   | ^
...
10 | 10
   | ^^
`);
  });

  it('does not touch the line after a range that ends with a line break', () => {
    expect(frameOf('«ab\n»c')).toBe(`
 --> p.yaml:1:1
  |
1 | ab
  | ^^
`);
  });

  it('clips long lines around the range, on either side', () => {
    expect(frameOf(`${'a'.repeat(50)}«bb»${'c'.repeat(50)}`, 26)).toBe(`
 --> p.yaml:1:51
  |
1 | …aaaaabbccccccccccccc…
  |       ^^
`);
    expect(frameOf(`ab«c»${'d'.repeat(50)}`, 16)).toBe(`
 --> p.yaml:1:3
  |
1 | abcddddddd…
  |   ^
`);
    expect(frameOf(`ab${'c'.repeat(50)}«»`, 16)).toContain(`
1 | …cccccccccc
  |            ^
`);
  });

  it.each([16, 17, 40, 80, 100])('keeps every line within %i columns', width => {
    for (const length of [0, 5, 8, 9, 10, 11, 12, 13, 14, 30, 34, 35, 36, 37, 74, 75, 76, 77, 94, 95, 96, 97, 200]) {
      const text = 'x'.repeat(length);
      for (const marked of [`«»${text}`, `${text}«»`, `${text}«日»${text}`, `«${text}»`]) {
        const lines = frameOf(marked, width).split('\n').slice(2);
        expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
      }
    }
  });

  it('does not clip a line that just fits', () => {
    expect(frameOf(`«${'x'.repeat(95)}»`).split('\n')[3]).toBe(`1 | ${'x'.repeat(95)}`);
  });

  it('stays fast on a line of megabytes', () => {
    const source = new SourceText('p.yaml', 'x'.repeat(5_000_000));
    const frame = codeFrame(source, { start: 2_500_000, end: 5_000_000 });
    expect(frame.length).toBeLessThan(500);
  });
});
