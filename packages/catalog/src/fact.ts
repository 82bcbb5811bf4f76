/** What a policy is written for: the kind of endpoint that it is attached to. */
export type EndpointKind = 'https-route' | 'tls-edge' | 'tcp-edge';

/** A moment in the life of traffic at which rules run. */
export type Phase = 'inbound' | 'outbound';

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

/** An input of expressions, under its full path. The objects on the way (`conn`, `conn.Geo`) follow from the paths. */
export interface VariableFact extends ValueFact, Availability {
  /** `conn.Geo.CountryCode`; the first part is the variable, the rest are fields. */
  readonly path: string;
  /** Published policies compare it with values of this type as well; a reader converts, by the function of that name. */
  readonly alsoReadAs?: 'int';
  readonly example: Example;
  readonly sample: Sample;
  /** First day of its existence, where that is later than the profile's. */
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

/** A function of the edge, beside those of the language. */
export interface FunctionFact extends Availability {
  readonly name: string;
  /** Stable id of its one signature. */
  readonly overloadId: string;
  readonly params: readonly { readonly name: string; readonly type: string }[];
  readonly result: string;
  /** What a call stands for: CEL source over the parameters and the variables. */
  readonly body: string;
  readonly doc: string;
  readonly examples: readonly Example[];
  readonly source: Source;
}

/** A number that bounds what is accepted. */
export interface LimitFact {
  readonly name: string;
  readonly value: number;
  readonly doc: string;
  readonly source: Source;
}
