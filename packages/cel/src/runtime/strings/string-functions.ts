import { STRING_TOO_LONG } from '../../values/errors.ts';
import type { EvaluationError } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';

export function addText(context: RunContext, a: string, b: string): string | EvaluationError {
  return a.length + b.length > context.limits.maxTextLength ? STRING_TOO_LONG : a + b;
}

/** Returns the number of code points in linear time. */
export function sizeOfString(text: string): number {
  let size = text.length;
  if (size > LONG && !SURROGATE.test(text)) return size;
  for (let i = 1; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) size--;
  }
  return size;
}

/** From this length on, searching for surrogates pays: for 100 letters, 16 ns instead of 143 ns. */
const LONG = 16;
const SURROGATE = /[\ud800-\udbff]/;

export function containsString(text: string, part: string): boolean {
  return text.includes(part);
}

export function startsWithString(text: string, prefix: string): boolean {
  return text.startsWith(prefix);
}

export function endsWithString(text: string, suffix: string): boolean {
  return text.endsWith(suffix);
}

export function addBytes(context: RunContext, a: Uint8Array, b: Uint8Array): Uint8Array | EvaluationError {
  if (a.length + b.length > context.limits.maxTextLength) return STRING_TOO_LONG;
  const sum = new Uint8Array(a.length + b.length);
  sum.set(a);
  sum.set(b, a.length);
  return sum;
}
