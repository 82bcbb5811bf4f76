import { Lexer } from 'chevrotain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import { tokenize } from './lexer.ts';
import { Reporter } from './reporter.ts';
import { TOKEN_TYPES, tokenPattern } from './tokens.ts';

function scan(source: string): { tokens: string[]; findings: string[] } {
  const reporter = new Reporter(DEFAULT_LIMITS);
  const tokens = tokenize(source, reporter).map(({ tokenType, startOffset, end }) => {
    return `${tokenType.name} ${source.slice(startOffset, end)}`;
  });
  return { tokens, findings: reporter.findings.map(({ range, message }) => `${range.start}-${range.end} ${message}`) };
}

test.each([
  ['a in b', ['Identifier a', 'In in', 'Identifier b']],
  ['inside int true1', ['Identifier inside', 'Identifier int', 'Identifier true1']],
  ['1.size', ['IntLiteral 1', 'Dot .', 'Identifier size']],
  ['1.5e+3e', ['DoubleLiteral 1.5e+3', 'Identifier e']],
  ['.5 0x1Fu 12U 0x', ['DoubleLiteral .5', 'UintLiteral 0x1Fu', 'UintLiteral 12U', 'IntLiteral 0', 'Identifier x']],
  [
    'r"\\" b\'x\' bR"""a"b""" rb',
    ['StringLiteral r"\\"', "BytesLiteral b'x'", 'BytesLiteral bR"""a"b"""', 'Identifier rb'],
  ],
  [`"\\"" '''a'b''' ""`, ['StringLiteral "\\""', "StringLiteral '''a'b'''", 'StringLiteral ""']],
  ['a.`b-c/d e`', ['Identifier a', 'Dot .', 'QuotedName `b-c/d e`']],
  ['a // b\n//\nc', ['Identifier a', 'Identifier c']],
  ['<= < ==!=!', ['LessEqual <=', 'Less <', 'EqualEqual ==', 'BangEqual !=', 'Bang !']],
])('splits %j into tokens', (source, tokens) => {
  expect(scan(source)).toEqual({ tokens, findings: [] });
});

test.each([
  ['a # b', ['2-3 unexpected `#`; a comment begins with `//`']],
  ['a #$@ b', ['2-5 unexpected `#$@`']],
  ['\u0000', ['0-1 unexpected character U+0000']],
  ['a 😀😀 b', ['2-6 unexpected `😀😀`']],
  ['\ud800', ['0-1 unexpected character U+D800']],
  ['a | b', ['2-3 expected `||`, found `|`']],
  ['a = b', ['2-3 expected `==`, found `=`']],
  ["'abc\nd", ["0-4 expected `'` at the end of the string, found the end of the line"]],
  ['b"""x"', ['0-6 expected `"""` at the end of the bytes, found the end of the expression']],
  ['a.`b$c` + 1', ['2-7 expected letters, digits, `_`, `.`, `-`, `/` or spaces between backticks']],
  ['a.`b + 1', ['2-5 expected a backtick at the end of the quoted name']],
])('reports invalid tokens in %j', (source, findings) => {
  expect(scan(source).findings).toEqual(findings);
});

test('offers to complete half of an operator', () => {
  const reporter = new Reporter(DEFAULT_LIMITS);
  tokenize('a & b', reporter);
  const range = { start: 2, end: 3 };
  expect(reporter.findings[0]?.fixes).toEqual([
    { title: 'write `&&`', applicability: 'suggestion', edits: [{ range, newText: '&&' }] },
  ]);
});

test('splits valid source like the patterns of the tokens', () => {
  const isWord = (pattern: RegExp | string) => typeof pattern === 'string' && /^[a-z]/.test(pattern);
  const asWord = (word: RegExp | string) => new RegExp(`${word}(?![_a-zA-Z0-9])`);
  const byPatterns = new Lexer(
    TOKEN_TYPES.flatMap(type => {
      const pattern = tokenPattern(type);
      if (pattern === undefined) return [];
      const group = type.GROUP === 'skipped' ? { GROUP: Lexer.SKIPPED } : {};
      return { ...type, ...group, PATTERN: isWord(pattern) ? asWord(pattern) : pattern };
    }),
    { positionTracking: 'onlyOffset', ensureOptimizations: false },
  );
  const pieces = [
    'a',
    'in',
    'true',
    'r',
    'b',
    'br',
    'e5',
    'u',
    'x1',
    '0',
    '12',
    '0x',
    '.',
    '1.5',
    '+',
    '-',
    '"',
    "'",
    '"""',
    '\\',
    ' ',
    '\n',
    '//',
    '`',
    '!',
    '=',
    '<',
    '&&',
    '||',
    '?',
    '(',
    ']',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), parts => {
      const source = parts.join('');
      const ours = scan(source);
      const theirs = byPatterns.tokenize(source);
      const tokens = theirs.tokens.map(({ tokenType, image }) => `${tokenType.name} ${image}`);
      if (ours.findings.length === 0) expect(ours.tokens, source).toEqual(tokens);
      // To the patterns, an unclosed triple quote is an empty string followed by the start of another.
      const lexical = ours.findings.filter(finding => !finding.includes('the keyword'));
      if (!/"{3}/.test(source)) expect(lexical.length > 0, source).toBe(theirs.errors.length > 0);
    }),
    { numRuns: 3000 },
  );
});
