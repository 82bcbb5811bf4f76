import { ownValue } from '@tollgate/diagnostics';

/** What to write instead of a name from another language, gateway or profile. */
export interface ForeignName {
  /** CEL names, in order of preference; the first that is declared is suggested. */
  readonly names: readonly string[];
  /** What to write if a name is not enough. */
  readonly written?: string;
}

type Row = readonly [words: string, ...names: string[]];

/** Functions and methods of other languages, in lowercase, with their equivalents in order of preference. */
const FUNCTIONS: readonly Row[] = [
  ['len length count strlen char_length cardinality', 'size'],
  ['includes include contain has_substring strpos instr substring_of', 'contains'],
  ['tolower tolowercase to_lower lowercase lcase downcase lower strtolower', 'lower', 'lowerAscii'],
  ['toupper touppercase to_upper uppercase ucase upcase upper strtoupper', 'upper', 'upperAscii'],
  ['hasprefix startwith starts_with beginswith begins_with', 'startsWith'],
  ['hassuffix endwith ends_with', 'endsWith'],
  ['test match regex regexmatch regex_match regexp rlike re_match search matchstring regexp_like', 'matches'],
  ['replaceall replace_all gsub sub regexreplace', 'replace'],
  ['substr mid', 'substring'],
  ['strip trimspace trim_space', 'trim'],
  ['explode', 'split'],
  ['implode concat_ws', 'join'],
  ['some any anymatch', 'exists'],
  ['every allmatch', 'all'],
  ['select', 'filter'],
  ['parseint number toint to_int atoi integer to_number', 'int'],
  ['parsefloat float tofloat to_float', 'double'],
  ['str tostring to_string sprintf', 'string'],
  ['boolean tobool', 'bool'],
  ['typeof type_of', 'type'],
  ['defined isset isdefined exist', 'has'],
  [
    'incidr in_cidr cidr_match cidrmatch ipmatch ip_in_range ipinrange iprange in_subnet insubnet isincidr',
    'inCidrRange',
  ],
  ['getheader get_header req_header header get_request_header', 'getReqHeader'],
  ['hasheader has_header headerexists', 'hasReqHeader'],
  ['getcookie get_cookie req_cookie', 'getReqCookie'],
  ['hascookie has_cookie', 'hasReqCookie'],
  ['getquery get_query getparam query_param queryparam urlparam', 'getQueryParam'],
  ['hasquery hasparam has_param', 'hasQueryParam'],
  ['urldecode decodeuri decodeuricomponent url_decode', 'url.unescape'],
  ['urlencode encodeuri encodeuricomponent url_encode', 'url.escape'],
  ['atob base64decode base64_decode', 'base64.decode'],
  ['btoa base64encode base64_encode', 'base64.encode'],
];

/** Functions whose equivalent is not a function. */
const OTHER_FORMS: Readonly<Record<string, ForeignName>> = {
  not: { names: [], written: '!a' },
  and: { names: [], written: 'a && b' },
  or: { names: [], written: 'a || b' },
  isempty: { names: ['size'], written: 'size(a) == 0' },
  empty: { names: ['size'], written: 'size(a) == 0' },
  isnull: { names: [], written: 'a == null' },
  equals: { names: [], written: 'a == b' },
  equalsignorecase: { names: [], written: 'a == b' },
  haskey: { names: [], written: '"key" in map' },
  has_key: { names: [], written: '"key" in map' },
  containskey: { names: [], written: '"key" in map' },
  hasownproperty: { names: [], written: '"key" in map' },
  concat: { names: [], written: 'a + b' },
  iif: { names: [], written: 'a ? b : c' },
  ifelse: { names: [], written: 'a ? b : c' },
};

/** Variables of other languages, servers and gateways, in lowercase without underscores, with their equivalents. */
const VARIABLES: readonly Row[] = [
  [
    'path uri requesturi requestpath req.path req.pathname req.uri req.uri.path req.url.pathname url.path http.request.uri.path',
    'req.Path',
    'req.url.path',
  ],
  ['method requestmethod httpmethod verb req.verb http.request.method', 'req.Method', 'req.method'],
  ['host httphost hostname req.hostname http.host req.authority', 'req.Host', 'req.host'],
  ['headers header req.header http.headers http.request.headers', 'req.Headers', 'req.headers'],
  ['cookies cookie req.cookie http.cookie', 'req.Cookies', 'req.cookies'],
  [
    'args params query querystring req.query req.params req.args req.queryparams req.querystring req.url.query http.request.uri.args',
    'req.Params',
    'req.url.query_params',
  ],
  ['url fullurl req.uri.full http.request.fulluri', 'req.URL', 'req.url'],
  [
    'protocol httpversion req.httpversion req.proto req.protocol req.version http.request.version',
    'req.Protocol',
    'req.version',
  ],
  ['contentlength req.bodysize req.length req.size req.contentlength', 'req.ContentLength', 'req.content_length'],
  ['status statuscode res.status res.code res.statuscode http.response.code', 'res.StatusCode', 'res.status_code'],
  [
    'ip clientip client.ip remoteaddr remoteip sourceip source.ip src.ip ip.src ip.source req.ip req.clientip req.remoteaddr req.remoteip conn.ip conn.remoteaddr conn.remoteip',
    'conn.ClientIP',
    'conn.client_ip',
  ],
  [
    'country countrycode geo.country geoip.country geoip.countrycode ip.geoip.country ip.src.country clientcountry conn.country conn.geo.country',
    'conn.Geo.CountryCode',
    'conn.geo.country_code',
  ],
  ['sni ssl.sni tls.sni conn.sni', 'conn.TLS.SNI', 'conn.tls.sni'],
  ['asn ip.asnum ip.geoip.asnum ip.src.asnum conn.asn', 'conn.client_ip.as.number'],
  ['useragent http.useragent req.useragent', 'req.user_agent.name'],
  ['now date time', 'time.now'],
];

const CONSTANTS: Readonly<Record<string, string>> = {
  True: 'true',
  TRUE: 'true',
  False: 'false',
  FALSE: 'false',
  None: 'null',
  nil: 'null',
  NULL: 'null',
  Null: 'null',
  undefined: 'null',
};

const byWord = (rows: readonly Row[]): ReadonlyMap<string, ForeignName> =>
  new Map(rows.flatMap(([words, ...names]) => words.split(' ').map(word => [word, { names }] as const)));

const FUNCTIONS_BY_WORD = byWord(FUNCTIONS);
const VARIABLES_BY_WORD = byWord(VARIABLES);

/** Returns the equivalent of a foreign function or method. */
export function foreignFunction(name: string): ForeignName | undefined {
  const word = name.toLowerCase();
  return ownValue(OTHER_FORMS, word) ?? FUNCTIONS_BY_WORD.get(word) ?? FUNCTIONS_BY_WORD.get(word.replace(/^.*\./, ''));
}

/** Returns the equivalent of a foreign variable. */
export function foreignVariable(name: string): ForeignName | undefined {
  const constant = ownValue(CONSTANTS, name);
  return constant === undefined ? VARIABLES_BY_WORD.get(normalizeName(name)) : { names: [], written: constant };
}

/** Normalizes a name across naming conventions: `request.client_ip` and `req.ClientIP` become equal. */
export function normalizeName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('_', '')
    .replace(/^(?:http\.)?request\b/, 'req')
    .replace(/^(?:http\.)?response\b/, 'res')
    .replace(/^connection\b/, 'conn');
}
