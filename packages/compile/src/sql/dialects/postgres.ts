import { quoted, quotedName } from './shared.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** PostgreSQL 14 and later. Columns with headers are `jsonb`. */
export const POSTGRES: SqlDialect = {
  product: 'PostgreSQL',
  text: value =>
    value.includes('\\') ? `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` : `${quoted(value)}::text`,
  name: quotedName,
  // Columns may have another collation. Of a type without one, such as `inet`, this is an error.
  byCodePoint: value => `(coalesce(${value}, null::text) collate "C")`,
  noInteger: 'cast(null as integer)',
  least: parts => `least(${parts.join(', ')})`,
  startsWith: (value, other) => `starts_with(${value}, ${other})`,
  endsWith: (value, other) => `right(${value}, length(${other})) = ${other}`,
  contains: (value, other) => `strpos(${value}, ${other}) > 0`,
  length: value => `length(${value})`,
  headerType: 'jsonb',
  headers: {
    size: headers => `(select count(*) from jsonb_object_keys(${headers}))`,
    has: (headers, name) => `jsonb_exists(${headers}, ${POSTGRES.text(name)})`,
    value: (headers, name, position) => `((${headers} -> ${POSTGRES.text(name)} ->> ${position - 1}) collate "C")`,
  },
  regex: {
    syntax: { textStart: '\\A', textEnd: '\\Z', maxRepeat: 255, firstCharacter: 1, backtracks: false },
    matches: (value, pattern) => `${value} ~ ${pattern}`,
  },
  addressStages: [
    value => {
      // Before the bytes of the address, a family, the bits of the prefix, a flag and a length.
      const digits = `substr(encode(inet_send((${value})::inet), 'hex'), 9)`;
      return `case family((${value})::inet) when 4 then '00000000000000000000ffff' || ${digits} else ${digits} end`;
    },
  ],
  nonEmpty: strings => `array_remove(array[${strings.join(', ')}]::text[], '')`,
  listLength: list => `cardinality(${list})`,
  first: list => `(${list})[1]`,
  allBut: undefined,
  // Otherwise each use of a column would evaluate it again.
  lateralEnd: ' offset 0',
};
