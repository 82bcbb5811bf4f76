import type { NamedType } from './schema/fact.ts';

/**
 * What the replacement of a URL may name beside the groups of the match: `$args`. The longest run of letters, digits and `_` is
 * the name.
 */
export const REPLACEMENT_VARIABLES: readonly NamedType[] = [
  ['args', 'Query, without question mark.'],
  ['query_string', 'Query, without question mark.'],
  ['is_args', 'A question mark, if there is a query.'],
  ['uri', 'Path and query.'],
  ['scheme', '`http` or `https`.'],
  ['host', 'Host, without port.'],
  ['authority', 'Host, and port if given.'],
  ['port', 'Port.'],
  ['user', 'User and password.'],
  ['is_user', 'An `@`, if there is a user.'],
].map(([name, doc]) => ({ name: name!, type: 'string', doc: doc! }));

/** Before the name of a parameter of the query: `$arg_page` is the first value of `page`, or nothing. */
export const PARAMETER_PREFIX = 'arg_';
