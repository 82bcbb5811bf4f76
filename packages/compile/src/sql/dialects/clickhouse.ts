import { escaped } from './shared.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** ClickHouse 24 and later. Columns with headers are JSON, because maps cannot be null. */
export const CLICKHOUSE: SqlDialect = {
  product: 'ClickHouse',
  text: escaped,
  name: value => `\`${value.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
  byCodePoint: undefined,
  noInteger: 'cast(null as Nullable(Int32))',
  least: parts => `arrayMin([${parts.join(', ')}])`,
  startsWith: (value, other) => `startsWith(${value}, ${other})`,
  endsWith: (value, other) => `endsWith(${value}, ${other})`,
  contains: (value, other) => `position(${value}, ${other}) > 0`,
  length: value => `lengthUTF8(${value})`,
  headerType: 'Nullable(String)',
  headers: {
    size: headers => `JSONLength(coalesce(${headers}, ''))`,
    has: (headers, name) => `JSONHas(coalesce(${headers}, ''), ${escaped(name)})`,
    value: (headers, name, position) => {
      const path = `coalesce(${headers}, ''), ${escaped(name)}, ${position}`;
      return `if(JSONHas(${path}), JSONExtractString(${path}), null)`;
    },
  },
  // Without the flag, `.` matches a line feed.
  regex: { syntax: 're2', matches: (value, pattern) => `match(${value}, concat('(?-s)', ${pattern}))` },
  addressStages: [value => `lower(hex(IPv6StringToNum(coalesce(${value}, '::'))))`],
  nonEmpty: strings => `arrayFilter(one -> one != '', [${strings.join(', ')}])`,
  listLength: list => `length(${list})`,
  first: list => `${list}[1]`,
  allBut: names => `* except (${names.join(', ')})`,
  lateralEnd: '',
};
