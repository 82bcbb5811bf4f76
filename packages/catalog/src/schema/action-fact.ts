import type { Availability, Deprecation, EndpointKind, NamedType, Phase, Sample, Source } from './fact.ts';
import type { ConfigRole } from './role.ts';
import type { Termination } from './termination.ts';

/** The type of a configuration value. */
export type ConfigType =
  | { readonly kind: 'bool' }
  /** Bounds are inclusive. `values` lists the only values allowed. */
  | { readonly kind: 'int'; readonly min: number; readonly max: number; readonly values?: readonly number[] }
  /** An integer or a fraction; bounds are inclusive. */
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  /** `max` is in UTF-16 units, inclusive. */
  | {
      readonly kind: 'string';
      readonly nonEmpty?: boolean;
      readonly max?: number;
      /** Also accepts numbers and booleans, which are sent as strings. */
      readonly orScalar?: true;
    }
  /** An absolute URL with a host. */
  | { readonly kind: 'url' }
  /** An ASCII domain name, with an optional leading dot. */
  | { readonly kind: 'domain' }
  /** `user:password` as defined by RFC 7617; the bounds apply to the length of the password. */
  | { readonly kind: 'credentials'; readonly min: number; readonly max: number }
  /** An expression without `${}`. `variables` are declared in addition to those of the phase and endpoint. */
  | { readonly kind: 'expression'; readonly result?: string; readonly variables?: readonly NamedType[] }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  /** A string that matches one of `patterns`, which are anchored and mean the same in RE2 and JavaScript. */
  | { readonly kind: 'shape'; readonly patterns: readonly string[]; readonly expected: string }
  /** An RE2 pattern. */
  | { readonly kind: 'regex' }
  /** A duration such as `90s` or `1h30m`; bounds are in seconds, inclusive. */
  | { readonly kind: 'duration'; readonly min: number; readonly max: number; readonly multipleOf?: number }
  /** An IP address with or without a prefix length. */
  | { readonly kind: 'cidr' }
  | { readonly kind: 'header-name' }
  /** Any JSON value. */
  | { readonly kind: 'any' }
  | {
      readonly kind: 'list';
      readonly of: ConfigType;
      readonly min?: number;
      readonly max?: number;
      /** Items must differ. */
      readonly unique?: boolean;
      /** A single item may be written without the list. */
      readonly orOne?: true;
    }
  | {
      readonly kind: 'map';
      readonly key?: 'header-name';
      readonly value: ConfigType;
      readonly min?: number;
      readonly max?: number;
    }
  /** `open`: other keys are accepted without checks. */
  | { readonly kind: 'object'; readonly fields: readonly ConfigField[]; readonly open?: true };

/**
 * What an action interpolates into a string when it runs: `captures` are `$1` of the accompanying pattern, `request` means variables such
 * as `$args`, `path-templates` are `${.conn.client_ip}`, `expressions` are `${conn.client_ip}`.
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
  /** How strings of this field are interpolated; not at all when absent. */
  readonly interpolation?: Interpolation;
  readonly role?: ConfigRole;
  /** Header names, in lower case, that the service rejects here. */
  readonly refusedHeaders?: readonly string[];
  /** Another key of the same object that the service requires along with this one. */
  readonly needs?: string;
  /** Another key of the same object, without which this one is not supported, and what to do instead, as an imperative. */
  readonly onlyWith?: { readonly key: string; readonly instead: string };
  /** Another key of the same object whose value must not precede this one's in the list of choices. */
  readonly atMost?: string;
  /** Names of the profile's limits on the number of items and on nesting depth. */
  readonly limits?: { readonly items?: string; readonly depth?: string };
  /** The vendor's error numbers by diagnostic code, where they differ from the code's usual number. */
  readonly refusals?: Readonly<Record<string, number>>;
  /** Where the key exists; wherever the action does when absent. */
  readonly endpoints?: readonly EndpointKind[];
  readonly phases?: readonly Phase[];
  readonly deprecated?: Deprecation;
}

/** A group of actions, of which the service accepts one per endpoint. */
export type ActionGroup = 'authentication' | 'ai-gateway';

/** An action: its configuration, its effects and where it may be used. */
export interface ActionFact extends Availability {
  readonly type: string;
  readonly doc: string;
  /** Read only by `terminationOf`. */
  readonly terminates: Termination;
  /** The action calls another server, verifies signatures, or reads the whole message. */
  readonly isHeavy?: boolean;
  /** Paths of inputs that may change when evaluation continues after the action; any input when absent. Variables that are `setBy` the
   * action are not listed. */
  readonly changes?: readonly string[];
  /** What the client sees when the action refuses or responds, in words. */
  readonly outcome: string;
  readonly config: readonly ConfigField[];
  /** Accepts keys that are not in `config`, without checks. */
  readonly openConfig?: true;
  /** A policy may have only one action of this group. */
  readonly onlyOneOf?: ActionGroup;
  /** A realistic configuration that conforms to `config`. Undefined if the action needs none. */
  readonly example: Sample | undefined;
  /** The day the action was introduced, if known. */
  readonly since?: string;
  readonly source: Source;
}
