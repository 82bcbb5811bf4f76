// Parses patterns in RE2 syntax, and finds faults in them.

import { EvaluationError } from '../values/value.ts';
import { hasBoundedBacktracking } from './backtracking.ts';
import {
  type Assertion,
  alternate,
  type CharSet,
  concat,
  EMPTY,
  foldAscii,
  itemsOf,
  LAST_CODE_POINT,
  negate,
  normalize,
  type PatternNode,
  PERL_SETS,
  POSIX_SETS,
  single,
} from './pattern.ts';
import { UNICODE_SET_NAMES } from './unicode-names.ts';

/** The limits of RE2 on repetitions, nested repetitions, nesting and program size. */
const MAX_REPEAT = 1000;
const MAX_HEIGHT = 1000;
const MAX_SIZE = 1_398_101;

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
}

/** A node with the quantities that RE2 limits. */
interface Measured {
  readonly node: PatternNode;
  readonly height: number;
  readonly size: number;
  /** The product of nested repetition counts. */
  readonly repeats: number;
}

const NO_FLAGS: Flags = { ignoreCase: false, multiLine: false, dotAll: false };
const ANY: CharSet = [0, LAST_CODE_POINT];
const ANY_BUT_NEWLINE = negate(single(0x0a));
const FLAGS = /\?([imsU]*)(-[imsU]+)?([:)])/y;
const NAME = /\?P?<([A-Za-z0-9_]+)>/y;
const COUNT = /\{(\d+)(?:(,)(\d+)?)?\}/y;

/** Parses a regular expression in RE2 syntax. */
export function parsePattern(source: string): PatternNode | { readonly fault: PatternFault } {
  try {
    return new Parser(source).parse();
  } catch (found) {
    if (found instanceof FaultFound) return { fault: found.fault };
    throw found;
  }
}

class Parser {
  readonly #reader: PatternReader;
  readonly #names = new Set<string>();
  #flags = NO_FLAGS;
  #depth = 0;

  constructor(source: string) {
    this.#reader = new PatternReader(source);
  }

  parse(): PatternNode {
    const { node } = this.#alternatives();
    if (!this.#reader.atEnd) this.#reader.fail(this.#reader.offset, 'unmatched `)`');
    return node;
  }

  #alternatives(): Measured {
    const branches = [this.#sequence()];
    while (this.#reader.skip('|')) branches.push(this.#sequence());
    return branches.length === 1 ? branches[0]! : this.#combine(alternate(branches.map(({ node }) => node)), branches);
  }

  #sequence(): Measured {
    const items: Measured[] = [];
    let lastRepeat = -1;
    while (!this.#reader.atEnd && !this.#reader.startsWith('|') && !this.#reader.startsWith(')')) {
      const start = this.#reader.offset;
      const bounds = this.#quantifier();
      if (bounds === undefined) {
        this.#atom(items);
        lastRepeat = -1;
      } else {
        const operand = items.pop() ?? this.#reader.fail(start, 'nothing to repeat');
        if (lastRepeat >= 0) this.#reader.fail(lastRepeat, 'a repetition cannot be repeated without parentheses');
        items.push(this.#repeat(operand, bounds, start));
        lastRepeat = start;
      }
    }
    return items.length === 1 ? items[0]! : this.#combine(concat(items.map(({ node }) => node)), items);
  }

  #combine(node: PatternNode, parts: readonly Measured[]): Measured {
    const size = parts.reduce((sum, part) => sum + part.size, node.kind === 'alternate' ? parts.length - 1 : 0);
    return this.#bounded({
      node,
      size: Math.max(1, size),
      height: 1 + most(parts, 'height'),
      repeats: most(parts, 'repeats'),
    });
  }

  #bounded(measured: Measured): Measured {
    if (measured.size > MAX_SIZE) this.#reader.fail(0, 'the pattern is too large');
    if (measured.height > MAX_HEIGHT) this.#tooDeep();
    return measured;
  }

  #tooDeep(): never {
    return this.#reader.fail(this.#reader.offset, `parentheses are nested more than ${MAX_HEIGHT} deep`);
  }

  /** Skips `*`, `+`, `?` or `{n,m}`, and the `?` for lazy repetition, which does not affect whether a string matches. */
  #quantifier(): Bounds | undefined {
    const bounds = this.#bounds();
    if (bounds !== undefined) this.#reader.skip('?');
    return bounds;
  }

  #bounds(): Bounds | undefined {
    if (this.#reader.skip('*')) return { min: 0, max: undefined, counted: false };
    if (this.#reader.skip('+')) return { min: 1, max: undefined, counted: false };
    if (this.#reader.skip('?')) return { min: 0, max: 1, counted: false };
    const start = this.#reader.offset;
    // Other braces are literal characters.
    const match = this.#reader.match(COUNT);
    if (match === undefined) return undefined;
    const [text, least, comma, most] = match;
    const min = Number(least);
    const max = comma === undefined ? min : most === undefined ? undefined : Number(most);
    if (Math.max(min, max ?? 0) > MAX_REPEAT) {
      this.#reader.fail(start, `\`${text}\` repeats more than ${MAX_REPEAT} times`);
    }
    if (max !== undefined && max < min) this.#reader.fail(start, `the bounds of \`${text}\` are out of order`);
    return { min, max, counted: true };
  }

  #repeat({ node, height, size, repeats }: Measured, { min, max, counted }: Bounds, start: number): Measured {
    const times = max ?? min;
    const total = !counted ? repeats : max === 0 ? 0 : Math.max(times, 1) * repeats;
    if (counted && times >= 2 && total > MAX_REPEAT) {
      this.#reader.fail(start, `nested repetitions repeat more than ${MAX_REPEAT} times`);
    }
    return this.#bounded({
      node: { kind: 'repeat', body: node, min, max },
      height: height + 1,
      size: 2 + Math.max(times, 1) * size,
      repeats: total,
    });
  }

  #atom(items: Measured[]): void {
    const reader = this.#reader;
    if (reader.startsWith('(')) this.#group(items);
    else if (reader.startsWith('\\Q')) this.#quoted(items);
    else items.push(leaf(reader.startsWith('\\') ? this.#escape() : this.#plain()));
  }

  #plain(): PatternNode {
    const reader = this.#reader;
    const { ignoreCase, multiLine, dotAll } = this.#flags;
    if (reader.startsWith('[')) return readBracketSet(reader, ignoreCase);
    const codePoint = reader.next();
    switch (codePoint) {
      case 0x5e:
        return assertion(multiLine ? 'line-start' : 'text-start');
      case 0x24:
        return assertion(multiLine ? 'line-end' : 'text-end');
      case 0x2e:
        return { kind: 'set', set: dotAll ? ANY : ANY_BUT_NEWLINE };
      default:
        return this.#literal(codePoint);
    }
  }

  #escape(): PatternNode {
    const reader = this.#reader;
    for (const [text, what] of ASSERTION_ESCAPES) if (reader.skip(text)) return assertion(what);
    if (skipUnicodeSet(reader)) return { kind: 'unicode-set' };
    const set = readPerlSet(reader, this.#flags.ignoreCase);
    return set === undefined ? this.#literal(readEscapedChar(reader)) : { kind: 'set', set };
  }

  #literal(codePoint: number): PatternNode {
    if (!this.#flags.ignoreCase) return { kind: 'set', set: single(codePoint) };
    const set = foldAscii(single(codePoint));
    return set === undefined ? { kind: 'unicode-set' } : { kind: 'set', set };
  }

  #quoted(items: Measured[]): void {
    const reader = this.#reader;
    reader.skip('\\Q');
    while (!reader.atEnd && !reader.skip('\\E')) items.push(leaf(this.#literal(reader.next())));
  }

  #group(items: Measured[]): void {
    const reader = this.#reader;
    const start = reader.offset;
    const outer = this.#flags;
    reader.skip('(');
    const captures = !reader.startsWith('?') || this.#name(start);
    if (!captures && this.#setFlags(start)) return;
    if (++this.#depth > MAX_HEIGHT) this.#tooDeep();
    const body = this.#alternatives();
    if (!reader.skip(')')) reader.fail(start, 'unclosed `(`');
    this.#depth--;
    this.#flags = outer;
    items.push(captures ? this.#bounded({ ...body, size: body.size + 2, height: body.height + 1 }) : body);
  }

  /** Skips `?P<name>` or `?<name>`. */
  #name(start: number): boolean {
    const reader = this.#reader;
    if (/\?<[=!]/y.test(reader.source.slice(reader.offset, reader.offset + 3))) return false;
    if (!reader.startsWith('?P<') && !reader.startsWith('?<')) return false;
    const match = reader.match(NAME) ?? reader.fail(start, 'group names consist of letters, digits and `_`');
    const name = match[1]!;
    if (this.#names.has(name)) reader.fail(start, `duplicate group name \`${name}\``);
    this.#names.add(name);
    return true;
  }

  /** Skips `?flags:` or `?flags)`; the latter is not a group but sets flags for what follows. */
  #setFlags(start: number): boolean {
    const match = this.#reader.match(FLAGS) ?? this.#reader.fail(start, groupFault(this.#reader));
    const [, on = '', off = '', end] = match;
    const value = (letter: string, before: boolean): boolean =>
      !off.includes(letter) && (before || on.includes(letter));
    const { ignoreCase, multiLine, dotAll } = this.#flags;
    const flags = { ignoreCase: value('i', ignoreCase), multiLine: value('m', multiLine), dotAll: value('s', dotAll) };
    this.#flags = flags;
    return end === ')';
  }
}

interface Bounds {
  readonly min: number;
  readonly max: number | undefined;
  /** Written with numbers. */
  readonly counted: boolean;
}

const ASSERTION_ESCAPES: readonly (readonly [text: string, what: Assertion])[] = [
  ['\\A', 'text-start'],
  ['\\z', 'text-end'],
  ['\\b', 'word-boundary'],
  ['\\B', 'no-word-boundary'],
];

function assertion(what: Assertion): PatternNode {
  return { kind: 'assertion', what };
}

function leaf(node: PatternNode): Measured {
  return { node, height: 1, size: 1, repeats: 1 };
}

function most(parts: readonly Measured[], of: 'height' | 'repeats'): number {
  return parts.reduce((greatest, part) => Math.max(greatest, part[of]), of === 'height' ? 0 : 1);
}

function groupFault(reader: PatternReader): string {
  if (['?=', '?!', '?<=', '?<!'].some(text => reader.startsWith(text))) return 'look-around is not in RE2';
  if (reader.startsWith('?>')) return 'atomic groups are not in RE2';
  return 'invalid or unsupported group';
}

const CONTROL: Readonly<Record<string, number>> = { a: 0x07, f: 0x0c, t: 0x09, n: 0x0a, r: 0x0d, v: 0x0b };

const OCTAL = /0[0-7]{0,2}|[1-7][0-7]{1,2}/y;
const HEX = /x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))/y;

/** Reads an escaped character; the backslash is next. */
function readEscapedChar(reader: PatternReader): number {
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
function readPerlSet(reader: PatternReader, ignoreCase: boolean): CharSet | undefined {
  const letter = reader.source[reader.offset + 1] ?? '';
  if (!reader.startsWith('\\') || !Object.hasOwn(PERL_SETS, letter)) return undefined;
  reader.offset += 2;
  return withCases(PERL_SETS[letter]!, letter < 'a', ignoreCase);
}

/** Returns a named or negated ASCII set; with case folding, the set is folded before it is negated. */
function withCases(set: CharSet, negated: boolean, ignoreCase: boolean): CharSet {
  if (!ignoreCase) return set;
  return negated ? negate(foldAscii(negate(set))!) : foldAscii(set)!;
}

/** Skips `\pL`, `\p{Greek}`, `\P{^Lu}`; returns false if something else is next. */
function skipUnicodeSet(reader: PatternReader): boolean {
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

/** The members so far; undefined if one of them is known only to the RE2 engine. */
type Members = number[] | undefined;

/** Reads `[…]`; the bracket is next. */
function readBracketSet(reader: PatternReader, ignoreCase: boolean): PatternNode {
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

/** What is wrong with a pattern, and the UTF-16 offset. */
interface PatternFault {
  readonly offset: number;
  readonly message: string;
}

/** Thrown within the parser; never leaves `parsePattern`. */
class FaultFound {
  readonly fault: PatternFault;

  constructor(offset: number, message: string) {
    this.fault = { offset, message };
  }
}

/** A cursor in a pattern that moves by code points. */
class PatternReader {
  readonly source: string;
  offset = 0;

  constructor(source: string) {
    this.source = source;
  }

  get atEnd(): boolean {
    return this.offset >= this.source.length;
  }

  startsWith(text: string): boolean {
    return this.source.startsWith(text, this.offset);
  }

  /** Skips the string if it is next. */
  skip(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.offset += text.length;
    return true;
  }

  /** Skips a match of the sticky expression. */
  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.offset;
    const match = expression.exec(this.source);
    if (match === null) return undefined;
    this.offset = expression.lastIndex;
    return match;
  }

  /** Returns the next code point; there must be one. */
  next(): number {
    const codePoint = this.source.codePointAt(this.offset)!;
    this.offset += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  fail(offset: number, message: string): never {
    throw new FaultFound(offset, message);
  }
}

/** Returns what is wrong with a regular expression in RE2 syntax; undefined if it is valid. */
export function validatePattern(source: string): PatternFault | undefined {
  if (isObviouslyValid(source)) return undefined;
  const result = parsePattern(source);
  return 'fault' in result ? result.fault : undefined;
}

/** Escaped punctuation, sets and assertions. */
const ESCAPE = String.raw`\\(?:[dDsSwWbBAzafnrtv]|[!-\/:-@\[-\x60{-~])`;
/** Only ranges that are obviously in order. */
const MEMBER = String.raw`a-z|A-Z|0-9|a-f|A-F|[\w !-,./:-@\x60{-~]|\\[dDsSwWnrt!-\/:-@\[-\x60{-~]`;
const CLASS = String.raw`\[\^?(?:${MEMBER})+-?\]`;
const QUANTIFIER = String.raw`(?:[*+?]\??)?`;
const PIECE = String.raw`(?:[\w !"#%&',./:;<=>@\x60~-]|${ESCAPE}|${CLASS})${QUANTIFIER}|[$^|]`;
const GROUP_OF_FLAGS = String.raw`\(\?[imsU]+\)`;
const inGroup = (body: string): string => String.raw`\((?:\?:)?(?:${body})*\)${QUANTIFIER}`;
const NESTED = `${PIECE}|${inGroup(PIECE)}`;

/** The next one or two characters determine the alternative, so this takes linear time. */
const SURE = new RegExp(`^(?:${PIECE}|${GROUP_OF_FLAGS}|${inGroup(NESTED)})*$`);

/** Longer patterns may exceed a limit. */
const LONGEST = 1000;

/**
 * Returns true if a regular expression is obviously valid RE2: letters, common escapes and classes, groups nested at most once, repetitions
 * without counts. Most patterns are, and this takes a tenth of the time of parsing.
 */
export function isObviouslyValid(pattern: string): boolean {
  return pattern.length <= LONGEST && SURE.test(pattern);
}

/** A pattern to be written in the syntax of another engine. */
export interface PatternTree {
  /** Without what does not affect whether part of a string matches. */
  readonly node: PatternNode;
  /** As written, captures aside. */
  readonly whole: PatternNode;
  /** Whether engines that backtrack need at most a polynomial of low degree in the length of the input. */
  readonly boundedBacktracking: boolean;
}

/** Parses a pattern in RE2 syntax of any size; undefined for a bad one. */
export function patternTree(pattern: string): PatternTree | undefined {
  const parsed = parsePattern(pattern);
  if ('fault' in parsed) return undefined;
  const node = trimEdges(parsed);
  return { node, whole: parsed, boundedBacktracking: hasBoundedBacktracking(node) };
}

/** Returns the evaluation error for a pattern that is not valid RE2. */
export function invalidPattern(pattern: string, reason: string): EvaluationError {
  return new EvaluationError(
    'regex/invalid-pattern',
    `the pattern \`${pattern}\` is not a valid RE2 pattern: ${reason}`,
  );
}

type Edge = 'start' | 'end';

/**
 * Returns the pattern without the parts at its edges that do not affect whether some part of a string matches: there, repetitions need only
 * their minimum, since the rest of the string is arbitrary. `[0-9]+x` matches where `[0-9]x` does.
 */
export function trimEdges(node: PatternNode): PatternNode {
  return trimEdge(trimEdge(node, 'start'), 'end');
}

function trimEdge(node: PatternNode, edge: Edge): PatternNode {
  switch (node.kind) {
    case 'concat':
      return trimSequence(node.items, edge);
    case 'alternate': {
      const branches = node.branches.map(branch => trimEdge(branch, edge));
      // An empty branch matches wherever another one does.
      return branches.some(({ kind }) => kind === 'empty') ? EMPTY : alternate(branches);
    }
    case 'repeat':
      return trimRepeat(node.body, node.min, edge);
    default:
      return node;
  }
}

function trimRepeat(body: PatternNode, min: number, edge: Edge): PatternNode {
  const once = trimEdge(body, edge);
  // What matches nothing at the edge matches nothing after that, either.
  if (min === 0 || once.kind === 'empty') return EMPTY;
  return min === 1 ? once : { kind: 'repeat', body, min, max: min };
}

function trimSequence(items: readonly PatternNode[], edge: Edge): PatternNode {
  const rest = [...items];
  while (rest.length > 0) {
    const outermost = trimEdge(edge === 'start' ? rest.shift()! : rest.pop()!, edge);
    if (outermost.kind === 'empty') continue;
    return concat(edge === 'start' ? [...itemsOf(outermost), ...rest] : [...rest, ...itemsOf(outermost)]);
  }
  return EMPTY;
}
