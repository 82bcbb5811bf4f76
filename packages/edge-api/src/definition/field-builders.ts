import type { Field, FieldType, Limit, ListType, MapType, NumberType, TextType } from './field.ts';
import { LIMITS } from './limits.ts';

/** Returns a string type with constraints. */
export function text<const T extends Omit<TextType, 'kind'>>(facts: T): { readonly kind: 'text' } & T {
  return { kind: 'text', ...facts };
}

/** Returns the type of strings with at most `limit` bytes of UTF-8. */
export function upTo(limit: number, code: number): { readonly kind: 'text'; readonly maxBytes: Limit } {
  return text({ maxBytes: { limit, code } });
}

/** Returns the type of one of the given strings. */
export function oneOf<const V extends readonly string[]>(values: V, code: number) {
  return { kind: 'text', oneOf: { values, code } } as const;
}

/** Returns the type of an identifier of one of these record kinds. */
export function referenceTo(kinds: readonly string[], malformed: number, missing: number) {
  return text({ reference: { kinds, malformed, missing } });
}

export const BOOLEAN = { kind: 'boolean' } as const;
export const JSON_OBJECT = { kind: 'json' } as const;
export const PLAIN = { kind: 'text' } as const;
export const TIMESTAMP = text({ formats: [{ format: 'timestamp', code: 241 }] });

/** Returns the type of integers from 0 to 2^32 - 1, or within the given bounds. */
export function uint32(bounds: Partial<Omit<NumberType, 'kind'>> = {}) {
  return {
    kind: 'integer',
    min: { limit: 0, code: 215 },
    max: { limit: LIMITS.uint32, code: 215 },
    ...bounds,
  } as const;
}

/** Returns a list type. */
export function list<const T extends FieldType>(of: T, facts: Omit<ListType, 'kind' | 'of'> = {}) {
  return { kind: 'list', of, ...facts } as const;
}

/** Returns the type of maps with keys chosen by the caller. */
export function map<const T extends FieldType>(of: T, facts: Partial<Omit<MapType, 'kind' | 'of'>> = {}) {
  return { kind: 'map', keys: PLAIN, of, ...facts } as const;
}

/** Returns the type of objects of a named shape. */
export function shape<const N extends string, const R extends string = N>(name: N, request?: R) {
  return { kind: 'shape', name, request: (request ?? name) as R } as const;
}

/** Returns the field of a module, which is null until configured. */
export function module<const N extends string, const R extends string = N>(name: N, request: R, source: string) {
  return {
    type: shape(name, request),
    nullable: true,
    doc: `The ${name} module; null when not configured.`,
    source,
  } as const;
}

/** The `enabled` flag of every module. */
export const ENABLED = {
  type: BOOLEAN,
  default: true,
  doc: 'Whether the module is applied to traffic.',
  source: 'A 2',
} as const satisfies Field;

/** Returns the fields that the service assigns to every record. */
export function record(what: string, source: string) {
  return {
    id: { type: PLAIN, use: 'answer', doc: `Identifier of the ${what}, assigned by the service.`, source },
    uri: { type: PLAIN, use: 'answer', doc: `URI of the ${what}.`, source },
    created_at: { type: TIMESTAMP, use: 'answer', doc: `When the ${what} was created, RFC 3339.`, source },
  } as const satisfies Record<string, Field>;
}

/** Returns the description and metadata fields of a record, with the errors for values that are too long. */
export function described(source: string, codes: { readonly description: number; readonly metadata: number }) {
  return {
    description: {
      type: upTo(LIMITS.descriptionBytes, codes.description),
      default: '',
      doc: `Human-readable description, at most ${LIMITS.descriptionBytes} bytes.`,
      source,
    },
    metadata: {
      type: upTo(LIMITS.metadataBytes, codes.metadata),
      default: '',
      doc: `The caller's own machine-readable data, at most ${LIMITS.metadataBytes} bytes.`,
      source,
    },
  } as const satisfies Record<string, Field>;
}

/** Returns a field. */
export function field<const T extends FieldType, const F extends Omit<Field, 'type' | 'doc' | 'source'>>(
  type: T,
  facts: F,
  source: string,
  doc: string,
): { readonly type: T; readonly doc: string; readonly source: string } & F {
  return { type, ...facts, doc, source };
}
