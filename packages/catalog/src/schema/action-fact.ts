import type { Availability, Deprecation, EndpointKind, NamedType, Phase, Sample, Source } from './fact.ts';
import type { ConfigRole } from './role.ts';
import type { Termination } from './termination.ts';

/** What a configuration value may be. */
export type ConfigType =
  | { readonly kind: 'bool' }
  /** Inclusive bounds; of the values between them only some, where these are given. */
  | { readonly kind: 'int'; readonly min: number; readonly max: number; readonly values?: readonly number[] }
  /** With or without a fraction; inclusive bounds. */
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  /** Bounds are of the number of UTF-16 units, inclusive. */
  | {
      readonly kind: 'string';
      readonly nonEmpty?: boolean;
      readonly max?: number;
      /** Numbers and booleans are accepted too, and sent as strings. */
      readonly orScalar?: true;
    }
  /** An absolute URL with a host. */
  | { readonly kind: 'url' }
  /** The name of a domain, in ASCII; a leading dot is accepted. */
  | { readonly kind: 'domain' }
  /** `user:password`, as RFC 7617 allows them; bounds are of the password's length. */
  | { readonly kind: 'credentials'; readonly min: number; readonly max: number }
  /** A bare expression, without `${}`. `variables` are declared beside those of the place. */
  | { readonly kind: 'expression'; readonly result?: string; readonly variables?: readonly NamedType[] }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  /** Texts of these shapes only; `patterns` are anchored and mean the same in RE2 and JavaScript. */
  | { readonly kind: 'shape'; readonly patterns: readonly string[]; readonly expected: string }
  /** Of RE2. */
  | { readonly kind: 'regex' }
  /** `90s`, `1h30m`; bounds in seconds, inclusive. */
  | { readonly kind: 'duration'; readonly min: number; readonly max: number; readonly multipleOf?: number }
  /** An address with a prefix length, or an address alone. */
  | { readonly kind: 'cidr' }
  | { readonly kind: 'header-name' }
  /** Anything that JSON can say. */
  | { readonly kind: 'any' }
  | {
      readonly kind: 'list';
      readonly of: ConfigType;
      readonly min?: number;
      readonly max?: number;
      /** No item twice. */
      readonly unique?: boolean;
      /** One item may be written without a list around it. */
      readonly orOne?: true;
    }
  | {
      readonly kind: 'map';
      readonly key?: 'header-name';
      readonly value: ConfigType;
      readonly min?: number;
      readonly max?: number;
    }
  /** `open`: keys other than these are accepted, and not checked. */
  | { readonly kind: 'object'; readonly fields: readonly ConfigField[]; readonly open?: true };

/**
 * Text that is filled in when the action runs. Captures are `$1` of the pattern beside it, request stands for variables such as
 * `$args`, path templates are `${.conn.client_ip}`, expressions are `${conn.client_ip}`.
 */
export type Interpolation =
  | 'captures-and-request'
  | 'path-templates'
  | 'expressions'
  | 'captures-and-expressions'
  | 'captures-request-and-expressions';

/** One key of an action's configuration. */
export interface ConfigField {
  readonly name: string;
  readonly type: ConfigType;
  readonly doc: string;
  readonly required?: boolean;
  readonly default?: Sample;
  /** In the texts of this field. */
  readonly interpolation?: Interpolation;
  readonly role?: ConfigRole;
  /** Names of headers, in lower case, that the service refuses here. */
  readonly refusedHeaders?: readonly string[];
  /** Another key of the same object, without which the service refuses this one. */
  readonly needs?: string;
  /** Another key of the same object, without which this key is not supported, and what to do instead, as an imperative. */
  readonly onlyWith?: { readonly key: string; readonly instead: string };
  /** Another key of the same object, whose value must not come before this one's in the list of choices. */
  readonly atMost?: string;
  /** The limit of the profile that bounds how many items there may be, and how deep values may be nested. */
  readonly limits?: { readonly items?: string; readonly depth?: string };
  /** Vendor numbers, by code, where they differ from those that the code has elsewhere. */
  readonly refusals?: Readonly<Record<string, number>>;
  /** Where the key exists; everywhere that the action does when absent. */
  readonly endpoints?: readonly EndpointKind[];
  readonly phases?: readonly Phase[];
  readonly deprecated?: Deprecation;
}

/** Actions of which the service accepts one for each endpoint. */
export type ActionGroup = 'authentication' | 'ai-gateway';

/** What a matching rule may do. */
export interface ActionFact extends Availability {
  readonly type: string;
  readonly doc: string;
  /** Read by `terminationOf` only. */
  readonly terminates: Termination;
  /** Each run asks another server, checks signatures, or looks at all of the message. */
  readonly isHeavy?: boolean;
  /**
   * Inputs that may have another value after it has run and the evaluation went on, by path. Absent: any of them. What variables are
   * `setBy` it is not listed.
   */
  readonly changes?: readonly string[];
  /** What the client sees of it when it refuses or answers, for people. */
  readonly outcome: string;
  readonly config: readonly ConfigField[];
  /** Keys other than those of `config` are accepted, and not checked. */
  readonly openConfig?: true;
  /** A policy may have one action of this group only. */
  readonly onlyOneOf?: ActionGroup;
  /** `config` as one would write it; conforms to the fields. Undefined where none is needed. */
  readonly example: Sample | undefined;
  /** First day of its existence, where that is known. */
  readonly since?: string;
  readonly source: Source;
}
