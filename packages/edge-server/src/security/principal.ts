/** What a key may do: read configuration, change it, and manage keys and the service itself. */
export const SCOPES = ['read', 'write', 'admin'] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** Who sends a request. */
export interface Principal {
  /** Identifier of the API key. */
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}
