import { SourceText } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { parse, parseDocument, stringify } from 'yaml';
import { entryOf, type MapNode, Reporter } from './document-node.ts';
import { readDocuments } from './read-document.ts';
import { documentRange, type MappedText } from './scalar-text.ts';

const LIMITS = { maxDocumentSize: 10_000, maxDocumentDepth: 10, maxDocumentNodes: 100, maxDocumentTokens: 400_000 };

/** The text at `.e[0]`. */
function expressionIn(document: string): MappedText | undefined {
  const read = readDocuments(new SourceText('p', document), { limits: LIMITS, reporter: new Reporter('p', 10) });
  const root = read.documents[0] as MapNode;
  const list = entryOf(root, 'e')!.value;
  const node = list.kind === 'list' ? list.items[0]! : list;
  return node.kind === 'scalar' ? node.text : undefined;
}

function sliceAt(document: string, part: string): string {
  const text = expressionIn(document)!;
  const start = text.value.indexOf(part);
  const range = documentRange(text, { start, end: start + part.length });
  return document.slice(range.start, range.end);
}

describe('documentRange', () => {
  it.each([
    ['plain', 'e:\n- a == b # c', 'a == b', 'b', 'b'],
    ['plain over lines', 'e:\n- a ==\n    b\n', 'a == b', '== b', '==\n    b'],
    ['single quoted', "e: ['a == ''b''']", "a == 'b'", "'b'", "''b''"],
    ['double quoted with escapes', 'e: ["a == \\"b\\x41\\u00e9\\n\\""]', 'a == "bAé\n"', 'bA', 'b\\x41'],
    ['double quoted with an escaped line break', 'e: ["a \\\n   == b"]', 'a == b', '== b', '== b'],
    ['double quoted over lines', 'e: ["a\n\n   b"]', 'a\nb', 'b', 'b'],
    ['a pair of surrogate escapes', 'e: ["\\ud83d\\ude00x"]', '😀x', 'x', 'x'],
    ['JSON', '{"e":\t["a ==\\t\\"\\/\\""]}', 'a ==\t"/"', '"/"', '\\"\\/\\"'],
    ['literal', 'e:\n- |\n  a &&\n    b\n', 'a &&\n  b\n', 'b', 'b'],
    ['literal, stripped', 'e:\n- |-\n  a &&\n\n  b\n\n', 'a &&\n\nb', 'b', 'b'],
    ['literal with an indentation indicator', 'e:\n- |2\n    a\n   b\n', '  a\n b\n', 'b', 'b'],
    ['folded', 'e:\n- >-\n  a &&\n  b\n', 'a && b', '&& b', '&&\n  b'],
    ['folded with empty lines', 'e:\n- >\n\n  a\n  b\n\n    c\n\n  d\n', '\na b\n\n  c\n\nd\n', 'd', 'd'],
    ['folded with CR LF', 'e:\r\n- >\r\n  a\r\n  b\r\n', 'a b\n', 'b', 'b'],
    ['after a byte order mark', '\ufeffe: [abc]', 'abc', 'bc', 'bc'],
    ['after properties', 'e: [&x !!str abc]', 'abc', 'bc', 'bc'],
    ['through an alias', 'x: &x ["a b"]\ne: *x', 'a b', 'b', 'b'],
  ])('maps parts of a scalar: %s', (_, document, value, part, slice) => {
    expect(expressionIn(document)!.value).toBe(value);
    expect(sliceAt(document, part)).toBe(slice);
  });

  it.each([
    ['a quoted text', 'e: "a &&"', 8],
    ['a block, before its line break', 'e: |\n  a &&\n\n', 11],
    ['an empty text', 'e: ""', 5],
  ])('puts the end of the string after %s', (_, document, offset) => {
    const text = expressionIn(document)!;
    const end = text.value.length;
    expect(documentRange(text, { start: end, end })).toEqual({ start: offset, end: offset });
  });

  it('maps a range so that overwriting it replaces exactly that part of the string', () => {
    fc.assert(fc.property(documents(), fc.nat(), fc.nat(), replacesExactly), {
      numRuns: inject('isDeep') ? 3000 : 120,
    });
  });
});

/** Documents with one expression, in every style of scalar. */
function documents(): fc.Arbitrary<string> {
  const atoms = fc.constantFrom(
    'a',
    'b.c',
    '==',
    "'x'",
    '"y"',
    '\\',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\n  ',
    'é',
    '𝒳',
    '\t',
    '#',
    ': ',
  );
  const text = fc.array(atoms, { minLength: 1, maxLength: 12 }).map(parts => parts.join(''));
  const styles = fc.constantFrom('QUOTE_DOUBLE', 'QUOTE_SINGLE', 'PLAIN', 'BLOCK_LITERAL', 'BLOCK_FOLDED', 'JSON');
  const width = fc.constantFrom(0, 20, 24);
  return fc.tuple(text, styles, width, fc.boolean()).map(([value, style, lineWidth, isWindows]) => {
    const written =
      style === 'JSON'
        ? JSON.stringify({ e: [value] }, undefined, 2)
        : stringify({ e: [value] }, { defaultStringType: style as 'PLAIN', lineWidth, minContentWidth: 0 });
    return isWindows ? written.replaceAll('\n', '\r\n') : written;
  });
}

/** Ranges of tokens begin and end with visible characters; blanks at their ends may be what makes the scalar what it is. */
function replacesExactly(document: string, first: number, second: number): void {
  // The library writes some block scalars of nothing but blanks so that it cannot read them.
  if (parseDocument(document).errors.length > 0) return;
  const text = expressionIn(document)!;
  expect(text.value).toBe(parse(document).e[0]);
  const visible = [...text.value.matchAll(/\S/gu)].map(match => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  if (visible.length === 0) return;
  const [a, b] = [first % visible.length, second % visible.length];
  const range = { start: visible[Math.min(a, b)]!.start, end: visible[Math.max(a, b)]!.end };
  // Joining lines of a folded scalar changes which of the following are folded.
  if (document.includes('- >') && text.value.slice(range.start, range.end).includes('\n')) return;
  const place = documentRange(text, range);
  const replaced = `${document.slice(0, place.start)}X${document.slice(place.end)}`;
  expect(parse(replaced).e[0]).toBe(`${text.value.slice(0, range.start)}X${text.value.slice(range.end)}`);
}
