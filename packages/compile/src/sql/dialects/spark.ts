import { addressesAsStrings, escaped, JAVA_PATTERNS } from './shared.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** Spark 4. */
export const SPARK: SqlDialect = {
  product: 'Spark',
  text: sparkText,
  name: value => `\`${value.replaceAll('`', '``')}\``,
  byCodePoint: undefined,
  noInteger: 'cast(null as integer)',
  least: parts => `least(${parts.join(', ')})`,
  startsWith: (value, other) => `startswith(${value}, ${other})`,
  endsWith: (value, other) => `endswith(${value}, ${other})`,
  contains: (value, other) => `contains(${value}, ${other})`,
  length: value => `char_length(${value})`,
  headerType: 'map<string, array<string>>',
  headers: {
    size: headers => `size(${headers})`,
    has: (headers, name) => `map_contains_key(${headers}, ${sparkText(name)})`,
    value: (headers, name, position) => `try_element_at(try_element_at(${headers}, ${sparkText(name)}), ${position})`,
  },
  regex: { syntax: JAVA_PATTERNS, matches: (value, pattern) => `${value} rlike ${pattern}` },
  addressStages: addressesAsStrings({
    hexOfByte: integer => `format_string('%02x', ${integer})`,
    padded: groups =>
      `array_join(transform(split(${groups}, ':'), pair -> case when pair = '' then '' else lpad(lower(pair), 4, '0') end), '')`,
    dottedEnd: value => `regexp_extract(${value}, '[0-9.]+$', 0)`,
    beforeDottedEnd: value => `regexp_extract(${value}, '^(.*:)[0-9.]+$', 1)`,
  }),
  nonEmpty: strings => `filter(array(${strings.join(', ')}), one -> one <> '')`,
  listLength: list => `size(${list})`,
  first: list => `element_at(${list}, 1)`,
  allBut: names => `* except (${names.join(', ')})`,
  lateralEnd: '',
};

/** Before it reads a statement, Spark replaces `${…}` by variables of the session, the system and the environment, also in literals. */
function sparkText(value: string): string {
  return escaped(value).replaceAll('${', '\\u0024{');
}
