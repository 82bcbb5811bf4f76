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
