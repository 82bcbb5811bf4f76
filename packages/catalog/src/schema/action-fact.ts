import type { Availability, ConfigRole, Deprecation, EndpointKind, NamedType, Phase, Sample, Source } from './fact.ts';

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

/** When an action ends evaluation of the policy. */
export type Termination = keyof typeof TERMINATIONS;

/** A sentence for every {@link Termination}. */
export const TERMINATIONS = {
  never: 'The next action always runs.',
  always: 'Ends the policy.',
  'on-refusal': 'Ends the policy when it refuses.',
  'when-the-url-changes': 'Ends the policy when the URL changes.',
  'unless-told-to-continue': 'Ends the policy, except when it fails and `on_error` is `continue`.',
  'on-error-if-told-to-halt': 'Ends the policy when it fails and `on_error` is `halt`.',
} as const;

/** An action with its configuration. */
export interface ConfiguredAction {
  /** Undefined for an action unknown to the profile. */
  readonly fact: ActionFact | undefined;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Types of actions after which no rule of any phase runs, whatever the profile says about rules for responses. */
export const FINAL_ACTIONS: ReadonlySet<string> = new Set(['close-connection', 'deny']);

/**
 * Returns whether an action, as configured, ends the policy when it runs; `sometimes` if that depends on the traffic. Returns undefined
 * for unknown actions. Every analysis uses this function instead of reading `terminates`.
 */
export function terminationOf({ fact, config }: ConfiguredAction): 'never' | 'sometimes' | 'always' | undefined {
  switch (fact?.terminates) {
    case undefined:
      return undefined;
    case 'never':
    case 'always':
      return fact.terminates;
    case 'on-refusal':
      return settingOf('enforce', fact, config) === false ? 'never' : 'sometimes';
    case 'when-the-url-changes':
      return 'sometimes';
    case 'unless-told-to-continue':
      return settingOf('on_error', fact, config) === 'continue' ? 'sometimes' : 'always';
    case 'on-error-if-told-to-halt':
      return settingOf('on_error', fact, config) === 'halt' ? 'sometimes' : 'never';
  }
}

/** Returns true if the action refuses some traffic and passes the rest, unless configured not to enforce. */
export function mayRefuse({ fact }: Pick<ConfiguredAction, 'fact'>): boolean {
  return fact?.terminates === 'on-refusal';
}

/** Returns true if the action ends the policy unless it fails, whatever `on_error` says. */
export function endsUnlessItFails({ fact }: Pick<ConfiguredAction, 'fact'>): boolean {
  return fact?.terminates === 'unless-told-to-continue';
}

/** Returns true if the action ends the policy only for requests whose URL it changes. */
export function endsIfTheUrlChanges({ fact }: Pick<ConfiguredAction, 'fact'>): boolean {
  return fact?.terminates === 'when-the-url-changes';
}

/** Returns a sentence about when the action ends the policy. */
export function terminationDoc({ terminates }: ActionFact): string {
  return TERMINATIONS[terminates];
}

/** Returns the configured value or the default, which null also means. */
function settingOf(name: string, { config: fields }: ActionFact, config: ConfiguredAction['config']): unknown {
  return config[name] ?? fields.find(field => field.name === name)?.default;
}

/** An open question about the meaning of policies, with a description of every possible answer. */
export interface SwitchFact {
  readonly doc: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Questions on which the vendor publishes nothing or contradicts itself. Each profile has default answers, which a project file can
 * override. */
export const SWITCHES = {
  evaluationError: {
    doc: 'What happens to a request when a condition ends in an evaluation error?',
    values: {
      'skip-rule': 'the rule does not match',
      'fail-request': 'the request fails with status 500',
    },
  },
  requestVariables: {
    doc: 'Which URL do variables such as `$args` refer to after an earlier action has changed it?',
    values: {
      'current-url': 'the URL as changed by earlier actions',
      'original-url': 'the URL as received',
    },
  },
  dollarsOfRequest: {
    doc: 'How is `$1` treated when it comes from the value of a variable such as `$args`?',
    values: {
      text: 'as literal text, so that clients cannot inject captures',
      expanded: 'as a capture group of the pattern',
    },
  },
  interpolationEscape: {
    doc: 'How is a literal `${` written in an interpolated string?',
    values: {
      '$${': 'with a second dollar sign before it',
      none: 'it cannot be written',
    },
  },
  tlsVersionSpelling: {
    doc: 'How is the version of a TLS connection spelled?',
    values: {
      'TLS 1.3': 'as `TLS 1.3`',
      '1.3': 'as `1.3`',
      'TLSv1.3': 'as `TLSv1.3`',
    },
  },
  responsePhaseAfterAnswer: {
    doc: 'Do response rules run on a response that an action of the request phase produced?',
    values: {
      skipped: 'no, the response is sent as is',
      run: 'yes, as on a response from the upstream',
    },
  },
  routePrecedence: {
    doc: 'Which route of an edge handles a request that matches several?',
    values: {
      'most-specific':
        'exact paths before prefixes, routes with a host before those without, longer paths before shorter ones, then list order',
      'as-listed': 'the first one listed',
    },
  },
  moduleOrder: {
    doc: 'In which order are the modules of a route and its policy applied?',
    values: {
      'modules-first':
        'modules that refuse requests, request rules, other modules; for responses, modules and then response rules',
      'policy-first': 'request rules before all modules, and response rules before all modules',
    },
  },
} as const satisfies Readonly<Record<string, SwitchFact>>;

type Switches = typeof SWITCHES;

/** An answer to each of {@link SWITCHES}. */
export type ProfileSwitches = { readonly [Name in keyof Switches]: keyof Switches[Name]['values'] };
