import { addressesAsStrings, quoted, quotedName } from './shared.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** DuckDB 1.2 and later, without extensions. */
export const DUCKDB: SqlDialect = {
  product: 'DuckDB',
  text: quoted,
  name: quotedName,
  byCodePoint: undefined,
  noInteger: 'cast(null as integer)',
  least: parts => `least(${parts.join(', ')})`,
  startsWith: (value, other) => `starts_with(${value}, ${other})`,
  endsWith: (value, other) => `ends_with(${value}, ${other})`,
  contains: (value, other) => `contains(${value}, ${other})`,
  length: value => `length(${value})`,
  headerType: 'map(varchar, varchar[])',
  headers: {
    size: headers => `cardinality(${headers})`,
    has: (headers, name) => `map_contains(${headers}, ${quoted(name)})`,
    value: (headers, name, position) => `${headers}[${quoted(name)}][${position}]`,
  },
  regex: { syntax: 're2', matches: (value, pattern) => `regexp_matches(${value}, ${pattern})` },
  addressStages: addressesAsStrings({
    hexOfByte: integer => `format('{:02x}', ${integer})`,
    padded: groups =>
      `array_to_string(list_transform(string_split(${groups}, ':'), lambda pair: case when pair = '' then '' else lpad(lower(pair), 4, '0') end), '')`,
    dottedEnd: value => `regexp_extract(${value}, '[0-9.]+$')`,
    beforeDottedEnd: value => `regexp_extract(${value}, '^(.*:)[0-9.]+$', 1)`,
  }),
  nonEmpty: strings => `list_filter([${strings.join(', ')}], lambda one: one <> '')`,
  listLength: list => `len(${list})`,
  first: list => `${list}[1]`,
  allBut: names => `* exclude (${names.join(', ')})`,
  lateralEnd: '',
};
