/** A bound of a value, and the number of the error that answers what is beyond it. */
export interface Limit {
  readonly limit: number;
  readonly code: number;
}

/** A form that a text must have, by the name of its check, and the number of the error otherwise. */
export interface Format {
  readonly format: FormatName;
  readonly code: number;
}

/** The forms of texts that one text alone decides. */
export type FormatName =
  | 'aws-arn'
  | 'aws-role-arn'
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

/** What a text refers to: a record of one of these kinds. */
export interface Reference {
  readonly kinds: readonly string[];
  /** Answered for a text that is no identifier of these kinds. */
  readonly malformed: number;
  /** Answered when there is no such record: what the server checks. */
  readonly missing: number;
}

export interface TextType {
  readonly kind: 'text';
  readonly oneOf?: { readonly values: readonly string[]; readonly code: number; readonly ignoreCase?: true };
  readonly maxBytes?: Limit;
  readonly formats?: readonly Format[];
  readonly reference?: Reference;
  /** Kept and answered in lower case. */
  readonly lowerCased?: true;
}

export interface BooleanType {
  readonly kind: 'boolean';
}

export interface NumberType {
  readonly kind: 'integer' | 'number';
  readonly min?: Limit;
  readonly max?: Limit;
  /** 0 stands for none, whatever `min` is. */
  readonly zeroIsNone?: true;
}

export interface ListType {
  readonly kind: 'list';
  readonly of: FieldType;
  readonly min?: Limit;
  readonly max?: Limit;
  readonly unique?: { readonly code: number; readonly ignoreCase?: true };
}

/** A map of the caller's own keys, which are never rewritten but for `keys.lowerCased`. */
export interface MapType {
  readonly kind: 'map';
  readonly keys: TextType;
  readonly of: FieldType;
  readonly max?: Limit;
  /** Answered when two keys differ in case only. */
  readonly uniqueKeys?: number;
}

/** An object of a named shape; `request` names the one that requests send, where it is another. */
export interface ShapeType {
  readonly kind: 'shape';
  readonly name: string;
  readonly request?: string;
}

/** Any JSON object, kept as sent. */
export interface JsonType {
  readonly kind: 'json';
}

/** The type of a value on the wire. */
export type FieldType = TextType | BooleanType | NumberType | ListType | MapType | ShapeType | JsonType;

/** Any value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One member of an object on the wire. */
export interface Field {
  readonly type: FieldType;
  /** Where it occurs, when not in requests and answers both. */
  readonly use?: 'request' | 'answer';
  /** It must be given when the object is created or replaced; the number of the error otherwise. */
  readonly required?: number;
  /** An answer may hold null here. */
  readonly nullable?: true;
  /** What a request that does not give it means. Without one, null where nullable. */
  readonly default?: Json;
  /** Given at creation only: an update does not know the field. */
  readonly immutable?: true;
  /** `clear`: encrypted at rest, answered in clear. `write-only`: answered as null. `once`: answered at creation only. */
  readonly secret?: 'clear' | 'write-only' | 'once';
  /** The request's field that this answer's references are made from. */
  readonly from?: string;
  readonly doc: string;
  /** Where the contract says so: part and section. */
  readonly source: string;
  /** Not of the contract: an addition of ours. */
  readonly extension?: true;
}

/** What the members of one object must be together. A member is *given* when it is neither null nor an empty text or list. */
export type ShapeRule =
  | { readonly kind: 'needs'; readonly field: string; readonly needs: readonly string[]; readonly code: number }
  | { readonly kind: 'exactly-one'; readonly of: readonly string[]; readonly none: number; readonly many: number }
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
      /** What an absent `other` means. */
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

/** A named object of the wire: a record, a module or a part of one. */
export interface Shape {
  readonly doc: string;
  readonly source: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly rules?: readonly ShapeRule[];
  /** Fields that requests are often given by mistake, each with the number of an error that says more than *unknown*. */
  readonly refused?: Readonly<Record<string, number>>;
  /** Not of the contract: an addition of ours. */
  readonly extension?: true;
}
