import type { Availability, FunctionFact } from '../schema/fact.ts';
import { type FunctionRow, STRING_PARAMS } from './function-row.ts';
import { HASH_ROWS } from './hash-functions.ts';

/** Returns the functions that depend only on their arguments. */
export function stringFunctions(availability: Availability): readonly FunctionFact[] {
  return [...HASH_ROWS, ...JSON_ROWS, ...QUERY_ROWS, ...URL_ROWS, ...STRING_ROWS, ...RANDOM_ROWS].map(
    ({ id, ...row }): FunctionFact => ({ ...availability, ...row, overloadId: id, source: 'documented' }),
  );
}

const JSON_ROWS: readonly FunctionRow[] = [
  {
    name: 'json.decode',
    id: 'json_decode_string',
    params: STRING_PARAMS,
    result: 'dyn',
    doc: 'Parses a JSON string. Invalid JSON is an evaluation error.',
    examples: [{ expression: `json.decode('{"a": [1, true, null]}').a[0]`, value: '1' }],
  },
  {
    name: 'json.encode',
    id: 'json_encode_dyn',
    params: [{ name: 'value', type: 'dyn' }],
    result: 'string',
    doc: 'Returns the value as JSON.',
    examples: [{ expression: "json.encode({'a': [1, true, null]})", value: `'{"a":[1,true,null]}'` }],
  },
  {
    name: 'decodeJson',
    id: 'string_decode_json',
    member: true,
    params: STRING_PARAMS,
    result: 'dyn',
    body: 'json.decode(text)',
    doc: 'Parses a JSON string.',
    examples: [{ expression: `'[1, 2]'.decodeJson()[1]`, value: '2' }],
  },
  {
    name: 'encodeJson',
    id: 'list_encode_json',
    member: true,
    params: [{ name: 'value', type: 'list(dyn)' }],
    result: 'string',
    body: 'json.encode(value)',
    doc: 'Returns the list as JSON.',
    examples: [{ expression: "['a', 'b'].encodeJson()", value: `'["a","b"]'` }],
  },
  {
    name: 'encodeJson',
    id: 'map_encode_json',
    member: true,
    params: [{ name: 'value', type: 'map(dyn, dyn)' }],
    result: 'string',
    body: 'json.encode(value)',
    doc: 'Returns the map as JSON.',
    examples: [{ expression: "{'a': 1}.encodeJson()", value: `'{"a":1}'` }],
  },
  {
    name: 'isJson',
    id: 'string_is_json',
    member: true,
    params: STRING_PARAMS,
    result: 'bool',
    doc: 'Returns true if the string is valid JSON.',
    examples: [
      { expression: "'[1, 2]'.isJson()", value: 'true' },
      { expression: "'[1, 2'.isJson()", value: 'false' },
    ],
  },
];

const QUERY_ROWS: readonly FunctionRow[] = [
  {
    name: 'queryString.decode',
    id: 'query_string_decode_string',
    params: STRING_PARAMS,
    result: 'map(string, list(string))',
    doc: 'Parses a query string. A malformed query is an evaluation error.',
    examples: [{ expression: "queryString.decode('a=1&a=2&b=x%20y')", value: "{'a': ['1', '2'], 'b': ['x y']}" }],
  },
  {
    name: 'queryString.encode',
    id: 'query_string_encode_map',
    params: [{ name: 'parameters', type: 'map(string, dyn)' }],
    result: 'string',
    doc: 'Returns a query string with these parameters, sorted by name. Each value is a string or a list of strings.',
    examples: [{ expression: "queryString.encode({'b': ['x y'], 'a': ['1', '2']})", value: "'a=1&a=2&b=x+y'" }],
  },
  {
    name: 'decodeQueryString',
    id: 'string_decode_query_string',
    member: true,
    params: STRING_PARAMS,
    result: 'map(string, list(string))',
    body: 'queryString.decode(text)',
    doc: 'Parses a query string.',
    examples: [{ expression: "'a=1'.decodeQueryString()", value: "{'a': ['1']}" }],
  },
  {
    name: 'encodeQueryString',
    id: 'map_encode_query_string',
    member: true,
    params: [{ name: 'parameters', type: 'map(string, dyn)' }],
    result: 'string',
    body: 'queryString.encode(parameters)',
    doc: 'Returns a query string with these parameters, sorted by name.',
    examples: [{ expression: "{'a': ['1']}.encodeQueryString()", value: "'a=1'" }],
  },
  {
    name: 'isQueryString',
    id: 'string_is_query_string',
    member: true,
    params: STRING_PARAMS,
    result: 'bool',
    doc: 'Returns true if the string is a well-formed query string.',
    examples: [
      { expression: "'a=1&b'.isQueryString()", value: 'true' },
      { expression: "'a=%zz'.isQueryString()", value: 'false' },
    ],
  },
];

const URL_ROWS: readonly FunctionRow[] = [
  {
    name: 'url.escape',
    id: 'url_escape_string',
    params: STRING_PARAMS,
    result: 'string',
    doc: 'Escapes the string for use in a query.',
    examples: [{ expression: "url.escape('a b&c')", value: "'a+b%26c'" }],
  },
  {
    name: 'url.unescape',
    id: 'url_unescape_string',
    params: STRING_PARAMS,
    result: 'string',
    doc: 'Unescapes a string from a query. A malformed escape sequence is an evaluation error.',
    examples: [{ expression: "url.unescape('a+b%26c')", value: "'a b&c'" }],
  },
  {
    name: 'url.parse',
    id: 'url_parse_string',
    params: STRING_PARAMS,
    result: 'parsed_url',
    doc: 'Parses a URL. An invalid URL is an evaluation error.',
    examples: [{ expression: "url.parse('https://u:p@example.com:8443/a%20b?c=1#d').path", value: "'/a b'" }],
  },
  {
    name: 'escapeUrl',
    id: 'string_escape_url',
    member: true,
    params: STRING_PARAMS,
    result: 'string',
    body: 'url.escape(text)',
    doc: 'Escapes the string for use in a query.',
    examples: [{ expression: "'a b'.escapeUrl()", value: "'a+b'" }],
  },
  {
    name: 'unescapeUrl',
    id: 'string_unescape_url',
    member: true,
    params: STRING_PARAMS,
    result: 'string',
    body: 'url.unescape(text)',
    doc: 'Unescapes a string from a query.',
    examples: [{ expression: "'a+b'.unescapeUrl()", value: "'a b'" }],
  },
  {
    name: 'parseUrl',
    id: 'string_parse_url',
    member: true,
    params: STRING_PARAMS,
    result: 'parsed_url',
    body: 'url.parse(text)',
    doc: 'Parses a URL.',
    examples: [{ expression: "'https://example.com/a?b=1'.parseUrl().raw_query", value: "'b=1'" }],
  },
  {
    name: 'isURL',
    id: 'string_is_url',
    member: true,
    params: STRING_PARAMS,
    result: 'bool',
    doc: 'Returns true if the string is an absolute URL with a host.',
    examples: [
      { expression: "'https://example.com/a'.isURL()", value: 'true' },
      { expression: "'example.com/a'.isURL()", value: 'false' },
    ],
  },
];

const STRING_ROWS: readonly FunctionRow[] = [
  {
    name: 'lower',
    id: 'string_lower',
    member: true,
    params: STRING_PARAMS,
    result: 'string',
    doc: 'Returns the string in lower case, including non-ASCII letters.',
    examples: [{ expression: "'ÄPFEL'.lower()", value: "'äpfel'" }],
  },
  {
    name: 'upper',
    id: 'string_upper',
    member: true,
    params: STRING_PARAMS,
    result: 'string',
    doc: 'Returns the string in upper case, including non-ASCII letters.',
    examples: [{ expression: "'äpfel'.upper()", value: "'ÄPFEL'" }],
  },
  {
    name: 'split',
    id: 'string_split',
    member: true,
    params: STRING_PARAMS,
    result: 'list(string)',
    doc: 'Splits the string at white space.',
    examples: [{ expression: "' a  b\\tc '.split()", value: "['a', 'b', 'c']" }],
  },
  {
    name: 'encodeBase64',
    id: 'string_encode_base64',
    member: true,
    params: STRING_PARAMS,
    result: 'string',
    body: 'base64.encode(bytes(text))',
    doc: 'Returns the string in base64.',
    examples: [{ expression: "'hello'.encodeBase64()", value: "'aGVsbG8='" }],
  },
  {
    name: 'decodeBase64',
    id: 'string_decode_base64',
    member: true,
    params: STRING_PARAMS,
    result: 'bytes',
    body: 'base64.decode(text)',
    doc: 'Decodes a base64 string to bytes.',
    examples: [{ expression: "'aGVsbG8='.decodeBase64()", value: "b'hello'" }],
  },
  {
    name: 'basic_auth.encode',
    id: 'basic_auth_encode_string_string',
    params: [
      { name: 'user', type: 'string' },
      { name: 'password', type: 'string' },
    ],
    result: 'string',
    body: "'Basic ' + base64.encode(bytes(user + ':' + password))",
    doc: 'Returns the value of an Authorization header with these credentials.',
    examples: [{ expression: "basic_auth.encode('ada', 'pa:ss')", value: "'Basic YWRhOnBhOnNz'" }],
  },
  {
    name: 'isPrivateIp',
    id: 'string_is_private_ip',
    member: true,
    params: [{ name: 'address', type: 'string' }],
    result: 'bool',
    body: "inCidrRanges(address, ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'])",
    doc: 'Returns true if the address is private as defined by RFC 1918.',
    examples: [
      { expression: "'172.31.0.1'.isPrivateIp()", value: 'true' },
      { expression: "'172.32.0.1'.isPrivateIp()", value: 'false' },
    ],
  },
  {
    name: 'inCidrRange',
    id: 'in_cidr_range_string_string',
    params: [
      { name: 'address', type: 'string', role: 'address' },
      { name: 'range', type: 'string', role: 'address-range' },
    ],
    result: 'bool',
    body: 'isIP(address) && isCIDR(range) && cidr(range).containsIP(address)',
    doc: 'Returns true if the address is in the range. Returns false if either is malformed; the host bits of the range may be set.',
    examples: [
      { expression: "inCidrRange(conn.client_ip, '203.0.113.9/24')", value: 'true' },
      { expression: "inCidrRange(conn.client_ip, 'everybody')", value: 'false' },
    ],
  },
  {
    name: 'inCidrRanges',
    id: 'in_cidr_ranges_string_list',
    params: [
      { name: 'address', type: 'string', role: 'address' },
      { name: 'ranges', type: 'list(string)', role: 'address-range' },
    ],
    result: 'bool',
    body: 'isIP(address) && ranges.exists(range, isCIDR(range) && cidr(range).containsIP(address))',
    doc: 'Returns true if the address is in at least one of the ranges. Malformed ranges contain no addresses.',
    examples: [
      { expression: "inCidrRanges(conn.client_ip, ['10.0.0.0/8', 'nonsense', '203.0.113.0/24'])", value: 'true' },
      { expression: "inCidrRanges(conn.client_ip, ['10.0.0.0/8', '2001:db8::/32'])", value: 'false' },
    ],
  },
];

const CHANCE = 'the edge generates a new number for each call';

const RANDOM_ROWS: readonly FunctionRow[] = [
  {
    name: 'rand.double',
    id: 'rand_double',
    params: [],
    result: 'double',
    opaque: CHANCE,
    doc: 'Returns a random number, at least 0 and less than 1.',
    examples: [],
  },
  {
    name: 'rand.double',
    id: 'rand_double_double_double',
    params: [
      { name: 'min', type: 'double' },
      { name: 'max', type: 'double' },
    ],
    result: 'double',
    opaque: CHANCE,
    doc: 'Returns a random number, at least `min` and less than `max`.',
    examples: [],
  },
  {
    name: 'rand.int',
    id: 'rand_int',
    params: [],
    result: 'int',
    opaque: CHANCE,
    doc: 'Returns a random integer: 0 or 1.',
    examples: [],
  },
  {
    name: 'rand.int',
    id: 'rand_int_int_int',
    params: [
      { name: 'min', type: 'int' },
      { name: 'max', type: 'int' },
    ],
    result: 'int',
    opaque: CHANCE,
    doc: 'Returns a random integer, at least `min` and at most `max`.',
    examples: [],
  },
];
