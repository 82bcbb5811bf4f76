import type { LookUp, ParamRole, ValueRole } from './role.ts';

/** What a policy is written for: the kind of endpoint that it is attached to. Which of them exist depends on the profile. */
export type EndpointKind =
  | 'https-route'
  | 'tls-edge'
  | 'tcp-edge'
  | 'http-endpoint'
  | 'internal-http-endpoint'
  /** Of HTTP, without an upstream: the policy handles all traffic. */
  | 'cloud-endpoint'
  | 'tls-endpoint'
  | 'tcp-endpoint';

/** A moment in the life of traffic at which rules run. Which of them exist depends on the profile. */
export type Phase =
  | 'inbound'
  | 'outbound'
  | 'on_tcp_connect'
  | 'on_http_request'
  | 'on_http_response'
  | 'on_event_stream_message';

/** Where rules stand: which names exist depends on both. */
export interface Place {
  readonly endpoint: EndpointKind;
  readonly phase: Phase;
}

/** Where something may be used: at every combination of these. */
export interface Availability {
  readonly phases: readonly Phase[];
  readonly endpoints: readonly EndpointKind[];
}

/** A name with its type, in the notation of the checker. */
export interface NamedType {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
}

/** How we know: the vendor says so, it was concluded from examples and behaviour, or we chose where nothing is published. */
export type Source = 'documented' | 'inferred' | 'chosen';

/** An expression over the sample values, and its value as CEL source. Run as a test. */
export interface Example {
  readonly expression: string;
  readonly value: string;
}

/** A value of the host as it stands in JSON. */
export type Sample =
  | null
  | boolean
  | number
  | string
  | readonly Sample[]
  | {
      readonly [key: string]: Sample;
    };

/** What stands for a value that the edge does not have. */
export interface Absence {
  /** In which case, completing "absent when …". */
  readonly when: string;
  /** What reads then give, as CEL source. Without it the field is missing: selecting it is an evaluation error. */
  readonly value?: string;
}

/** One fact about a value that expressions read. */
interface ValueFact {
  /** In the notation of the checker: `map(string, list(string))`, `cookie`. */
  readonly type: string;
  readonly doc: string;
  readonly source: Source;
  readonly absent?: Absence;
}

/**
 * An input of expressions, under its full path. The objects on the way (`conn`, `conn.Geo`) follow from the paths. A path that
 * is the beginning of others too (`req.url`, `req.url.path`) is of a *dual* type: a text that has fields.
 */
export interface VariableFact extends ValueFact, Availability {
  /** `conn.Geo.CountryCode`; the first part is the variable, the rest are fields. */
  readonly path: string;
  /**
   * The type is open: published policies compare the value with values of this type as well; a reader converts, by the
   * function of that name.
   */
  readonly alsoReadAs?: 'int' | 'string';
  readonly role?: ValueRole;
  readonly example: Example;
  readonly sample: Sample;
  /** First day of its existence, where that is known and later than the profile's. */
  readonly since?: string;
  readonly deprecated?: Deprecation;
  /** The action that gives it its value: before that has run, it is absent. */
  readonly setBy?: string;
  /** It is encrypted, or of what is: an edge that passes TLS on to the upstream does not know it. */
  readonly needsTermination?: true;
}

/** That something still works and should not be used. */
export interface Deprecation {
  /** What to use, as it is written. Undefined when there is nothing like it. */
  readonly use: string | undefined;
  readonly since?: string;
}

/** A field of an object type that is not reached by one path, such as an element of a list. */
export interface FieldFact extends ValueFact {
  readonly name: string;
}

/** An object type: its description and, where they do not follow from the paths of variables, its fields. */
export interface ObjectFact {
  readonly name: string;
  readonly doc: string;
  readonly fields?: readonly FieldFact[];
}

/** A signature of a function of the edge, beside those of the language. Several of them may have one name. */
export interface FunctionFact extends Availability {
  /** `getReqHeader`, `hash.md5`; of a method, without what it is called on. */
  readonly name: string;
  /** Stable id of the signature. */
  readonly overloadId: string;
  /** Called as `target.name(…)`; the target is then the first parameter. */
  readonly member?: boolean;
  readonly params: readonly { readonly name: string; readonly type: string; readonly role?: ParamRole }[];
  readonly result: string;
  readonly looksUp?: LookUp;
  /** What a call stands for: CEL source over the parameters and the variables. Without it, and not opaque, it is implemented by hand. */
  readonly body?: string;
  /** Why no run can have its value, completing "is not known, because …". */
  readonly opaque?: string;
  /**
   * JavaScript in the place of a body, for functions that a user adds. Arguments are plain values, as of JSON; so must the result
   * be. What it throws becomes an evaluation error.
   */
  readonly implementation?: (...args: never[]) => unknown;
  readonly doc: string;
  /** None for a function that is opaque. */
  readonly examples: readonly Example[];
  readonly source: Source;
  readonly since?: string;
}

/** A number that bounds what is accepted. */
export interface LimitFact {
  readonly name: string;
  readonly value: number;
  /** The largest value that a project may give it. */
  readonly most: number;
  readonly doc: string;
  readonly source: Source;
}
