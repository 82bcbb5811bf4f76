import { INVALID_BOOL, INVALID_UTF8, STRING_TOO_LONG } from '../../values/errors.ts';
import type { EvaluationError } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';

/** Converts a bool, int or uint. */
export function scalarToString(value: boolean | number | bigint): string {
  return `${value}`;
}

/** Formats like the reference implementation: the shortest digits that identify the double, with an exponent below -4 and above 5. */
export function doubleToString(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power <= 5) return `${value}`;
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

export function stringToBytes(context: RunContext, text: string): Uint8Array | EvaluationError {
  const bytes = encoder.encode(text);
  return bytes.length > context.limits.maxTextLength ? STRING_TOO_LONG : bytes;
}

/** The decoder replaces invalid UTF-8 by U+FFFD; only then must the bytes be searched for a genuine U+FFFD. */
export function bytesToString(bytes: Uint8Array): string | EvaluationError {
  const text = decoder.decode(bytes);
  return text.includes('\uFFFD') && !spells(bytes, text) ? INVALID_UTF8 : text;
}

function spells(bytes: Uint8Array, text: string): boolean {
  const encoded = encoder.encode(text);
  return encoded.length === bytes.length && encoded.every((byte, index) => byte === bytes[index]);
}

/** Like {@link bytesToString}, with one U+FFFD for each run of invalid bytes. */
export function bytesToValidString(bytes: Uint8Array): string {
  const text = bytesToString(bytes);
  if (typeof text === 'string') return text;
  let [valid, at, isBroken] = ['', 0, false];
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) valid += decoder.decode(bytes.subarray(at, at + length));
    else if (!isBroken) valid += '\uFFFD';
    isBroken = length === 0;
    at += Math.max(1, length);
  }
  return valid;
}

/** Returns the length of the UTF-8 sequence at an offset, in bytes; 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const sequence = bytes.subarray(at, at + length);
  return sequence.length === length && typeof bytesToString(sequence) === 'string' ? length : 0;
}

export function stringToBool(text: string): boolean | EvaluationError {
  if (/^(?:1|t|T|true|TRUE|True)$/.test(text)) return true;
  return /^(?:0|f|F|false|FALSE|False)$/.test(text) ? false : INVALID_BOOL;
}
