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
