import { type CharSet, foldAscii, negate, normalize } from './char-set.ts';
import { POSIX_SETS } from './named-sets.ts';
import { readEscapedChar, readPerlSet, skipUnicodeSet, withCases } from './parse-escape.ts';
import type { PatternNode } from './pattern.ts';
import type { PatternReader } from './pattern-reader.ts';

/** The members so far; undefined if one of them is known only to the RE2 engine. */
type Members = number[] | undefined;

/** Reads `[…]`; the bracket is next. */
export function readBracketSet(reader: PatternReader, ignoreCase: boolean): PatternNode {
  const start = reader.offset;
  reader.skip('[');
  const negated = reader.skip('^');
  let members: Members = [];
  // A leading `]` is a member.
  for (let first = true; first || !reader.startsWith(']'); first = false) {
    if (reader.atEnd) reader.fail(start, 'unclosed character class');
    const item = readItem(reader, start, ignoreCase);
    members = item === undefined ? undefined : members?.concat(item);
  }
  reader.skip(']');
  if (members === undefined) return { kind: 'unicode-set' };
  const set = normalize(members);
  return { kind: 'set', set: negated ? negate(set) : set };
}

function readItem(reader: PatternReader, start: number, ignoreCase: boolean): CharSet | undefined {
  const named = readPosixSet(reader, ignoreCase);
  if (named !== undefined) return named;
  if (skipUnicodeSet(reader)) return undefined;
  return readPerlSet(reader, ignoreCase) ?? readRange(reader, start, ignoreCase);
}

function readPosixSet(reader: PatternReader, ignoreCase: boolean): CharSet | undefined {
  if (!reader.startsWith('[:')) return undefined;
  const start = reader.offset;
  const end = reader.source.indexOf(':]', start + 2);
  if (end < 0) return undefined;
  const name = reader.source.slice(start + 2, end);
  const negated = name.startsWith('^');
  const set = POSIX_SETS.get(negated ? name.slice(1) : name);
  if (set === undefined) return reader.fail(start, `unknown character class \`[:${name}:]\``);
  reader.offset = end + 2;
  return withCases(negated ? negate(set) : set, negated, ignoreCase);
}

function readRange(reader: PatternReader, start: number, ignoreCase: boolean): CharSet | undefined {
  const rangeStart = reader.offset;
  const low = readMember(reader, start);
  const isRange = reader.startsWith('-') && !reader.startsWith('-]') && reader.skip('-');
  const high = isRange ? readMember(reader, start) : low;
  if (high < low) {
    const range = reader.source.slice(rangeStart, reader.offset);
    reader.fail(rangeStart, `the character range \`${range}\` is out of order`);
  }
  return ignoreCase ? foldAscii([low, high]) : [low, high];
}

function readMember(reader: PatternReader, start: number): number {
  if (reader.atEnd) reader.fail(start, 'unclosed character class');
  return reader.startsWith('\\') ? readEscapedChar(reader) : reader.next();
}
