/** All roles of expression inputs. */
export const VALUE_ROLES = [
  'client-address',
  'server-address',
  // A list of category ids.
  'address-categories',
  'country-code',
  // A number represented as a string.
  'numeric-string',
  'tls-version',
  'method',
  'status',
  // The whole URL, from scheme to query.
  'url',
  'path',
  // The URL from path to query.
  'path-and-query',
  'query',
  // May include a port.
  'host',
  'user-agent',
  // Maps from names to lists of values.
  'request-headers',
  'request-trailers',
  'response-headers',
  'response-trailers',
  'query-parameters',
  'request-cookies',
  'response-cookies',
] as const;

/** What an expression input means, whatever a profile calls it. */
export type ValueRole = (typeof VALUE_ROLES)[number];

/** Marks a function that looks up its first argument as a name in the input of this role. */
export interface Lookup {
  readonly in: ValueRole;
  /** Whether the lookup ignores case; otherwise names match only as the profile spells them. */
  readonly anyCase?: boolean;
}

/** What a string parameter of a function contains. */
export type ParamRole = 'address' | 'address-range';

/** What a configuration value means, whatever a profile calls its key. */
export type ConfigRole =
  /** Status of a response. */
  | 'status'
  /** Body of a response. */
  | 'body'
  /** An RE2 pattern for the whole URL, and the replacement of its matches. */
  | 'url-pattern'
  | 'url-replacement'
  | 'allowed-addresses'
  | 'denied-addresses'
  /** Ids of IP policies, which are managed separately. */
  | 'address-policies'
  /** Expressions that identify the bucket in which a request is counted. */
  | 'bucket-key'
  /** Known only to the edge. */
  | 'secret'
  /** Variables that later expressions read from `vars`, with their values. */
  | 'variables'
  /** Written to events. */
  | 'note'
  /** The oldest TLS version that is accepted. */
  | 'least-tls-version';
