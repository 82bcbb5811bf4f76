/** The permissions of a key: read the configuration, change it, and manage keys and the service. */
export const SCOPES = ['read', 'write', 'admin'] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** The sender of a request. */
export interface Principal {
  /** Identifier of the API key. */
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}
