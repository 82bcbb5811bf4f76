// What the contract is written in: fields, their types, limits and errors, and builders for them.

import { LIMITS } from './wire.ts';

/** A limit on a value, and the error for values beyond it. */
export interface Limit {
  readonly limit: number;
  readonly code: number;
}

/** A format that a string must have, and the error for other strings. */
interface Format {
  readonly format: FormatName;
  readonly code: number;
}

/** Formats that can be checked on the string alone. */
export type FormatName =
  | 'aws-arn'
  | 'aws-role-arn'
  | 'carried-header'
  | 'cidr'
  | 'cidr-lowest-address'
  | 'cidr-mask'
  | 'cookie-prefix'
  | 'domain'
  | 'email'
  | 'email-domain'
  | 'event-type'
  | 'github-team'
  | 'header-name'
  | 'header-value'
  | 'host-and-port'
  | 'https-url'
  | 'lower-case'
  | 'mutable-request-header'
  | 'not-empty'
  | 'p256-public-key'
  | 'pem'
  | 'pem-certificate'
  | 'pem-single'
  | 'port-range'
  | 'route-selector'
  | 'saml-metadata'
  | 'timestamp'
  | 'url'
  | 'x509'
  | 'x509-authority';

/** A reference to a record of one of these kinds. */
export interface Reference {
  readonly kinds: readonly string[];
  /** The error for strings that are not identifiers of these kinds. */
  readonly malformed: number;
  /** The error if the record does not exist, which the server checks. */
  readonly missing: number;
}

export interface TextType {
  readonly kind: 'text';
  readonly oneOf?: { readonly values: readonly string[]; readonly code: number; readonly ignoreCase?: true };
  readonly maxBytes?: Limit;
  readonly formats?: readonly Format[];
  readonly reference?: Reference;
  /** Stored and returned in lower case. */
  readonly lowerCased?: true;
}

interface BooleanType {
  readonly kind: 'boolean';
}

export interface NumberType {
  readonly kind: 'integer' | 'number';
  readonly min?: Limit;
  readonly max?: Limit;
  /** Whether 0 is allowed and means none, whatever `min` is. */
  readonly zeroIsNone?: true;
}

export interface ListType {
  readonly kind: 'list';
  readonly of: FieldType;
  readonly min?: Limit;
  readonly max?: Limit;
  readonly unique?: { readonly code: number; readonly ignoreCase?: true };
}

/** A map with keys chosen by the caller, which change only if `keys.lowerCased`. */
export interface MapType {
  readonly kind: 'map';
  readonly keys: TextType;
  readonly of: FieldType;
  readonly max?: Limit;
  /** The error if two keys differ only in case. */
  readonly uniqueKeys?: number;
}

/** An object of a named shape; `request` names the shape that requests send if it differs. */
interface ShapeType {
  readonly kind: 'shape';
  readonly name: string;
  readonly request?: string;
}

/** Any JSON object, stored as sent. */
interface JsonType {
  readonly kind: 'json';
}

/** The type of a value on the wire. */
export type FieldType = TextType | BooleanType | NumberType | ListType | MapType | ShapeType | JsonType;

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A field of an object on the wire. */
export interface Field {
  readonly type: FieldType;
  /** Where the field occurs; in requests and responses if absent. */
  readonly use?: 'request' | 'answer';
  /** The error if the field is missing when the object is created or replaced. */
  readonly required?: number;
  /** Whether responses may contain null. */
  readonly nullable?: true;
  /** The value if a request does not give the field. */
  readonly default?: Json;
  /** An update with an empty string, list or map does not give the field: clients send that for what their caller leaves out. */
  readonly emptyIsAbsent?: true;
  /** Accepted only at creation; unknown to updates. */
  readonly immutable?: true;
  /**
   * All secrets are encrypted at rest and absent from events. `clear`: returned in clear text. `write-only`: returned as null; in a map, the
   * keys are returned with null values. `origin-only`: a URL of which only the origin is returned. `once`: returned only at creation.
   */
  readonly secret?: 'clear' | 'write-only' | 'origin-only' | 'once';
  /** The request field with the identifiers that this field's references are built from. */
  readonly from?: string;
  readonly doc: string;
  /** Part and section of the contract. */
  readonly source: string;
  /** Not in the contract: an extension of this server. */
  readonly extension?: true;
}

/** A rule over several fields of an object. A field is *given* if it is neither null nor an empty string or list. */
export type ShapeRule =
  | { readonly kind: 'needs'; readonly field: string; readonly needs: readonly string[]; readonly code: number }
  | { readonly kind: 'exactly-one'; readonly of: readonly string[]; readonly none: number; readonly many: number }
  | { readonly kind: 'at-most-one'; readonly of: readonly string[]; readonly code: number }
  | {
      readonly kind: 'required-unless';
      readonly field: string;
      readonly other: string;
      readonly values: readonly string[];
      readonly code: number;
    }
  | {
      readonly kind: 'refused-when';
      readonly field: string;
      readonly other: string;
      readonly values: readonly string[];
      /** The assumed value of `other` if absent. */
      readonly unlessGiven?: string;
      readonly code: number;
    }
  | {
      readonly kind: 'format-when';
      readonly field: string;
      readonly other: string;
      readonly values: readonly string[];
      readonly format: FormatName;
      readonly code: number;
    }
  | { readonly kind: 'removal-needs-replacement'; readonly names: readonly string[]; readonly code: number };

/** A named object on the wire: a record, a module or a part of one. */
export interface Shape {
  readonly doc: string;
  readonly source: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly rules?: readonly ShapeRule[];
  /** Fields that requests often contain by mistake, with more specific errors than *unknown field*. */
  readonly refused?: Readonly<Record<string, number>>;
  /** Not in the contract: an extension of this server. */
  readonly extension?: true;
}

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
export const PLAIN_TEXT = { kind: 'text' } as const;
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
  return { kind: 'map', keys: PLAIN_TEXT, of, ...facts } as const;
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
    id: { type: PLAIN_TEXT, use: 'answer', doc: `Identifier of the ${what}, assigned by the service.`, source },
    uri: { type: PLAIN_TEXT, use: 'answer', doc: `URI of the ${what}.`, source },
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
