import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Reporter } from './document-node.ts';
import { readFastPath } from './read-subset.ts';
import { readWithYamlLibrary } from './read-with-yaml-library.ts';

const LIMITS = { maxDocumentSize: 100_000, maxDocumentDepth: 8, maxDocumentNodes: 1000, maxDocumentTokens: 400_000 };

const EXAMPLES = ['examples/policies', 'examples/policies/tcp-edge', 'examples/policies/tls-edge'].flatMap(folder =>
  readdirSync(folder)
    .filter(file => file.endsWith('.yaml'))
    .map(file => join(folder, file)),
);

/** Whether the document was read directly; what was read must be what the library reads, without a complaint. */
function isReadAlike(document: string): boolean {
  const direct = readFastPath(document, LIMITS);
  if (!direct) return false;
  const reporter = new Reporter('p', 10);
  const read = readWithYamlLibrary(document, LIMITS, reporter);
  expect({ document, findings: reporter.finish(), comments: read?.comments }).toEqual({
    document,
    findings: [],
    comments: direct.comments,
  });
  expect({ document, root: direct.root }).toEqual({ document, root: read?.documents[0] });
  return true;
}

const PIECES = fc.constantFrom(
  ...'[]{}:,&*!|>\'"%@`#?- \n\t\\ax0~<'.split(''),
  ...['  ', '\n- ', '\n  ', 'a: b', 'a:\n', '- ', '" ', "' ", ': ', '- |\n', '>-\n', '|\n  ', ' #', ' # b\n', '\r\n'],
  ...['null', 'TRUE', '1.5', '-1', '0x1f', '.inf', '::1', '\\n', "''", '---'],
  ...['\r', '\f', '\u0085', '\u2028', '\u2029', '\u0080', '\ufeff', '\uffff'],
);

describe('the subset reader', () => {
  it.each(EXAMPLES)('reads every example policy: %s', path => {
    const text = readFileSync(path, 'utf8');
    expect([isReadAlike(text), isReadAlike(text.replaceAll('\n', '\r\n'))]).toEqual([true, true]);
  });

  it.each([
    ['lists and maps', 'a:\n- b\n-  - c\n   - d: e\n     f:\n     - g\nh:\n  i:   j\n'],
    ['lists and maps in brackets', 'a: [b, {c: \'d\', "e":f, g: }, [], {}, h: i, ]\nj: {\n  k: [\n   l\n  ]\n }'],
    ['JSON', '{"a": [1, -2.5e3, true, null, "b\\u00e9\\n"],\n"c": {}}'],
    ['literal texts', 'a: |\n  b\n\n   c\n\nd: |-   # e\n    f\n'],
    ['folded texts', '- >\n  a\n  b\n\n  c\n   d\n  e\n- >-\n f'],
    ['texts over lines', 'a: b\n  c\n\n  d\n"e": "f\n  g"\nh: \'i\n\n  j\'\n'],
    ['what is left out', 'a:\nb: # c\nd:\n-\n- # e\n-\n  f\n'],
    ['comments', '# a\nb: c # d\n# e\n- f\n'.replace('- f', 'f: g')],
    [
      'numbers and truth values',
      '[1, +1, 007, 0o17, 0x1F, 1., .5, 1e3, -.inf, .NaN, ~, NULL, True, FALSE, 1_000, 0b1, tru]',
    ],
    ['texts with indicators', '[a:b, a#b, -a, ::1, 2001:db8::/32, a\'b, a"b, a!b]'],
  ])('agrees with the YAML library: %s', (_, document) => {
    expect([isReadAlike(document), isReadAlike(document.replaceAll('\n', '\r\n'))]).toEqual([true, true]);
  });

  it.each([
    ['an anchor', 'a: &b c'],
    ['an alias', 'a: *b'],
    ['a tag', 'a: !b c'],
    ['a merge key', '<<: {a: b}'],
    ['a key given twice', 'a: 1\na: 2'],
    ['a key in question', '? a\n: b'],
    ['several documents', 'a\n---\nb'],
    ['a tab', 'a:\tb'],
    ['characters after a quoted string', 'a: "b" c'],
    ['an item out of line', '- a\n - b\n- - c\n   - d\n'],
    ['depth', '['.repeat(9) + ']'.repeat(9)],
    ['size', `[${'1,'.repeat(1000)}]`],
  ])('leaves doubtful YAML to the library: %s', (_, document) => {
    expect(readFastPath(document, LIMITS)).toBeUndefined();
  });

  it('agrees with the YAML library on random text', () => {
    const text = fc.array(PIECES, { minLength: 1, maxLength: 14 }).map(parts => parts.join(''));
    const seen = { direct: 0 };
    fc.assert(
      fc.property(text, document => {
        if (isReadAlike(document)) seen.direct += 1;
        isReadAlike(document.replaceAll(/\r?\n/g, '\r\n'));
      }),
      { numRuns: 3000 },
    );
    expect(seen.direct).toBeGreaterThan(200);
  });

  it('agrees with the YAML library on mutated policies', () => {
    const policies = fc.constantFrom(...EXAMPLES.map(path => readFileSync(path, 'utf8')));
    const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), PIECES);
    fc.assert(
      fc.property(policies, fc.array(change, { minLength: 1, maxLength: 3 }), (policy, changes) => {
        const changed = changes.reduce((text, [where, length, piece]) => {
          const at = Math.floor(where * text.length);
          return text.slice(0, at) + piece + text.slice(at + length);
        }, policy);
        isReadAlike(changed);
      }),
      { numRuns: 300 },
    );
  });

  it('reads a part with offsets of the whole text', () => {
    const whole = readFastPath('a: [b]\n- c: d\n- e', LIMITS, { start: 7, end: 14 });
    expect(whole?.root).toMatchObject({ kind: 'list', range: { start: 7, end: 13 } });
    expect(readFastPath('- a: "b\n- c"', LIMITS, { start: 0, end: 8 })).toBeUndefined();
  });
});
