// JSON values, their canonical text, and keyed hashes of them.

import { createHmac, createSecretKey } from 'node:crypto';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Returns true if the value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns JSON in which neither key order nor the spelling of numbers makes a difference. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map(key => `${JSON.stringify(key)}:${canonicalText(value[key]!)}`).join(',')}}`;
}

/** Returns true if the values are the same JSON. */
export function isSame(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && areSame(a, b);
  if (Array.isArray(b)) return false;
  const [one, other] = [a as JsonObject, b as JsonObject];
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  for (const key of keys) if (!Object.hasOwn(other, key) || !isSame(one[key]!, other[key]!)) return false;
  return true;
}

function areSame(a: readonly Json[], b: readonly Json[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!isSame(a[index]!, b[index]!)) return false;
  return true;
}

/**
 * Keyed hashes. A plain hash of a module would reveal a secret in it to whoever can guess the secret; with a key that is stored neither in
 * plans nor in the journal, it does not.
 */
export interface Keyed {
  /** Identifies the key without revealing it. */
  readonly keyId: string;
  readonly fingerprint: (value: Json) => string;
}

/** Creates keyed hashes: HMAC-SHA-256, cut to 128 bits. */
export function createKeyed(key: Uint8Array): Keyed {
  const secret = createSecretKey(key);
  const hash = (text: string) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22);
  return { keyId: hash('key id').slice(0, 8), fingerprint: value => hash(canonicalText(value)) };
}
