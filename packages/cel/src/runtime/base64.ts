import { TEXT_TOO_LONG } from './errors.ts';
import { INVALID_BASE64 } from './extension-errors.ts';
import type { RunContext } from './implementation.ts';
import type { EvaluationError } from './value.ts';

export function encodeBase64(context: RunContext, bytes: Uint8Array): string | EvaluationError {
  if (Math.ceil(bytes.length / 3) * 4 > context.limits.maxTextLength) return TEXT_TOO_LONG;
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** The padding may be left out. `atob` alone would let white space pass. */
export function decodeBase64(text: string): Uint8Array | EvaluationError {
  if (!BASE64.test(text)) return INVALID_BASE64;
  return Uint8Array.from(atob(text), character => character.charCodeAt(0));
}
