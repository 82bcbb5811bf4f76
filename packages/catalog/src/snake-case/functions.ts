import type { Availability, Example, FunctionFact } from '../schema/fact.ts';
import type { SnakeAvailability } from './objects.ts';

/** The parts of a function overload that differ within a table. */
interface FunctionRow {
  readonly name: string;
  readonly id: string;
  readonly params: FunctionFact['params'];
  readonly result: string;
  readonly doc: string;
  readonly body?: string;
  readonly opaque?: string;
  readonly member?: boolean;
  /** Expressions with their values. */
  readonly examples: readonly Example[];
}

/** The parameters of a function that takes one string. */
const STRING_PARAMS = [{ name: 'text', type: 'string' }] as const;

const HASHES = [
  ['crc32', 'CRC-32 (IEEE)', '0d4a1185'],
  ['crc64', 'CRC-64 (ISO)', 'b9cf3f572ad9ac3e'],
  ['md5', 'MD5', '5eb63bbbe01eeed093cb22bb8f5acdc3'],
  ['sha1', 'SHA-1', '2aae6c35c94fcfb415dbe95f408b9ce91ee846ed'],
  ['sha256', 'SHA-256', 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
  [
    'sha512',
    'SHA-512',
    '309ecc489c12d6eb4cc40f50c902f2b4d0ed77ee511a7c7a9bcd3ca86d4cd86f989dd35bc5ff499670da34255b45b0cfd830e81f605dcf7dc5542e93ae9cd76f',
  ],
  ['xxhash64', 'xxHash64', '45ab6734b21e6968'],
] as const;

/** Each hash as a function and as a method, with and without a format. */
const HASH_ROWS: readonly FunctionRow[] = HASHES.flatMap(hashRows);

function hashRows([name, title, hex]: (typeof HASHES)[number]): readonly FunctionRow[] {
  const withFormat = [...STRING_PARAMS, { name: 'format', type: 'string' }] as const;
  const doc = `Returns the ${title} hash of the string in hexadecimal`;
  return [
    {
      name: `hash.${name}`,
      id: `hash_${name}_string`,
      params: STRING_PARAMS,
      result: 'string',
      doc: `${doc}.`,
      examples: [{ expression: `hash.${name}('hello world')`, value: `'${hex}'` }],
    },
    {
      name: `hash.${name}`,
      id: `hash_${name}_string_string`,
      params: withFormat,
      result: 'string',
      doc: `${doc} (\`hex\`) or in base64 (\`base64\`).`,
      examples: [{ expression: `hash.${name}('hello world', 'hex')`, value: `'${hex}'` }],
    },
    {
      name,
      id: `string_${name}`,
      member: true,
      params: STRING_PARAMS,
      result: 'string',
      body: `hash.${name}(text)`,
      doc: `${doc}.`,
      examples: [{ expression: `'hello world'.${name}()`, value: `'${hex}'` }],
    },
    {
      name,
      id: `string_${name}_string`,
      member: true,
      params: withFormat,
      result: 'string',
      body: `hash.${name}(text, format)`,
      doc: `${doc} (\`hex\`) or in base64 (\`base64\`).`,
      examples: [{ expression: `'hello world'.${name}('hex')`, value: `'${hex}'` }],
    },
  ];
}

const NAME = [{ name: 'name', type: 'string' }] as const;

/** Returns the functions on the request and the response. */
export function messageFunctions({ http, response }: SnakeAvailability): readonly FunctionFact[] {
  return [
    ...headerFunctions(http, 'req', ["hasReqHeader('User-Agent')", "getReqHeader('X-Api-Key') == ['k-1', 'k-2']"]),
    ...queryFunctions(http),
    ...cookieFunctions(http, 'req', "getReqCookie('session').value == 's3cr3t'"),
    ...headerFunctions(response, 'res', [
      "hasResHeader('Content-Type')",
      "getResHeader('content-type')[0].startsWith('application/')",
    ]),
    ...cookieFunctions(response, 'res', "getResCookie('session').secure"),
  ];
}

type Side = 'req' | 'res';

const HEADERS_OF = { req: 'request-headers', res: 'response-headers' } as const;
const COOKIES_OF = { req: 'request-cookies', res: 'response-cookies' } as const;

function wordsOf(side: Side): { readonly name: string; readonly message: string; readonly verb: string } {
  return side === 'req'
    ? { name: 'Req', message: 'request', verb: 'sends' }
    : { name: 'Res', message: 'response', verb: 'sets' };
}

/** Header names are in lower case, but the vendor's examples look them up in canonical form. */
function headerFunctions(
  availability: Availability,
  side: Side,
  examples: readonly [string, string],
): readonly FunctionFact[] {
  const { name, message } = wordsOf(side);
  const headers = `${side}.headers`;
  return [
    {
      ...availability,
      name: `has${name}Header`,
      overloadId: `has_${side}_header_string`,
      params: NAME,
      looksUp: { in: HEADERS_OF[side], anyCase: true },
      result: 'bool',
      body: `name.lowerAscii() in ${headers}`,
      doc: `Returns true if the ${message} has the header, given in any case.`,
      examples: [
        { expression: examples[0], value: 'true' },
        { expression: `has${name}Header('x-absent')`, value: 'false' },
      ],
      source: 'documented',
    },
    {
      ...availability,
      name: `get${name}Header`,
      overloadId: `get_${side}_header_string`,
      params: NAME,
      looksUp: { in: HEADERS_OF[side], anyCase: true },
      result: 'list(string)',
      body: `name.lowerAscii() in ${headers} ? ${headers}[name.lowerAscii()] : []`,
      doc: `Returns all values of a ${message} header, given in any case; the empty list if it is absent.`,
      examples: [
        { expression: examples[1], value: 'true' },
        { expression: `get${name}Header('x-absent')`, value: '[]' },
      ],
      source: 'inferred',
    },
  ];
}

function queryFunctions(http: Availability): readonly FunctionFact[] {
  return [
    {
      ...http,
      name: 'hasQueryParam',
      overloadId: 'has_query_param_string',
      params: NAME,
      looksUp: { in: 'query-parameters' },
      result: 'bool',
      body: 'name in req.url.query_params',
      doc: 'Returns true if the URL has the query parameter.',
      examples: [
        { expression: "hasQueryParam('page')", value: 'true' },
        { expression: "hasQueryParam('limit')", value: 'false' },
      ],
      source: 'documented',
    },
    {
      ...http,
      name: 'getQueryParam',
      overloadId: 'get_query_param_string',
      params: NAME,
      looksUp: { in: 'query-parameters' },
      result: 'list(string)',
      body: 'name in req.url.query_params ? req.url.query_params[name] : []',
      doc: 'Returns all values of a query parameter; the empty list if it is absent.',
      examples: [
        { expression: "getQueryParam('page')", value: "['2']" },
        { expression: "getQueryParam('limit')", value: '[]' },
      ],
      source: 'documented',
    },
  ];
}

function cookieFunctions(availability: Availability, side: Side, example: string): readonly FunctionFact[] {
  const { name, message, verb } = wordsOf(side);
  return [
    {
      ...availability,
      name: `has${name}Cookie`,
      overloadId: `has_${side}_cookie_string`,
      params: NAME,
      looksUp: { in: COOKIES_OF[side] },
      result: 'bool',
      body: `name in ${side}.cookies`,
      doc: `Returns true if the ${message} ${verb} the cookie.`,
      examples: [
        { expression: `has${name}Cookie('session')`, value: 'true' },
        { expression: `has${name}Cookie('theme')`, value: 'false' },
      ],
      source: 'documented',
    },
    {
      ...availability,
      name: `get${name}Cookie`,
      overloadId: `get_${side}_cookie_string`,
      params: NAME,
      looksUp: { in: COOKIES_OF[side] },
      result: side === 'req' ? 'request_cookie' : 'response_cookie',
      body: `${side}.cookies[name][0]`,
      doc: `Returns the first cookie of this name that the ${message} ${verb}. Without one, the expression fails and the rule does not match.`,
      examples: [{ expression: example, value: 'true' }],
      source: 'documented',
    },
  ];
}

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
