import { JAVA_PATTERNS, quoted, quotedName } from './shared.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** Trino 400 and later, also as Athena. */
export const TRINO: SqlDialect = {
  product: 'Trino',
  text: quoted,
  name: quotedName,
  byCodePoint: undefined,
  noInteger: 'cast(null as integer)',
  least: parts => `least(${parts.join(', ')})`,
  startsWith: (value, other) => `starts_with(${value}, ${other})`,
  endsWith: (value, other) =>
    `(length(${value}) >= length(${other}) and substr(${value}, length(${value}) - length(${other}) + 1) = ${other})`,
  contains: (value, other) => `strpos(${value}, ${other}) > 0`,
  length: value => `length(${value})`,
  headerType: 'map(varchar, array(varchar))',
  headers: {
    size: headers => `cardinality(${headers})`,
    has: (headers, name) => `contains(map_keys(${headers}), ${quoted(name)})`,
    value: (headers, name, position) => `element_at(element_at(${headers}, ${quoted(name)}), ${position})`,
  },
  regex: { syntax: JAVA_PATTERNS, matches: (value, pattern) => `regexp_like(${value}, ${pattern})` },
  addressStages: [value => `lower(to_hex(cast(cast(${value} as ipaddress) as varbinary)))`],
  nonEmpty: strings => `filter(array[${strings.join(', ')}], one -> one <> '')`,
  listLength: list => `cardinality(${list})`,
  first: list => `element_at(${list}, 1)`,
  allBut: undefined,
  lateralEnd: '',
};
