import type { ColumnKind, Dialect } from '../dialect.ts';

/** ClickHouse 24 and later. */
export const CLICKHOUSE: Dialect = {
  product: 'ClickHouse',
  text: value => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  name: value => `\`${value.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
  kindOf: type => {
    const plain = type.replace(/^(?:(?:LowCardinality|Nullable)\()+/, '');
    const [name = ''] = /^\w+/.exec(plain) ?? [];
    return /^(?:U?Int|Float|Decimal|BFloat)\d*$/.test(name) ? 'number' : KINDS[name];
  },
  asText: (sql, kind) => {
    const value = `assumeNotNull(${sql})`;
    switch (kind) {
      case 'json':
        return `toJSONString(${value})`;
      case 'time':
        return `toString(${CLICKHOUSE.epochMs(value)})`;
      case 'text':
        // Strings are bytes. Those that are not UTF-8 would not come back as they were sent.
        return `if(isValidUTF8(toString(${value})), toString(${value}), toValidUTF8(toString(${value})))`;
      default:
        return `toString(${value})`;
    }
  },
  epochMs: sql => `toUnixTimestamp64Milli(toDateTime64(${sql}, 3, 'UTC'))`,
  double: sql => `toFloat64(${sql})`,
  integer: sql => `toInt64(${sql})`,
  matches: (sql, pattern) => `match(${sql}, ${CLICKHOUSE.text(pattern)})`,
  leastList: strings => `toJSONString(min([${strings.join(', ')}]))`,
  lookup: (alias, columns, rows) => {
    const types = columns.map(({ name, type }) => `${name} ${type === 'text' ? 'String' : 'Int64'}`).join(', ');
    const lines = rows.map(row => JSON.stringify(row)).join('\n');
    return `format(JSONCompactEachRow, ${CLICKHOUSE.text(types)}, ${CLICKHOUSE.text(lines)}) as ${alias}`;
  },
};

const KINDS: Readonly<Record<string, ColumnKind>> = {
  ...{ String: 'text', FixedString: 'text', Enum8: 'text', Enum16: 'text', UUID: 'text', Bool: 'boolean' },
  ...{ Date: 'time', Date32: 'time', DateTime: 'time', DateTime64: 'time', IPv4: 'address', IPv6: 'address' },
  ...{ Map: 'json', Array: 'json', Tuple: 'json', JSON: 'json', Object: 'json' },
};
