import type { ColumnKind, Dialect } from '../dialect.ts';

/** PostgreSQL 14 and later, and what speaks its protocol and dialect. */
export const POSTGRES: Dialect = {
  product: 'PostgreSQL',
  text: value => (value.includes('\\') ? `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` : quoted(value)),
  name: value => `"${value.replaceAll('"', '""')}"`,
  kindOf: type => (type.endsWith('[]') ? 'json' : KINDS[type]),
  asText: (sql, kind) => {
    switch (kind) {
      case 'json':
        return `to_jsonb(${sql})::text`;
      case 'time':
        return `coalesce((${POSTGRES.epochMs(sql)})::text, '')`;
      case 'address':
        return `host(${sql})`;
      default:
        return `(${sql})::text`;
    }
  },
  epochMs: sql => `case when isfinite(${sql}) then floor(extract(epoch from ${sql}) * 1000)::bigint end`,
  double: sql => `(${sql})::double precision`,
  integer: sql => `(${sql})::bigint`,
  matches: (sql, pattern) => `${sql} ~ ${POSTGRES.text(pattern)}`,
  leastList: strings => `to_json(min(array[${strings.join(', ')}]::text[]))::text`,
  lookup: (alias, columns, rows) => {
    const names = columns.map(({ name }) => name);
    const records = rows.map(row => Object.fromEntries(names.map((name, at) => [name, row[at]])));
    const types = columns.map(({ name, type }) => `${name} ${type === 'text' ? 'text' : 'bigint'}`).join(', ');
    return `json_to_recordset(${POSTGRES.text(JSON.stringify(records))}::json) as ${alias}(${types})`;
  },
};

const KINDS: Readonly<Record<string, ColumnKind>> = {
  ...{ text: 'text', 'character varying': 'text', character: 'text', name: 'text', uuid: 'text', citext: 'text' },
  ...{ smallint: 'number', integer: 'number', bigint: 'number', numeric: 'number', real: 'number' },
  ...{ 'double precision': 'number', boolean: 'boolean', json: 'json', jsonb: 'json', hstore: 'json' },
  ...{ 'timestamp without time zone': 'time', 'timestamp with time zone': 'time', date: 'time' },
  ...{ inet: 'address', cidr: 'address' },
};

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
