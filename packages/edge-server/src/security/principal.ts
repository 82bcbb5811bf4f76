/**
 * The permissions of a key: read the configuration, change policies of edges, change everything, and manage keys and the service. `write`
 * includes `policy`, and `admin` all others.
 */
export const SCOPES = ['read', 'policy', 'write', 'admin'] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** The scopes that include a scope. */
const INCLUDED_BY: Readonly<Record<Scope, readonly Scope[]>> = {
  read: ['read', 'admin'],
  policy: ['policy', 'write', 'admin'],
  write: ['write', 'admin'],
  admin: ['admin'],
};

/** Returns the given scopes and those that they include. */
export function allScopes(given: readonly string[]): readonly Scope[] {
  return SCOPES.filter(scope => INCLUDED_BY[scope].some(one => given.includes(one)));
}

/** The sender of a request. */
export interface Principal {
  /** Identifier of the API key. */
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** The identifiers of the edges that the key is limited to; undefined for a key that may use everything. */
  readonly edges?: ReadonlySet<string>;
}
