import type { Availability, VariableFact } from '../schema/fact.ts';
import { textVariables } from './string-variables.ts';

/** The request. */
export function requestVariables(http: Availability): readonly VariableFact[] {
  return [...urlVariables(http), ...headVariables(http), ...bodyVariables(http), ...requestTimes(http)];
}

function urlVariables(http: Availability): readonly VariableFact[] {
  return [
    {
      ...http,
      path: 'req.url',
      type: 'string',
      role: 'url',
      doc: 'Whole URL of the request, normalised, with its parts as fields. Earlier `url-rewrite` actions have changed it.',
      example: { expression: "req.url.startsWith('https://') && req.url.path == '/v0/users'", value: 'true' },
      sample: 'https://app.example.com/v0/users?page=2&sort=name',
      source: 'documented',
    },
    ...textVariables({ ...http, path: 'req.url', source: 'documented' }, [
      ['authority', 'app.example.com', 'User and password if any, host, and port if given.', 'host'],
      ['host', 'app.example.com', 'Host, without port.', 'host'],
      ['path', '/v0/users', 'Path: begins with a slash, no query.', 'path'],
      ['query', 'page=2&sort=name', 'Query, without question mark.', 'query'],
      ['raw', 'https://app.example.com/v0/users?page=2&sort=name', 'Whole URL as it was sent.', 'url'],
      ['raw_path', '/v0/users', 'Path as it was sent.', 'path'],
      ['scheme', 'https', '`http` or `https`.'],
      ['uri', '/v0/users?page=2&sort=name', 'Path and query.', 'path-and-query'],
      ['user_password', '', 'User and password, with a colon between them.'],
    ]),
    {
      ...http,
      path: 'req.url.port',
      type: 'int',
      doc: 'Port of the URL.',
      example: { expression: 'req.url.port == 443', value: 'true' },
      sample: 443,
      absent: { when: 'the URL has no port' },
      source: 'documented',
    },
    {
      ...http,
      path: 'req.url.query_params',
      type: 'map(string, list(string))',
      role: 'query-parameters',
      doc: 'Query parameters, decoded. Each has the list of its values.',
      example: {
        expression: "'page' in req.url.query_params && req.url.query_params['page'][0] == '2'",
        value: 'true',
      },
      sample: { page: ['2'], sort: ['name'] },
      source: 'documented',
    },
  ];
}

function headVariables(http: Availability): readonly VariableFact[] {
  return [
    ...textVariables({ ...http, path: 'req', source: 'documented' }, [
      ['host', 'app.example.com', 'The Host header as sent; may end in a port.', 'host'],
      ['method', 'GET', 'Method of the request, in capitals as sent.', 'method'],
      ['version', 'HTTP/2.0', 'Protocol and version of the request.'],
    ]),
    {
      ...http,
      path: 'req.location',
      type: 'string',
      doc: 'The Location header of the request.',
      example: { expression: "req.location == ''", value: 'true' },
      sample: '',
      absent: { when: 'the request has no such header', value: "''" },
      source: 'documented',
    },
    {
      ...http,
      path: 'req.headers',
      type: 'map(string, list(string))',
      role: 'request-headers',
      doc: 'Headers of the request. Names are in lower case (`user-agent`), each has the list of its values.',
      example: {
        expression: "'user-agent' in req.headers && req.headers['user-agent'][0].contains('Chrome')",
        value: 'true',
      },
      sample: {
        accept: ['text/html'],
        cookie: ['session=s3cr3t'],
        'user-agent': ['Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0'],
        'x-api-key': ['k-1', 'k-2'],
      },
      source: 'documented',
    },
    {
      ...http,
      path: 'req.cookies',
      type: 'map(string, list(request_cookie))',
      role: 'request-cookies',
      doc: 'Cookies sent by the client, by name, in the order of the header.',
      example: { expression: "'session' in req.cookies && req.cookies['session'][0].value == 's3cr3t'", value: 'true' },
      sample: { session: [{ name: 'session', value: 's3cr3t' }] },
      source: 'documented',
    },
  ];
}

function bodyVariables(http: Availability): readonly VariableFact[] {
  return [
    {
      ...http,
      path: 'req.trailers',
      type: 'map(string, list(string))',
      role: 'request-trailers',
      doc: 'Trailers of the request, named as headers are.',
      example: { expression: "'expires' in req.trailers", value: 'false' },
      sample: {},
      source: 'documented',
    },
    {
      ...http,
      path: 'req.content_encoding',
      type: 'list(string)',
      doc: 'Encodings of the body, in the order of the header.',
      example: { expression: "'gzip' in req.content_encoding", value: 'false' },
      sample: [],
      source: 'documented',
    },
    {
      ...http,
      path: 'req.content_length',
      type: 'int',
      doc: 'Length of the body in bytes.',
      example: { expression: 'has(req.content_length) && req.content_length > 10000000', value: 'false' },
      sample: 0,
      absent: { when: 'the length is not known beforehand' },
      source: 'documented',
    },
    ...contentType(http, 'req', ''),
  ];
}

/** The content type of the request or of the response. */
export function contentType(place: Availability, owner: 'req' | 'res', sample: string): readonly VariableFact[] {
  const path = `${owner}.content_type`;
  const [media = ''] = sample.split(';');
  const absent = { when: 'there is no such header', value: "''" } as const;
  return [
    {
      ...place,
      path,
      type: 'string',
      doc: 'Media type of the body, without parameters; these are a field.',
      example: { expression: `${path} == ${JSON.stringify(media)}`, value: 'true' },
      sample: media,
      absent,
      source: 'documented',
    },
    {
      ...place,
      path: `${path}.raw`,
      type: 'string',
      doc: 'The header as sent.',
      example: { expression: `${path}.raw.startsWith(${path})`, value: 'true' },
      sample,
      absent,
      source: 'documented',
    },
    {
      ...place,
      path: `${path}.parameters`,
      type: 'map(string, string)',
      doc: 'Parameters of the media type, by name.',
      example: { expression: `'charset' in ${path}.parameters`, value: String(sample.includes('charset')) },
      sample: sample.includes('charset') ? { charset: 'utf-8' } : {},
      source: 'documented',
    },
  ];
}

function requestTimes(http: Availability): readonly VariableFact[] {
  return [
    {
      ...http,
      path: 'req.ts.header_received',
      type: 'timestamp',
      doc: 'When the head of the request had come.',
      example: { expression: 'req.ts.header_received >= conn.ts.start', value: 'true' },
      sample: '2026-03-02T10:15:31Z',
      source: 'documented',
    },
    {
      ...http,
      path: 'req.ts.body_received',
      type: 'timestamp',
      doc: 'When the body of the request had come.',
      example: { expression: 'req.ts.body_received >= req.ts.header_received', value: 'true' },
      sample: '2026-03-02T10:15:31Z',
      absent: { when: 'the body has not come yet' },
      source: 'documented',
    },
  ];
}
