import type { Integer } from '../../ast/ast.ts';
import { sizeOfString } from './string-functions.ts';

const SURROGATE = /[\ud800-\udfff]/;

/**
 * Returns the UTF-16 offset of a position that counts code points; undefined outside `[0, size]`. Linear, but constant for strings that V8
 * stores with one byte per character.
 */
export function offsetOf(text: string, position: Integer): number | undefined {
  if (typeof position !== 'number' || position < 0 || position > text.length) return undefined;
  if (!SURROGATE.test(text)) return position;
  let offset = 0;
  for (let passed = 0; passed < position; passed++) {
    if (offset >= text.length) return undefined;
    offset += text.codePointAt(offset)! > 0xffff ? 2 : 1;
  }
  return offset;
}

/** Returns the position, in code points, of a UTF-16 offset; -1 for -1. */
export function positionOf(text: string, offset: number): number {
  return offset < 0 ? -1 : sizeOfString(text.slice(0, offset));
}

/** Returns true if a UTF-16 offset is between characters. */
export function isBoundary(text: string, offset: number): boolean {
  const inside = (text.charCodeAt(offset) & 0xfc00) === 0xdc00 && (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800;
  return !inside;
}
