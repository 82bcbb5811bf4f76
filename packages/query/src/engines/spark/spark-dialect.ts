import type { ColumnKind, Dialect } from '../dialect.ts';

/** Spark 4. The time zone of the session must be UTC. */
export const SPARK: Dialect = {
  product: 'Spark',
  text: quoted,
  name: value => `\`${value.replaceAll('`', '``')}\``,
  kindOf: type => KINDS[type.replace(/[(<].*$/s, '')],
  asText: (sql, kind) => {
    switch (kind) {
      case 'json':
        return `to_json(${sql})`;
      case 'time':
        return `cast(${SPARK.epochMs(sql)} as string)`;
      case 'text':
        // Files may hold bytes that are not UTF-8 and would not come back as they were sent.
        return `make_valid_utf8(cast(${sql} as string))`;
      default:
        return `cast(${sql} as string)`;
    }
  },
  epochMs: sql => `unix_millis(cast(${sql} as timestamp))`,
  double: sql => `cast(${sql} as double)`,
  integer: sql => `cast(${sql} as bigint)`,
  matches: (sql, pattern) => `${sql} rlike ${quoted(pattern)}`,
  leastList: strings => `to_json(min(array(${strings.join(', ')})))`,
  lookup: (alias, columns, rows) => {
    const types = columns.map(({ name, type }) => `${name}:${type === 'text' ? 'string' : 'bigint'}`).join(',');
    const records = rows.map(row => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])));
    return `(select inline(from_json(${quoted(JSON.stringify(records))}, 'array<struct<${types}>>'))) ${alias}`;
  },
};

const KINDS: Readonly<Record<string, ColumnKind>> = {
  ...{ string: 'text', varchar: 'text', tinyint: 'number', smallint: 'number', int: 'number', bigint: 'number' },
  ...{ decimal: 'number', float: 'number', double: 'number', boolean: 'boolean' },
  ...{ map: 'json', array: 'json', struct: 'json', variant: 'json' },
  ...{ date: 'time', timestamp: 'time', timestamp_ntz: 'time' },
};

/** Before it reads a statement, Spark replaces `${…}` by variables of the session, the system and the environment, also in literals. */
function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('${', '\\u0024{')}'`;
}
