import { type CharSet, foldAscii, LAST_CODE_POINT, negate, single } from './char-set.ts';
import { readEscapedChar, readPerlSet, skipUnicodeSet } from './parse-escape.ts';
import { readBracketSet } from './parse-set.ts';
import { type Assertion, alternate, concat, type PatternNode } from './pattern.ts';
import { FaultFound, type PatternFault, PatternReader } from './pattern-reader.ts';

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
