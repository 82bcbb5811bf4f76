import type { Availability, EndpointKind, Sample, Source } from './fact.ts';

/** What a configuration value may be. */
export type ConfigType =
  | { readonly kind: 'bool' }
  /** Inclusive bounds. */
  | { readonly kind: 'int'; readonly min: number; readonly max: number }
  | { readonly kind: 'string'; readonly nonEmpty?: boolean }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  /** Texts of these shapes only; `patterns` are anchored and mean the same in RE2 and JavaScript. */
  | { readonly kind: 'shape'; readonly patterns: readonly string[]; readonly expected: string }
  /** Of RE2. */
  | { readonly kind: 'regex' }
  /** `90s`, `1h30m`; bounds in seconds, inclusive. */
  | { readonly kind: 'duration'; readonly min: number; readonly max: number; readonly multipleOf: number }
  /** An address with a prefix length, or an address alone. */
  | { readonly kind: 'cidr' }
  | { readonly kind: 'header-name' }
  /** Anything that JSON can say. */
  | { readonly kind: 'any' }
  | { readonly kind: 'list'; readonly of: ConfigType; readonly min?: number; readonly max?: number }
  | { readonly kind: 'map'; readonly key?: 'header-name'; readonly value: ConfigType }
  | { readonly kind: 'object'; readonly fields: readonly ConfigField[] };

/** Text that is filled in when the action runs: `$1` and `$args`, or `${.conn.client_ip}`. */
export type Interpolation = 'captures-and-request' | 'path-templates';

/** One key of an action's configuration. */
export interface ConfigField {
  readonly name: string;
  readonly type: ConfigType;
  readonly doc: string;
  readonly required?: boolean;
  readonly default?: Sample;
  /** In the texts of this field. */
  readonly interpolation?: Interpolation;
  /** Where the key exists; everywhere that the action does when absent. */
  readonly endpoints?: readonly EndpointKind[];
}

/** When an action ends the evaluation of the whole policy. */
export type Termination = 'never' | 'always' | 'on-refusal' | 'when-the-url-changes';

/** What a matching rule may do. */
export interface ActionFact extends Availability {
  readonly type: string;
  readonly doc: string;
  readonly terminates: Termination;
  /** What the client sees of it when it refuses or answers, for people. */
  readonly outcome: string;
  readonly config: readonly ConfigField[];
  /** `config` as one would write it; conforms to the fields. Undefined where none is needed. */
  readonly example: Sample | undefined;
  /** First day of its existence. */
  readonly since: string;
  readonly source: Source;
}
