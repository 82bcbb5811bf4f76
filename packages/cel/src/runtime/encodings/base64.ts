import { STRING_TOO_LONG } from '../../values/errors.ts';
import { INVALID_BASE64 } from '../../values/extension-errors.ts';
import type { EvaluationError } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';

export function encodeBase64(context: RunContext, bytes: Uint8Array): string | EvaluationError {
  if (Math.ceil(bytes.length / 3) * 4 > context.limits.maxTextLength) return STRING_TOO_LONG;
  return base64Of(bytes);
}

/** Returns padded base64, for any length. */
export function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
}

/** Uses `-` and `_` instead of `+` and `/` (RFC 4648, section 5). */
export function encodeBase64Url(context: RunContext, bytes: Uint8Array): string | EvaluationError {
  const text = encodeBase64(context, bytes);
  return typeof text === 'string' ? text.replaceAll('+', '-').replaceAll('/', '_') : text;
}

/** One character at a time: V8 overflows its stack on patterns that repeat groups over millions of characters. */
const FOREIGN = /[^A-Za-z0-9+/]/;

export function decodeBase64Url(text: string): Uint8Array | EvaluationError {
  if (FOREIGN_TO_URLS.test(text)) return INVALID_BASE64;
  return decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

const FOREIGN_TO_URLS = /[+/]/;

/** Accepts missing padding. `atob` alone would accept white space, and throws for other errors. */
export function decodeBase64(text: string): Uint8Array | EvaluationError {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const digits = text.slice(0, text.length - padding);
  const isPadded = padding === 0 || text.length % 4 === 0;
  if (!isPadded || digits.length % 4 === 1 || FOREIGN.test(digits)) return INVALID_BASE64;
  const decoded = atob(digits);
  const bytes = new Uint8Array(decoded.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = decoded.charCodeAt(i);
  return bytes;
}
