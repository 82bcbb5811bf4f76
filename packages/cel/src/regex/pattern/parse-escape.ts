import type { CharSet } from './char-set.ts';
import { foldAscii, LAST_CODE_POINT, negate } from './char-set.ts';
import { PERL_SETS } from './named-sets.ts';
import type { PatternReader } from './pattern-reader.ts';
import { UNICODE_SET_NAMES } from './unicode-names.ts';

const CONTROL: Readonly<Record<string, number>> = { a: 0x07, f: 0x0c, t: 0x09, n: 0x0a, r: 0x0d, v: 0x0b };

const OCTAL = /0[0-7]{0,2}|[1-7][0-7]{1,2}/y;
const HEX = /x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))/y;

/** Reads an escaped character; the backslash is next. */
export function readEscapedChar(reader: PatternReader): number {
  const start = reader.offset;
  reader.skip('\\');
  if (reader.atEnd) return reader.fail(start, 'trailing backslash');
  const octal = reader.match(OCTAL);
  if (octal !== undefined) return Number.parseInt(octal[0], 8);
  const hex = reader.match(HEX);
  if (hex !== undefined) return hexChar(reader, start, hex[1] ?? hex[2]!);
  const letter = reader.source[reader.offset]!;
  const codePoint = reader.next();
  const control = CONTROL[letter];
  if (control !== undefined) return control;
  if (codePoint < 0x80 && !/[0-9A-Za-z]/.test(letter)) return codePoint;
  return reader.fail(start, faultOf(reader.source.slice(start, reader.offset)));
}

function hexChar(reader: PatternReader, start: number, digits: string): number {
  const codePoint = Number.parseInt(digits, 16);
  return codePoint <= LAST_CODE_POINT ? codePoint : reader.fail(start, `code point ${digits} is out of range`);
}

function faultOf(sequence: string): string {
  if (/[1-9]/.test(sequence)) return `back-references such as \`${sequence}\` are not in RE2`;
  if (sequence === '\\Z') return '`\\Z` is not in RE2; write `\\z` for the end of the string';
  return `invalid escape sequence \`${sequence}\``;
}

/** Reads `\d`, `\W` and the like; returns undefined if something else is next. */
export function readPerlSet(reader: PatternReader, ignoreCase: boolean): CharSet | undefined {
  const letter = reader.source[reader.offset + 1] ?? '';
  if (!reader.startsWith('\\') || !Object.hasOwn(PERL_SETS, letter)) return undefined;
  reader.offset += 2;
  return withCases(PERL_SETS[letter]!, letter < 'a', ignoreCase);
}

/** Returns a named or negated ASCII set; with case folding, the set is folded before it is negated. */
export function withCases(set: CharSet, negated: boolean, ignoreCase: boolean): CharSet {
  if (!ignoreCase) return set;
  return negated ? negate(foldAscii(negate(set))!) : foldAscii(set)!;
}

/** Skips `\pL`, `\p{Greek}`, `\P{^Lu}`; returns false if something else is next. */
export function skipUnicodeSet(reader: PatternReader): boolean {
  if (!reader.startsWith('\\p') && !reader.startsWith('\\P')) return false;
  const start = reader.offset;
  reader.offset += 2;
  if (reader.atEnd) reader.fail(start, 'missing Unicode class name');
  const name = reader.startsWith('{') ? bracedName(reader, start) : String.fromCodePoint(reader.next());
  if (!UNICODE_SET_NAMES.has(name.replace(/^\^/, ''))) reader.fail(start, `unknown Unicode class \`${name}\``);
  return true;
}

function bracedName(reader: PatternReader, start: number): string {
  const end = reader.source.indexOf('}', reader.offset);
  if (end < 0) return reader.fail(start, 'unclosed Unicode class name');
  const name = reader.source.slice(reader.offset + 1, end);
  reader.offset = end + 1;
  return name;
}
