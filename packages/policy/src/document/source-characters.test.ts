import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { documentLimits, plainValue, Reporter } from './document-node.ts';
import { readDocuments } from './read-document.ts';

function read(text: string) {
  const reporter = new Reporter('p.yaml', 100);
  const { documents } = readDocuments(new SourceText('p.yaml', text), { limits: documentLimits(MODERN), reporter });
  return { values: documents.map(plainValue), findings: reporter.finish() };
}

const found = (text: string) => read(text).findings.map(({ code, range }) => [code, range.start]);

describe('a document with characters that YAML parsers disagree about', () => {
  it.each([
    ['after a comment', 'a: 1 # b\rc: 2\n', 8],
    ['between keys', 'a: 1\rb: 2\n', 4],
    ['inside a plain scalar', 'a: b\r  c\n', 4],
    ['inside double quotes', 'a: "b\r c"\n', 5],
    ['inside single quotes', "a: 'b\rc'\n", 5],
    ['inside a literal block', 'a: |\n  b\r  c\n', 8],
    ['inside brackets', 'a: [b,\rc]\n', 6],
    ['before a carriage return with a line feed', 'a: 1\r\r\nb: 2\r\n', 4],
    ['at the end', 'a: 1\r', 4],
    ['at the beginning', '\ra: 1\n', 0],
  ])('is rejected for a carriage return without a line feed %s', (_, text, offset) => {
    expect(found(text)).toContainEqual(['yaml/lone-carriage-return', offset]);
  });

  it('is reported once if all lines end with a carriage return, and read like YAML 1.2', () => {
    const { values, findings } = read('a: 1 # b\rb:\r  - c\r  - d\r');
    expect(values).toEqual([{ a: 1, b: ['c', 'd'] }]);
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      [
        'yaml/lone-carriage-return',
        'carriage return without a line feed, the first of 4; end lines with a line feed, or write `\\r` in double quotes',
      ],
    ]);
    expect(findings[0]!.fixes![0]!.edits).toHaveLength(4);
  });

  it.each(['\u0085', '\u2028', '\u2029'])('is rejected for a line break of YAML 1.1: %j', character => {
    expect(found(`a: "b${character}c"\n`)).toEqual([['yaml/ambiguous-line-break', 5]]);
    expect(found(`a: 1 # b${character}c: 2\n`)).toEqual([['yaml/ambiguous-line-break', 8]]);
    expect(found(`a: |\n  b${character}c\n`)).toEqual([['yaml/ambiguous-line-break', 8]]);
  });

  it.each(['\f', '\v', '\u0000', '\u001f', '\u007f', '\u0080', '\u009f', '\ufffe', '\uffff'])(
    'is refused for a character that YAML does not allow: %j',
    character => {
      expect(found(`a: "b${character}c"\n`)).toEqual([['yaml/control-character', 5]]);
      expect(found(`a: 1 # b${character}c\n`)).toEqual([['yaml/control-character', 8]]);
    },
  );

  it('may have them as escapes, and CRLF line breaks', () => {
    expect(read('a: "\\r\\N\\L\\P\\x0c\\uFEFF"\r\nb: 1\r\n')).toEqual({
      values: [{ a: '\r\u0085\u2028\u2029\u000c\ufeff', b: 1 }],
      findings: [],
    });
  });

  it('may have a lone carriage return in JSON, where it is white space', () => {
    const reporter = new Reporter('p.json', 10);
    const source = new SourceText('p.json', '{\r"a": 1}');
    expect(readDocuments(source, { limits: documentLimits(MODERN), reporter }).documents.map(plainValue)).toEqual([
      { a: 1 },
    ]);
    expect(reporter.finish()).toEqual([]);
  });
});

const FOLDER = 'test/dialects/fixtures';
const POLICIES = readdirSync(FOLDER)
  .filter(file => file.endsWith('.yaml'))
  .map(file => readFileSync(join(FOLDER, file), 'utf8'));

const PIECES = fc.constantFrom(
  ...['\r', '\r\n', '\n', '\u0085', '\u2028', '\u2029', '\f', '\ufeff', '\u00a0', '\u3000', '\t', ' ', '\r\r', ' #'],
  ...['a: b\rc: d', '# e\r', '"', "'", ':', '- ', '|\n', '>', '[', ']', '{', '}', ',', '&a ', '*a', '---\n', '\\'],
);

/** What a reader takes for line breaks. */
const READERS = [
  ['YAML 1.2', /\r\n?/g],
  ['YAML 1.1, as in Go', /\r\n?|[\u0085\u2028\u2029]/g],
] as const;

const RUNS = inject('isDeep') ? 400 : 25;

it.each(READERS)(
  'what is read without an error is what a reader of %s finds, whatever a policy is changed into',
  (_, breaks) => {
    const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(2), PIECES);
    let compared = 0;
    fc.assert(
      fc.property(fc.constantFrom(...POLICIES), fc.array(change, { minLength: 1, maxLength: 3 }), (policy, changes) => {
        const text = changes.reduce((before, [where, length, piece]) => {
          const at = Math.floor(where * before.length);
          return before.slice(0, at) + piece + before.slice(at + length);
        }, policy);
        const { values, findings } = read(text);
        if (findings.some(({ severity }) => severity === 'error')) return;
        compared += 1;
        const documents = parseAllDocuments(text.replace(breaks, '\n'), { merge: true, logLevel: 'silent' });
        const expected = [documents]
          .flat()
          .map(document => ({ value: document.toJS(), errors: document.errors.length }));
        // Documents of nothing but comments are left out.
        const others = expected.filter(({ value }) => value !== null);
        expect({ text, read: values.filter(value => value !== null) }).toEqual({
          text,
          read: others.map(one => one.value),
        });
        expect({ text, errors: expected.filter(({ errors }) => errors > 0) }).toEqual({ text, errors: [] });
      }),
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(RUNS / 8);
  },
);
