/** A route of an edge: which requests it takes, and what works on them. */
export interface Route {
  /** As the API gives it; undefined in an edge that is only planned. */
  readonly id: string | undefined;
  readonly matchType: 'exact_path' | 'path_prefix';
  /** A path, a host, or a host followed by a path. */
  readonly match: string;
  readonly modules: RouteModules;
  /** Where its policy stands in the edge; undefined when it has none. */
  readonly policyAt: readonly string[] | undefined;
}

/** The modules that decide what becomes of traffic; undefined for those that are not there, or disabled. */
export interface RouteModules {
  /** Ids of IP policies. */
  readonly ipRestriction?: readonly string[];
  readonly userAgentFilter?: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly webhookVerification?: { readonly provider: string };
  /** Who has to sign in, and whether preflight requests of browsers need not. */
  readonly signIn?: { readonly kind: 'oauth' | 'oidc' | 'saml'; readonly optionsPassthrough: boolean };
  readonly websocketTcpConverter?: true;
  readonly circuitBreaker?: {
    readonly trippedSeconds: number;
    readonly windowSeconds: number;
    readonly buckets: number;
    readonly volumeThreshold: number;
    readonly errorThreshold: number;
  };
  readonly compression?: true;
  readonly requestHeaders?: HeaderModule;
  readonly responseHeaders?: HeaderModule;
}

/** Headers that are added and removed. */
export interface HeaderModule {
  readonly add: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
}

/** An edge with its routes, in the order of the API. */
export interface Edge {
  readonly id: string | undefined;
  readonly routes: readonly Route[];
}
