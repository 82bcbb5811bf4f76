/** A route of an edge: the requests it matches, and the modules that act on them. */
export interface Route {
  /** As the API reports it; undefined for an edge that is only planned. */
  readonly id: string | undefined;
  readonly matchType: 'exact_path' | 'path_prefix';
  /** A path, a host, or a host followed by a path. */
  readonly match: string;
  readonly modules: RouteModules;
  /** The path of its policy in the edge document; undefined if it has none. */
  readonly policyAt: readonly string[] | undefined;
}

/** The modules that affect traffic; undefined if missing or disabled. */
export interface RouteModules {
  /** Ids of IP policies. */
  readonly ipRestriction?: readonly string[];
  readonly userAgentFilter?: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly webhookVerification?: { readonly provider: string };
  /** The sign-in module, and whether CORS preflight requests pass without signing in. */
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

/** Headers to add and to remove. */
export interface HeaderModule {
  readonly add: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
}

/** An edge with its routes, in the order of the API. */
export interface Edge {
  readonly id: string | undefined;
  readonly routes: readonly Route[];
}
