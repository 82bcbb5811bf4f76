import type { NamedType } from './schema/fact.ts';

/** Variables such as `$args` that a URL replacement may use in addition to capture groups. A name extends over letters, digits and `_`. */
export const REPLACEMENT_VARIABLES: readonly NamedType[] = [
  ['args', 'The query, without the question mark.'],
  ['query_string', 'The query, without the question mark.'],
  ['is_args', 'A question mark if the URL has a query.'],
  ['uri', 'The path and query.'],
  ['scheme', '`http` or `https`.'],
  ['host', 'The host, without the port.'],
  ['authority', 'The host, with the port if given.'],
  ['port', 'The port.'],
  ['user', 'The user name and password.'],
  ['is_user', 'An `@` if the URL has a user.'],
].map(([name, doc]) => ({ name: name!, type: 'string', doc: doc! }));

/** Prefix of query parameters: `$arg_page` is the first value of `page`, or the empty string. */
export const PARAMETER_PREFIX = 'arg_';
