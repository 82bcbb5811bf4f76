// Compiles a pattern to a search for a literal, to a `RegExp` if V8 runs it in linear time, or to RE2.

import { DEFAULT_LIMITS, type Limits } from '../ast/limits.ts';
import { NO_PATTERN_ENGINE, PATTERN_TOO_LARGE } from '../values/errors.ts';
import type { EvaluationError } from '../values/value.ts';
import { isLinear } from './backtracking.ts';
import { invalidPattern, parsePattern, trimEdges } from './parse-pattern.ts';
import {
  type CharSet,
  isPatternTooLarge,
  isSingle,
  itemsOf,
  LAST_CODE_POINT,
  negate,
  type PatternNode,
  type RepeatNode,
} from './pattern.ts';
import type { Re2Pattern } from './re2.ts';

/** An RE2 pattern in the fastest equivalent form, which generated code may use directly. */
export type CompiledPattern =
  | (LiteralPattern & Testable)
  /** Run by V8; proved to take linear time. */
  | ({ readonly kind: 'regexp'; readonly regexp: RegExp } & Testable)
  | Re2Pattern;

interface Testable {
  /** Returns true if part of the string matches. */
  readonly test: (text: string) => boolean;
}

/** Compiles any RE2 pattern to a matcher that runs in linear time. */
export type PatternEngine = (pattern: string) => Re2Pattern | EvaluationError;

/**
 * Compiles a pattern in RE2 syntax to a matcher that is linear in the length of the input. Returns `regex/invalid-pattern` or
 * `limit/pattern-size` for a bad pattern, and `eval/no-pattern-engine` if V8 cannot run it in linear time and no engine is given.
 */
export function compileMatcher(
  pattern: string,
  { maxPatternSize }: Pick<Limits, 'maxPatternSize'> = DEFAULT_LIMITS,
  engine?: PatternEngine,
): CompiledPattern | EvaluationError {
  if (isPatternTooLarge(pattern, maxPatternSize)) return PATTERN_TOO_LARGE;
  const parsed = parsePattern(pattern);
  if ('fault' in parsed) return invalidPattern(pattern, parsed.fault.message);
  const trimmed = trimEdges(parsed);
  const literal = literalPattern(trimmed);
  if (literal !== undefined) return { ...literal, test: literalTest(literal) };
  const regexp = isLinear(trimmed) ? toRegExp(trimmed) : undefined;
  if (regexp === undefined) return engine === undefined ? NO_PATTERN_ENGINE : engine(pattern);
  return { kind: 'regexp', regexp, test: text => regexp.test(text) };
}

function literalTest({ kind, text }: LiteralPattern): (text: string) => boolean {
  switch (kind) {
    case 'literal':
      return subject => subject.includes(text);
    case 'prefix':
      return subject => subject.startsWith(text);
    case 'suffix':
      return subject => subject.endsWith(text);
    case 'equals':
      return subject => subject === text;
  }
}

/**
 * Returns a JavaScript regular expression with the same meaning as the pattern; undefined if none is certain to have. Sets are written out,
 * and only the flag `u` is used, for characters beyond U+FFFF.
 */
function toRegExp(node: PatternNode): RegExp | undefined {
  const unicode = !isWithinPlaneZero(node);
  const source = write(node, unicode);
  return source === undefined ? undefined : new RegExp(source, unicode ? 'u' : '');
}

/** Returns true if each set contains only characters of one UTF-16 unit, and no surrogates. */
function isWithinPlaneZero(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
      return (
        node.set.every(codePoint => codePoint <= 0xffff) && !node.set.some((_, i) => coversSurrogates(node.set, i))
      );
    case 'concat':
      return node.items.every(isWithinPlaneZero);
    case 'alternate':
      return node.branches.every(isWithinPlaneZero);
    case 'repeat':
      return isWithinPlaneZero(node.body);
    default:
      return true;
  }
}

function coversSurrogates(set: CharSet, index: number): boolean {
  return index % 2 === 0 && set[index]! <= 0xdfff && set[index + 1]! >= 0xd800;
}

function write(node: PatternNode, unicode: boolean): string | undefined {
  switch (node.kind) {
    case 'empty':
      return '';
    case 'set':
      return writeSet(node.set, unicode);
    case 'assertion':
      return ASSERTIONS[node.what];
    case 'concat':
      return join(node.items, '', unicode);
    case 'alternate':
      return wrap(join(node.branches, '|', unicode));
    case 'repeat':
      return writeRepeat(node, unicode);
    case 'unicode-set':
      return undefined;
  }
}

/**
 * JavaScript's multiline anchors know more line terminators than RE2's, and V8 finds `\B` inside a surrogate pair even with the flag `u`.
 */
const ASSERTIONS = {
  'text-start': '^',
  'text-end': '$',
  'line-start': undefined,
  'line-end': undefined,
  'word-boundary': '\\b',
  'no-word-boundary': undefined,
} as const;

function wrap(source: string | undefined): string | undefined {
  return source === undefined ? undefined : `(?:${source})`;
}

function join(nodes: readonly PatternNode[], separator: string, unicode: boolean): string | undefined {
  const parts = nodes.map(node => write(node, unicode));
  return parts.includes(undefined) ? undefined : parts.join(separator);
}

function writeRepeat({ body, min, max }: RepeatNode, unicode: boolean): string | undefined {
  const source = write(body, unicode);
  if (source === undefined) return undefined;
  const operand = body.kind === 'set' ? source : wrap(source);
  if (max === undefined) return `${operand}${min === 0 ? '*' : min === 1 ? '+' : `{${min},}`}`;
  if (min === 0 && max === 1) return `${operand}?`;
  return `${operand}{${min === max ? min : `${min},${max}`}}`;
}

function writeSet(set: CharSet, unicode: boolean): string {
  if (isSingle(set)) return writeChar(set[0]!, unicode);
  if (set.at(-1) === LAST_CODE_POINT) return `[^${writeRanges(negate(set), unicode)}]`;
  return `[${writeRanges(set, unicode)}]`;
}

function writeRanges(set: CharSet, unicode: boolean): string {
  let source = '';
  for (let i = 0; i < set.length; i += 2) {
    const [low, high] = [set[i]!, set[i + 1]!];
    source += writeChar(low, unicode);
    if (high > low) source += `${high > low + 1 ? '-' : ''}${writeChar(high, unicode)}`;
  }
  return source;
}

function writeChar(codePoint: number, unicode: boolean): string {
  const char = String.fromCodePoint(codePoint);
  if (/^[\w !"#%&',:;<=>@`~]$/.test(char)) return char;
  if (/^[$()*+./?[\\\]^{|}]$/.test(char)) return `\\${char}`;
  const hex = codePoint.toString(16);
  return unicode ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** A pattern that is a plain string search: anywhere, at the start, at the end, or the whole string. */
interface LiteralPattern {
  readonly kind: 'literal' | 'prefix' | 'suffix' | 'equals';
  readonly text: string;
}

const KINDS = { literal: 'literal', start: 'prefix', end: 'suffix', both: 'equals' } as const;

/** Returns the string search that a trimmed pattern is equivalent to; undefined if there is none. */
function literalPattern(node: PatternNode): LiteralPattern | undefined {
  const items = [...itemsOf(node)];
  const atStart = dropAssertions(items, 'text-start');
  const atEnd = dropAssertions(items.reverse(), 'text-end');
  let text = '';
  for (const item of items.reverse()) {
    if (item.kind !== 'set' || !isSingle(item.set)) return undefined;
    text += String.fromCodePoint(item.set[0]!);
  }
  // An unpaired surrogate would match half of a character.
  if (!text.isWellFormed()) return undefined;
  return { kind: KINDS[atStart ? (atEnd ? 'both' : 'start') : atEnd ? 'end' : 'literal'], text };
}

function dropAssertions(items: PatternNode[], what: 'text-start' | 'text-end'): boolean {
  const count = items.findIndex(item => item.kind !== 'assertion' || item.what !== what);
  const dropped = items.splice(0, count < 0 ? items.length : count);
  return dropped.length > 0;
}

/** A shorter substring occurs in most strings; a longer one hardly excludes more of them. */
const [MIN_LENGTH, MAX_LENGTH] = [2, 16];

/** Returns an ASCII substring of every string that the pattern matches; undefined if there is none of at least two characters. */
export function requiredText(pattern: string): string | undefined {
  const parsed = parsePattern(pattern);
  if ('fault' in parsed) return undefined;
  let [longest, text] = ['', ''];
  for (const item of itemsOf(parsed)) {
    // Assertions take no characters.
    if (item.kind !== 'assertion') text = isAsciiLiteral(item) ? text + String.fromCodePoint(item.set[0]!) : '';
    if (text.length > longest.length) longest = text;
  }
  return longest.length < MIN_LENGTH ? undefined : longest.slice(0, MAX_LENGTH);
}

function isAsciiLiteral(node: PatternNode): node is Extract<PatternNode, { kind: 'set' }> {
  return node.kind === 'set' && isSingle(node.set) && node.set[0]! < 128;
}
