import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { readFastPath } from '../document/read-subset.ts';
import { convertNodes, readTokens, SourceLines } from './syntax-tree.ts';

const LIMITS = { maxDocumentDepth: 50, maxDocumentNodes: 100_000 };

const EXAMPLES = ['examples/policies', 'examples/policies/tcp-edge', 'examples/policies/tls-edge'].flatMap(folder =>
  readdirSync(folder)
    .filter(file => file.endsWith('.yaml'))
    .map(file => readFileSync(join(folder, file), 'utf8')),
);

/** Returns true if the document was read directly; what was read must be what the tokens of the YAML library say. */
function isReadAlike(text: string): boolean {
  const direct = readFastPath(text, LIMITS);
  if (!direct) return false;
  const lines = new SourceLines(text);
  expect({ text, documents: [convertNodes(lines, direct)] }).toEqual({ text, documents: readTokens(lines) });
  return true;
}

const PIECES = fc.constantFrom(
  ...'[]{}:,|>\'"#- \n'.split(''),
  ...['  ', '\n- ', '\n  ', 'a: b', 'c:\n', '- ', '" ', "' ", ': ', '- |\n', '>-\n', '|\n  ', ' #', ' # - b\n', '-\n'],
  ...['- # - e\n', 'd: # e\n', '1', 'null', '"f": ', "''"],
);

describe('the syntax of a document whose values are known', () => {
  it('is that of the tokens: examples', () => {
    expect(EXAMPLES.filter(text => !isReadAlike(text))).toEqual([]);
  });

  it.each([
    ['lists in lists', '- a\n- - b\n  -  c\n-\n  - d\n-   - e: f\n      g: h\n'],
    ['lists in the column of their map', 'a:\n- b\nc:\n# d\n- e\n'],
    ['a dash in a comment between a dash and its value', 'a:\n  - b\n  -\n# -- c\n  # - d\n    # - e\n    f\n'],
    ['omitted values', 'a:\nb:   # c\nd:   \ne:\n-\n-   # f\n-  \ng: {h: , i: }\nk: [l: , m: ]\nn: {"o":, "p":}'],
    ['brackets', 'a: [b, c: d, "e": [f], {g: h}, ]\ni: {\n  j: [\n   k\n  ]\n }\nl: []\nm: {}'],
    ['quoted keys', "\"a\": b\n'c' : d\n'\"': e\n"],
    ['empty lines and comments', '# a\n\nb: c\n\n# d\n\n\ne: f # g\n  \nh:\n\n  i: j\n'],
    ['strings over lines', 'a: b\n  c\n\n  d\ne: "f\n  g"\nh: |\n  i\n\n  j\n\n\nk: >-\n  l\n\n'],
    ['JSON', '{"a": [1, -2.5e3, true, null, "b\\u00e9\\n"],\n"c": {}}'],
    ['a scalar', 'a b # c'],
  ])('is that of the tokens: %s', (_, text) => {
    expect(isReadAlike(text)).toBe(true);
  });

  it('is that of the tokens: random text', () => {
    const text = fc.array(PIECES, { minLength: 1, maxLength: 14 }).map(parts => parts.join(''));
    const seen = { direct: 0 };
    fc.assert(
      fc.property(text, one => {
        if (isReadAlike(one)) seen.direct += 1;
      }),
      { numRuns: inject('isDeep') ? 200_000 : 3000 },
    );
    expect(seen.direct).toBeGreaterThan(200);
  });

  it('is that of the tokens: changed examples', () => {
    const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), PIECES);
    fc.assert(
      fc.property(fc.constantFrom(...EXAMPLES), fc.array(change, { minLength: 1, maxLength: 3 }), (policy, changes) => {
        isReadAlike(
          changes.reduce((text, [where, length, piece]) => {
            const at = Math.floor(where * text.length);
            return text.slice(0, at) + piece + text.slice(at + length);
          }, policy),
        );
      }),
      { numRuns: inject('isDeep') ? 20_000 : 150 },
    );
  });
});
