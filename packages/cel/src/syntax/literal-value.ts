// Values of literals, with escapes and ranges; and syntax that an environment does not support.

import type { Range } from '@tollgate/diagnostics';
import type { Literal } from '../ast/ast.ts';
import { canonical } from '../values/numbers.ts';
import { isHexDigit } from './characters.ts';
import type { ParseFinding, Reporter } from './reporter.ts';
import * as T from './tokens.ts';

const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

/** Returns the value of an int literal, decimal or hexadecimal; a minus sign is passed separately. */
export function intValue(text: string, negative: boolean, range: Range): Literal | ParseFinding {
  const small = text.length <= 15 ? Number(text) : undefined;
  if (small !== undefined && Number.isSafeInteger(small)) {
    return { type: 'int', value: negative && small !== 0 ? -small : small };
  }
  const big = BigInt(text);
  if (big > (negative ? MAX_INT + 1n : MAX_INT)) {
    return outOfRange('int', 'between -9223372036854775808 and 9223372036854775807', range);
  }
  return { type: 'int', value: canonical(negative ? -big : big) };
}

/** Returns the value of a uint literal including its `u`. */
export function uintValue(text: string, range: Range): Literal | ParseFinding {
  const big = BigInt(text.slice(0, -1));
  return big > MAX_UINT
    ? outOfRange('uint', 'at most 18446744073709551615', range)
    : { type: 'uint', value: canonical(big) };
}

export function doubleValue(text: string, range: Range): Literal | ParseFinding {
  const value = Number(text);
  return Number.isFinite(value) ? { type: 'double', value } : outOfRange('double', 'at most 1.797e308', range);
}

function outOfRange(type: string, bounds: string, range: Range): ParseFinding {
  return {
    code: 'syntax/number-out-of-range',
    message: `expected a ${type} ${bounds}`.replace('a int', 'an int'),
    range,
  };
}

/** Returns the value of the string or bytes literal between two source offsets; undefined after reporting an error. */
export function quotedLiteral(source: string, start: number, end: number, reporter: Reporter): Literal | undefined {
  return plainLiteral(source, start, end) ?? quotedValue(source.slice(start, end), start, reporter);
}

/** Returns the value of the most common string literals: no prefix, one quote on each side, no escapes. Undefined for others. */
export function plainLiteral(source: string, start: number, end: number): Literal | undefined {
  const first = source.charCodeAt(start);
  if ((first !== 0x22 && first !== 0x27) || source.charCodeAt(start + 1) === first) return undefined;
  const value = source.slice(start + 1, end - 1);
  return value.includes('\\') || !value.isWellFormed() ? undefined : { type: 'string', value };
}

/**
 * Returns the value of a string or bytes literal with prefix and quotes; `offset` is its position in the source. Reports every invalid
 * escape.
 */
function quotedValue(text: string, offset: number, reporter: Reporter): Literal | undefined {
  const quoteAt = /["']/.exec(text)?.index as number;
  const prefix = text.slice(0, quoteAt).toLowerCase();
  const quotes = text.startsWith(text[quoteAt]!.repeat(3), quoteAt) && text.length >= quoteAt + 6 ? 3 : 1;
  const body = text.slice(quoteAt + quotes, -quotes);
  const isBytes = prefix.startsWith('b');
  const isRaw = prefix.endsWith('r');
  if (!body.isWellFormed()) {
    reporter.report({
      code: 'syntax/lone-surrogate',
      message: 'unpaired surrogate; write the whole character',
      range: { start: offset, end: offset + text.length },
    });
    return undefined;
  }
  if (isRaw || !body.includes('\\')) {
    const value = normalizeLines(body);
    return isBytes ? { type: 'bytes', value: new TextEncoder().encode(value) } : { type: 'string', value };
  }
  const unescaper = new Unescaper(body, offset + quoteAt + quotes, isBytes, reporter);
  return unescaper.run();
}

/** Within literals, all line endings count as line feeds, as in the reference implementation. */
function normalizeLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};

const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

class Unescaper {
  private readonly body: string;
  private readonly offset: number;
  private readonly isBytes: boolean;
  private readonly reporter: Reporter;
  /** Pieces of the string; for bytes, also single bytes from escapes. */
  private readonly pieces: (string | number)[] = [];
  private failed = false;

  constructor(body: string, offset: number, isBytes: boolean, reporter: Reporter) {
    this.body = body;
    this.offset = offset;
    this.isBytes = isBytes;
    this.reporter = reporter;
  }

  run(): Literal | undefined {
    const { body } = this;
    let at = 0;
    while (at < body.length) {
      const backslash = body.indexOf('\\', at);
      const end = backslash < 0 ? body.length : backslash;
      if (end > at) this.pieces.push(normalizeLines(body.slice(at, end)));
      at = backslash < 0 ? end : this.escape(backslash);
    }
    if (this.failed) return undefined;
    return this.isBytes
      ? { type: 'bytes', value: toBytes(this.pieces) }
      : { type: 'string', value: this.pieces.join('') };
  }

  /** Decodes the escape at `at` and returns its end. */
  private escape(at: number): number {
    const letter = this.body[at + 1] ?? '';
    const simple = Object.hasOwn(SIMPLE_ESCAPES, letter) ? SIMPLE_ESCAPES[letter] : undefined;
    if (simple !== undefined) {
      this.pieces.push(simple);
      return at + 2;
    }
    const hexLength = Object.hasOwn(HEX_LENGTHS, letter) ? HEX_LENGTHS[letter] : undefined;
    if (hexLength !== undefined) return this.hex(at, letter, hexLength);
    if (letter >= '0' && letter <= '9') return this.octal(at);
    const end = at + 1 + ((this.body.codePointAt(at + 1) ?? 0) > 0xffff ? 2 : 1);
    return this.fail(at, end, `unknown escape \`${this.body.slice(at, end)}\`; a backslash itself is written \`\\\\\``);
  }

  private hex(at: number, letter: string, length: number): number {
    const start = at + 2;
    let end = start;
    while (end < start + length && isHexDigit(this.body.charCodeAt(end))) end++;
    if (end < start + length) {
      return this.fail(at, end, `expected ${length} hexadecimal digits after \`\\${letter}\`, found ${end - start}`);
    }
    const code = Number.parseInt(this.body.slice(start, end), 16);
    const isByte = length === 2;
    if (this.isBytes && !isByte)
      return this.fail(at, end, `\`\\${letter}\` is not allowed in bytes; write \`\\x\` escapes`);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      return this.fail(at, end, `expected a Unicode code point, found \`${this.body.slice(at, end)}\``);
    }
    this.pieces.push(this.isBytes ? code : String.fromCodePoint(code));
    return end;
  }

  private octal(at: number): number {
    const digits = this.body.slice(at + 1, at + 4);
    if (!/^[0-3][0-7]{2}$/.test(digits)) {
      const end = at + 1 + (/^[0-9]*/.exec(digits) as RegExpExecArray)[0].length;
      return this.fail(at, end, 'expected three octal digits up to `377` after the backslash');
    }
    const code = Number.parseInt(digits, 8);
    this.pieces.push(this.isBytes ? code : String.fromCodePoint(code));
    return at + 4;
  }

  private fail(start: number, end: number, message: string): number {
    this.failed = true;
    this.reporter.report({
      code: 'syntax/invalid-escape',
      message,
      range: { start: this.offset + start, end: this.offset + end },
      args: { found: this.body.slice(start, end) },
    });
    return Math.max(end, start + 1);
  }
}

function toBytes(pieces: readonly (string | number)[]): Uint8Array {
  const encoder = new TextEncoder();
  const parts = pieces.map(piece => (typeof piece === 'number' ? Uint8Array.of(piece) : encoder.encode(piece)));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Syntax that an environment may disable: `a.?b`, `a[?b]`, `[?e]`, `{?k: v}` and names in backticks. */
type SyntaxFeature = 'optionals' | 'quoted-names';

/** Inspects the tokens of an expression before they are parsed. */
export type TokenCheck = (tokens: readonly T.Token[], reporter: Reporter) => void;

/** Returns a check that reports the given syntax, for an environment that does not support it. */
export function disableSyntax(...features: readonly SyntaxFeature[]): TokenCheck {
  return (tokens, reporter) => reportDisabledSyntax(tokens, features, reporter);
}

function reportDisabledSyntax(tokens: readonly T.Token[], off: readonly SyntaxFeature[], reporter: Reporter): void {
  tokens.forEach((token, index) => {
    if (off.includes('quoted-names') && token.tokenType === T.QuotedName) report(token, 'quoted-names', reporter);
    if (!off.includes('optionals') || token.tokenType !== T.Question) return;
    // The question mark of `c ? a : b` follows an operand, never one of these.
    if (OPENERS.has(tokens[index - 1]?.tokenTypeIdx ?? 0)) report(token, 'optionals', reporter);
  });
}

const OPENERS: ReadonlySet<number> = new Set(
  [T.Dot, T.LeftBracket, T.LeftBrace, T.Comma].map(type => type.tokenTypeIdx as number),
);

const MESSAGES: Readonly<Record<SyntaxFeature, string>> = {
  optionals: 'optional syntax is disabled; `?` is allowed only between two expressions',
  'quoted-names': 'names in backticks are disabled',
};

function report(token: T.Token, feature: SyntaxFeature, reporter: Reporter): void {
  const range = { start: token.startOffset, end: token.end };
  reporter.report({ code: 'syntax/switched-off', message: MESSAGES[feature], range, args: { feature } });
}
