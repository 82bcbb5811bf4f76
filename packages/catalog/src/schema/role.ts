/** What inputs of expressions may stand for. */
export const VALUE_ROLES = [
  'client-address',
  // Lists of ids.
  'address-categories',
  'country-code',
  // Decimal fractions and numbers kept as text.
  'number-text',
  'tls-version',
  'method',
  'status',
  // From scheme to query.
  'url',
  'path',
  // From path to query.
  'path-and-query',
  'query',
  // May end in a port.
  'host',
  'user-agent',
  // Maps of names to lists of values.
  'request-headers',
  'request-trailers',
  'response-headers',
  'response-trailers',
  'query-parameters',
  'request-cookies',
  'response-cookies',
] as const;

/** What an input of expressions stands for, whatever a profile calls it. */
export type ValueRole = (typeof VALUE_ROLES)[number];

/** That a function looks its first argument up as a name in the input of this role. */
export interface LookUp {
  readonly in: ValueRole;
  /** Names are found in any case; otherwise only as the profile writes them. */
  readonly anyCase?: boolean;
}

/** What a text is that a function is given. */
export type ParamRole = 'address' | 'address-range';

/** What a configuration value does, whatever a profile calls its key. */
export type ConfigRole =
  /** Status of an answer. */
  | 'status'
  /** Body of an answer. */
  | 'body'
  /** Pattern of RE2 for the whole URL, and what is put in place of what it matches. */
  | 'url-pattern'
  | 'url-replacement'
  | 'allowed-addresses'
  | 'denied-addresses'
  /** Lists of addresses that are managed apart. */
  | 'address-policies'
  /** What requests are told apart by when they are counted. */
  | 'bucket-key'
  /** Nobody but the edge is to know it. */
  | 'secret'
  /** Variables that later expressions read below `vars`, each with its value. */
  | 'variables'
  /** Written to events, which people read. */
  | 'note'
  /** Oldest version of TLS that is accepted. */
  | 'least-tls-version';
