/** The kind of endpoint that a policy is attached to. Which kinds exist depends on the profile. */
export type EndpointKind =
  | 'https-route'
  | 'tls-edge'
  | 'tcp-edge'
  | 'http-endpoint'
  | 'internal-http-endpoint'
  /** Serves HTTP without an upstream: the policy handles all traffic. */
  | 'cloud-endpoint'
  | 'tls-endpoint'
  | 'tcp-endpoint';

/** A moment in the life of traffic at which rules run. Which phases exist depends on the profile. */
export type Phase =
  | 'inbound'
  | 'outbound'
  | 'on_tcp_connect'
  | 'on_http_request'
  | 'on_http_response'
  | 'on_event_stream_message';

/** The endpoint kind and phase in which an expression is evaluated. They determine which names exist. */
export interface EvaluationContext {
  readonly endpoint: EndpointKind;
  readonly phase: Phase;
}

/** Where a fact may be used: every combination of these phases and endpoints. */
export interface Availability {
  readonly phases: readonly Phase[];
  readonly endpoints: readonly EndpointKind[];
}

/** A name with its CEL type. */
export interface NamedType {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
}

/** How a fact is known: documented by the vendor, inferred from examples and behaviour, or chosen because nothing is published. */
export type Source = 'documented' | 'inferred' | 'chosen';

/** An expression over the sample values and its value as CEL source. Tests run every example. */
export interface Example {
  readonly expression: string;
  readonly value: string;
}

/** A JSON value. */
export type Sample =
  | null
  | boolean
  | number
  | string
  | readonly Sample[]
  | {
      readonly [key: string]: Sample;
    };

/** What an expression reads when the edge has no value. */
export interface Absence {
  /** Completes "absent when …". */
  readonly when: string;
  /** What a read returns then, as CEL source. If undefined, the field is missing and selecting it is an evaluation error. */
  readonly value?: string;
}

/** What is known about a value that expressions read. */
interface ValueFact {
  /** A CEL type such as `map(string, list(string))` or `cookie`. */
  readonly type: string;
  readonly doc: string;
  readonly source: Source;
  readonly absent?: Absence;
}

/**
 * An input of expressions, by its full path. Object types (`conn`, `conn.Geo`) are derived from the paths. A path that is also a prefix
 * of others (`req.url`, `req.url.path`) has a *dual* type: a string with fields.
 */
export interface VariableFact extends ValueFact, Availability {
  /** `conn.Geo.CountryCode`; the first part is the variable, the rest are fields. */
  readonly path: string;
  /** Marks an open type: published policies also compare the value with values of this type. Evaluators convert it with the function of
   * that name. */
  readonly alsoReadAs?: 'int' | 'string';
  readonly role?: ValueRole;
  readonly example: Example;
  readonly sample: Sample;
  /** The day it was introduced, if known and later than the profile. */
  readonly since?: string;
  readonly deprecated?: Deprecation;
  /** The action that sets it; absent until that action has run. */
  readonly setBy?: string;
  /** Whether it comes from inside TLS, so that an edge that passes TLS through to the upstream cannot know it. */
  readonly needsTermination?: true;
}

/** Marks something that still works but should no longer be used. */
export interface Deprecation {
  /** The replacement, as written in a policy. Undefined if there is none. */
  readonly use: string | undefined;
  readonly since?: string;
}

/** A field of an object type that no single path reaches, such as a list element. */
export interface FieldFact extends ValueFact {
  readonly name: string;
}

/** An object type: its documentation and, unless they follow from the paths of variables, its fields. */
export interface ObjectFact {
  readonly name: string;
  readonly doc: string;
  readonly fields?: readonly FieldFact[];
}

/** One overload of a function that the edge adds to CEL. */
export interface FunctionFact extends Availability {
  /** `getReqHeader`, `hash.md5`; for a method, the name without its target. */
  readonly name: string;
  /** Stable id of the overload. */
  readonly overloadId: string;
  /** Whether it is called as `target.name(…)`; the target is the first parameter. */
  readonly member?: boolean;
  readonly params: readonly { readonly name: string; readonly type: string; readonly role?: ParamRole }[];
  readonly result: string;
  readonly looksUp?: Lookup;
  /**
   * The definition as CEL source over parameters and variables. Without it, and unless opaque, the function is implemented in
   * TypeScript.
   */
  readonly body?: string;
  /** Why its result can never be computed here, completing "is not known, because …". */
  readonly opaque?: string;
  /** A JavaScript implementation of a function that a user adds. Arguments and results are JSON-like values. An exception becomes an
   * evaluation error. */
  readonly implementation?: (...args: never[]) => unknown;
  readonly doc: string;
  /** Empty for opaque functions. */
  readonly examples: readonly Example[];
  readonly source: Source;
  readonly since?: string;
}

/** A limit on what is accepted. */
export interface LimitFact {
  readonly name: string;
  readonly value: number;
  /** The largest value that a project may configure. */
  readonly most: number;
  readonly doc: string;
  readonly source: Source;
}

/** All roles of expression inputs. */
export const VALUE_ROLES = [
  'client-address',
  'server-address',
  // A list of category ids.
  'address-categories',
  'country-code',
  // A number represented as a string.
  'numeric-string',
  'tls-version',
  'method',
  'status',
  // The whole URL, from scheme to query.
  'url',
  'path',
  // The URL from path to query.
  'path-and-query',
  'query',
  'scheme',
  // May include a port.
  'host',
  'user-agent',
  // Maps from names to lists of values.
  'request-headers',
  'request-trailers',
  'response-headers',
  'response-trailers',
  'query-parameters',
  'request-cookies',
  'response-cookies',
] as const;

/** What an expression input means, whatever a profile calls it. */
export type ValueRole = (typeof VALUE_ROLES)[number];

/** Marks a function that looks up its first argument as a name in the input of this role. */
export interface Lookup {
  readonly in: ValueRole;
  /** Whether the lookup ignores case; otherwise names match only as the profile spells them. */
  readonly anyCase?: boolean;
}

/** What a string parameter of a function contains. */
export type ParamRole = 'address' | 'address-range';

/** What a configuration value means, whatever a profile calls its key. */
export type ConfigRole =
  /** Status of a response. */
  | 'status'
  /** Body of a response. */
  | 'body'
  /** An RE2 pattern for the whole URL, and the replacement of its matches. */
  | 'url-pattern'
  | 'url-replacement'
  | 'allowed-addresses'
  | 'denied-addresses'
  /** Ids of IP policies, which are managed separately. */
  | 'address-policies'
  /** Expressions that identify the bucket in which a request is counted. */
  | 'bucket-key'
  /** Known only to the edge. */
  | 'secret'
  /** Variables that later expressions read from `vars`, with their values. */
  | 'variables'
  /** Written to events. */
  | 'note'
  /** The oldest TLS version that is accepted. */
  | 'least-tls-version';
