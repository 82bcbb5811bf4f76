import { SourceText } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainValue, Reporter } from './document-node.ts';
import { readDocuments } from './read-document.ts';

const LIMITS = { maxDocumentSize: 10_000, maxDocumentDepth: 8, maxDocumentNodes: 200, maxDocumentTokens: 400_000 };

function read(text: string): { value: unknown; findings: readonly string[] } {
  const reporter = new Reporter('p.json', 50);
  const { documents } = readDocuments(new SourceText('p.json', text), { limits: LIMITS, reporter });
  const findings = reporter.finish().map(({ code, range }) => `${code} ${text.slice(range.start, range.end)}`);
  return { value: documents[0] && plainValue(documents[0]), findings };
}

describe('JSON', () => {
  it('has the same values as JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        fc.pre(text.length < 2000 && !text.includes('__proto__'));
        expect(read(text)).toEqual({ value: JSON.parse(text), findings: [] });
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [
      'comments',
      '{"a": 1 // b\n, /* c */ "d": 2 # e\n}',
      { a: 1, d: 2 },
      ['// b', '/* c */', '# e'].map(one => `json/comment ${one}`),
    ],
    [
      'a comma behind the last value',
      '{"a": [1, 2,],}',
      { a: [1, 2] },
      ['json/trailing-comma ,', 'json/trailing-comma ,'],
    ],
    ['a comma too many', '[1,,2]', [1, null, 2], ['json/missing-value ,']],
    [
      'a comma too few',
      '[1 2, {"a": 1 "b": 2}]',
      [1, 2, { a: 1, b: 2 }],
      ['json/missing-comma 2', 'json/missing-comma "'],
    ],
    ['single quotes', "{'a': 'b'}", { a: 'b' }, ["json/single-quotes 'a'", "json/single-quotes 'b'"]],
    ['keys without quotes', '{a: 1}', { a: 1 }, ['json/unquoted-key a']],
    [
      'a colon too few',
      '{"a" 1, "b": 2}',
      { b: 2 },
      ['json/missing-colon 1', 'json/missing-comma 1', 'json/unquoted-key 1', 'json/missing-colon ,'],
    ],
    [
      'words',
      '[True, None, yes]',
      [null, null, null],
      ['json/bad-value True', 'json/bad-value None', 'json/bad-value yes'],
    ],
    [
      'numbers',
      '[01, +1, .5, 1., NaN, 0x1]',
      Array(6).fill(null),
      ['01', '+1', '.5', '1.', 'NaN', '0x1'].map(one => `json/bad-value ${one}`),
    ],
    ['escapes', '["\\d", "\\u12"]', ['d', 'u12'], ['json/bad-escape \\d', 'json/bad-escape \\u']],
    ['control characters', '["a\tb\0"]', ['a\tb\0'], ['json/control-character \t', 'json/control-character \0']],
    ['an unterminated string', '["a,\n"b"]', ['a,', 'b'], ['json/unclosed-text "a,', 'json/missing-comma "']],
    ['what is not closed', '{"a": [1', { a: [1] }, ['json/unclosed-bracket ', 'json/unclosed-bracket ']],
    ['what is closed by another', '{"a": [1}', { a: [1] }, ['json/unclosed-bracket }']],
    ['text behind the end', '{} {}', {}, ['json/text-behind-end {}']],
    ['keys given twice', '{"a": 1, "a": 2}', { a: 2 }, ['json/duplicate-key a']],
    ['too deep lists', '['.repeat(1000), undefined, ['limit/document-depth [']],
    ['too many values', `[${'1,'.repeat(1000)}1]`, undefined, ['limit/document-nodes 1']],
  ])('reports %s, and reads on as was probably meant', (_, text, value, findings) => {
    expect(read(text)).toEqual({ value, findings });
  });

  it('accepts a leading byte order mark', () => {
    expect(read('\ufeff{}')).toEqual({ value: {}, findings: [] });
  });

  it('never throws on random text', () => {
    const piece = fc.constantFrom(...'[]{},:"\'\\/*#-01etn \n\u0000'.split(''), '"a"', '/*', '//', 'true');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), pieces => {
        const text = pieces.join('');
        const { findings } = read(text);
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        const isGood = findings.every(one => one.startsWith('json/duplicate-key')) && text.trim() !== '';
        expect({ text, isGood }).toEqual({ text, isGood: isJson });
      }),
      { numRuns: 5000 },
    );
  });
});
