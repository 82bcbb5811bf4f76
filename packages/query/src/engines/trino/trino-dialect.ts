import type { ColumnKind, Dialect } from '../dialect.ts';

/** Trino 400 and later, also as Athena and Starburst. The time zone of the session must be UTC. */
export const TRINO: Dialect = {
  product: 'Trino',
  text: quoted,
  name: value => `"${value.replaceAll('"', '""')}"`,
  kindOf: type => KINDS[withoutParameters(type)],
  asText: (sql, kind) => {
    switch (kind) {
      case 'json':
        return `json_format(cast(${sql} as json))`;
      case 'time':
        return `cast(${TRINO.epochMs(sql)} as varchar)`;
      case 'text':
        // Files may hold bytes that are not UTF-8 and would not come back as they were sent.
        return `from_utf8(to_utf8(cast(${sql} as varchar)))`;
      default:
        return `cast(${sql} as varchar)`;
    }
  },
  epochMs: sql =>
    `date_diff('millisecond', timestamp '1970-01-01 00:00:00 UTC', cast(${sql} as timestamp(12) with time zone))`,
  double: sql => `cast(${sql} as double)`,
  integer: sql => `cast(${sql} as bigint)`,
  matches: (sql, pattern) => `regexp_like(${sql}, ${quoted(pattern)})`,
  leastList: strings => `json_format(cast(min(array[${strings.join(', ')}]) as json))`,
  lookup: (alias, columns, rows) => {
    const types = columns.map(({ name, type }) => `${name} ${type === 'text' ? 'varchar' : 'bigint'}`).join(', ');
    const names = columns.map(({ name }) => name).join(', ');
    const items = `cast(json_parse(${quoted(JSON.stringify(rows))}) as array(row(${types})))`;
    // An outer join with `unnest` itself has no condition.
    return `(select ${names} from unnest(${items}) as unnested(${names})) ${alias}`;
  },
};

/** `char` is padded with blanks, which belong to no value. */
const KINDS: Readonly<Record<string, ColumnKind>> = {
  ...{ varchar: 'text', uuid: 'text', tinyint: 'number', smallint: 'number', integer: 'number', bigint: 'number' },
  ...{ decimal: 'number', real: 'number', double: 'number', boolean: 'boolean', ipaddress: 'address' },
  ...{ json: 'json', map: 'json', array: 'json', row: 'json' },
  ...{ date: 'time', timestamp: 'time', 'timestamp with time zone': 'time' },
};

/** Returns `timestamp with time zone` for `timestamp(3) with time zone`. */
function withoutParameters(type: string): string {
  const start = type.indexOf('(');
  return start < 0 ? type : type.slice(0, start) + type.slice(type.lastIndexOf(')') + 1);
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
