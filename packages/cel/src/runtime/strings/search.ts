import type { Integer } from '../../ast/ast.ts';
import { INVALID_STRING_RANGE, STRING_INDEX_OUT_OF_RANGE } from '../../values/extension-errors.ts';
import type { EvaluationError } from '../../values/value.ts';
import { isBoundary, offsetOf, positionOf } from './code-points.ts';

export function charAt(text: string, position: Integer): string | EvaluationError {
  const offset = offsetOf(text, position);
  if (offset === undefined) return STRING_INDEX_OUT_OF_RANGE;
  return offset === text.length ? '' : String.fromCodePoint(text.codePointAt(offset)!);
}

export function indexOfString(text: string, part: string): number {
  return positionOf(text, nextAt(text, part, 0));
}

export function indexOfStringFrom(text: string, part: string, from: Integer): number | EvaluationError {
  const offset = offsetOf(text, from);
  return offset === undefined ? STRING_INDEX_OUT_OF_RANGE : positionOf(text, nextAt(text, part, offset));
}

export function lastIndexOfString(text: string, part: string): number {
  return positionOf(text, lastAt(text, part, text.length));
}

/** At the end of the string only the empty string is found, as in the reference implementation. */
export function lastIndexOfStringFrom(text: string, part: string, from: Integer): number | EvaluationError {
  const offset = offsetOf(text, from);
  if (offset === undefined) return STRING_INDEX_OUT_OF_RANGE;
  return offset === text.length && part !== '' ? -1 : positionOf(text, lastAt(text, part, offset));
}

/** Does not find a surrogate inside a surrogate pair. */
function nextAt(text: string, part: string, from: number): number {
  let at = text.indexOf(part, from);
  while (at >= 0 && !isWholeAt(text, part, at)) at = text.indexOf(part, at + 1);
  return at;
}

function lastAt(text: string, part: string, from: number): number {
  let at = text.lastIndexOf(part, from);
  while (at > 0 && !isWholeAt(text, part, at)) at = text.lastIndexOf(part, at - 1);
  return at;
}

function isWholeAt(text: string, part: string, at: number): boolean {
  return isBoundary(text, at) && isBoundary(text, at + part.length);
}

export function substringFrom(text: string, from: Integer): string | EvaluationError {
  const start = offsetOf(text, from);
  return start === undefined ? STRING_INDEX_OUT_OF_RANGE : text.slice(start);
}

export function substring(text: string, from: Integer, to: Integer): string | EvaluationError {
  const start = offsetOf(text, from);
  const end = offsetOf(text, to);
  if (start === undefined || end === undefined) return STRING_INDEX_OUT_OF_RANGE;
  return start > end ? INVALID_STRING_RANGE : text.slice(start, end);
}
