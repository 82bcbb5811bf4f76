import type { Integer } from '../../ast/ast.ts';
import { COLLECTION_TOO_LARGE, STRING_TOO_LONG } from '../../values/errors.ts';
import { type EvaluationError, NonValue, type Value } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { readString } from '../host/host.ts';

export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase());
}

export function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, letters => letters.toUpperCase());
}

export function reverseString(text: string): string {
  return Array.from(text).reverse().join('');
}

/** Trims Unicode White_Space: U+0085 is included, and the byte order mark, which JavaScript's `trim` removes, is not. */
export function trimString(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITE_SPACE.test(text[start]!)) start++;
  while (end > start && WHITE_SPACE.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

const WHITE_SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

export function joinStrings(context: RunContext, list: readonly Value[]): string | NonValue {
  return joinStringsWith(context, list, '');
}

export function joinStringsWith(context: RunContext, list: readonly Value[], separator: string): string | NonValue {
  let length = 0;
  for (const element of list) {
    const text = readString(element);
    if (text instanceof NonValue) return text;
    length += text.length + separator.length;
  }
  return length - separator.length > context.limits.maxTextLength ? STRING_TOO_LONG : list.join(separator);
}

/** An empty separator splits into characters. */
function partsOf(text: string, separator: string): string[] {
  return separator === '' ? Array.from(text) : text.split(separator);
}

export function splitString(context: RunContext, text: string, separator: string): readonly Value[] | EvaluationError {
  return splitStringInto(context, text, separator, -1);
}

/** A limit of 0 returns no parts, a negative one all; otherwise the last part is the rest. */
export function splitStringInto(
  context: RunContext,
  text: string,
  separator: string,
  limit: Integer,
): readonly Value[] | EvaluationError {
  if (limit === 0) return [];
  const parts = partsOf(text, separator);
  if (limit > 0 && parts.length > limit) {
    parts.push(parts.splice(Number(limit) - 1).join(separator));
  }
  return parts.length > context.limits.maxCollectionSize ? COLLECTION_TOO_LARGE : parts;
}

export function replaceString(context: RunContext, text: string, part: string, by: string): string | EvaluationError {
  return replaceStringTimes(context, text, part, [by, -1]);
}

/** The empty string occurs before every character and at the end. */
function replaceStringTimes(
  context: RunContext,
  text: string,
  part: string,
  [by, limit]: readonly [by: string, limit: Integer],
): string | EvaluationError {
  const parts = part === '' ? ['', ...Array.from(text), ''] : text.split(part);
  const times = limit < 0 ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  if (text.length + times * (by.length - part.length) > context.limits.maxTextLength) return STRING_TOO_LONG;
  const rest = parts.slice(times).join(part);
  return times === 0 ? text : `${parts.slice(0, times).join(by)}${by}${rest}`;
}

/** Replaces at most `limit` times; always if it is negative. One parameter above the ceiling, as overloads require. */
export function replaceStringUpTo(context: RunContext, ...args: readonly [string, string, string, Integer]) {
  const [text, part, by, limit] = args;
  return replaceStringTimes(context, text, part, [by, limit]);
}
