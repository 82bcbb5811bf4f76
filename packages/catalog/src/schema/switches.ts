/** An open question about what a policy means: what is asked, and the answers that are possible, each with what it says. */
export interface SwitchFact {
  readonly doc: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Where the vendor publishes nothing or contradicts itself. Each profile has one answer to each by default, and a project file may
 * say otherwise.
 */
export const SWITCHES = {
  evaluationError: {
    doc: 'What becomes of a request when a condition ends in an evaluation error?',
    values: {
      'skip-rule': 'the rule does not match',
      'fail-request': 'the request fails with status 500',
    },
  },
  requestVariables: {
    doc: 'Which URL do `$args` and its like tell of when an earlier action has changed it?',
    values: {
      'current-url': 'the one that earlier actions have left',
      'original-url': 'the one that came',
    },
  },
  dollarsOfRequest: {
    doc: 'What is `$1` in the text that `$args` and its like put in?',
    values: {
      text: 'text, so that no client can inject anything',
      expanded: 'a group of the pattern',
    },
  },
  interpolationEscape: {
    doc: 'How is `${` written where it is meant literally, in texts that expressions are filled into?',
    values: {
      '$${': 'with another dollar sign before it',
      none: 'not at all',
    },
  },
  tlsVersionSpelling: {
    doc: 'How is the version of a TLS connection spelt?',
    values: {
      'TLS 1.3': 'as `TLS 1.3`',
      '1.3': 'as `1.3`',
      'TLSv1.3': 'as `TLSv1.3`',
    },
  },
  responsePhaseAfterAnswer: {
    doc: "Do the rules for responses run on what an action of the request's phase answered?",
    values: {
      skipped: 'no, the answer goes out as it is',
      run: 'yes, as on an answer of the upstream',
    },
  },
  routePrecedence: {
    doc: 'Which route of an edge takes a request that several match?',
    values: {
      'most-specific':
        'an exact path before a prefix, with a host before any host, the longer path; of equals the one listed first',
      'as-listed': 'the one that is listed first',
    },
  },
  moduleOrder: {
    doc: 'In which order do the modules of a route and its policy work on traffic?',
    values: {
      'modules-first':
        'modules that refuse, then the rules for requests, then the others; on the way back modules, then the rules for responses',
      'policy-first': 'the rules for requests before all modules, the rules for responses before all modules',
    },
  },
} as const satisfies Readonly<Record<string, SwitchFact>>;

type Switches = typeof SWITCHES;

/** One answer to each of {@link SWITCHES}. */
export type ProfileSwitches = { readonly [Name in keyof Switches]: keyof Switches[Name]['values'] };
