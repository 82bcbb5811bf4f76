import type { Availability, VariableFact } from '../schema/fact.ts';
import { stringVariables } from './connection-variables.ts';

/** Returns the variables of the request. */
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
      doc: 'The whole URL of the request, normalized, with its parts as fields and changes by earlier `url-rewrite` actions.',
      example: { expression: "req.url.startsWith('https://') && req.url.path == '/v0/users'", value: 'true' },
      sample: 'https://app.example.com/v0/users?page=2&sort=name',
      source: 'documented',
    },
    ...stringVariables({ ...http, path: 'req.url', source: 'documented' }, [
      ['authority', 'app.example.com', 'The user and password if any, the host, and the port if given.', 'host'],
      ['host', 'app.example.com', 'The host, without the port.', 'host'],
      ['path', '/v0/users', 'The path, with its leading slash and without the query.', 'path'],
      ['query', 'page=2&sort=name', 'The query, without the question mark.', 'query'],
      ['raw', 'https://app.example.com/v0/users?page=2&sort=name', 'The whole URL as sent.', 'url'],
      ['raw_path', '/v0/users', 'The path as sent.', 'path'],
      ['scheme', 'https', '`http` or `https`.', 'scheme'],
      ['uri', '/v0/users?page=2&sort=name', 'The path and query.', 'path-and-query'],
      ['user_password', '', 'The user name and password, separated by a colon.'],
    ]),
    {
      ...http,
      path: 'req.url.port',
      type: 'int',
      doc: 'The port of the URL.',
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
      doc: 'The decoded query parameters, each with a list of its values.',
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
    ...stringVariables({ ...http, path: 'req', source: 'documented' }, [
      ['host', 'app.example.com', 'The Host header as sent, which may include a port.', 'host'],
      ['method', 'GET', 'The request method, in upper case as sent.', 'method'],
      ['version', 'HTTP/2.0', 'The protocol and version of the request.'],
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
      doc: 'The request headers by lower-case name (`user-agent`), each with a list of its values.',
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
      doc: 'The cookies sent by the client, by name and in the order of the header.',
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
      doc: 'The request trailers, with names spelled like those of headers.',
      example: { expression: "'expires' in req.trailers", value: 'false' },
      sample: {},
      source: 'documented',
    },
    {
      ...http,
      path: 'req.content_encoding',
      type: 'list(string)',
      doc: 'The content encodings of the body, in the order of the header.',
      example: { expression: "'gzip' in req.content_encoding", value: 'false' },
      sample: [],
      source: 'documented',
    },
    {
      ...http,
      path: 'req.content_length',
      type: 'int',
      doc: 'The length of the body in bytes.',
      example: { expression: 'has(req.content_length) && req.content_length > 10000000', value: 'false' },
      sample: 0,
      absent: { when: 'the length is not known in advance' },
      source: 'documented',
    },
    ...contentType(http, 'req', ''),
  ];
}

/** Returns the content type variables of the request or the response. */
function contentType(availability: Availability, owner: 'req' | 'res', sample: string): readonly VariableFact[] {
  const path = `${owner}.content_type`;
  const [media = ''] = sample.split(';');
  const absent = { when: 'there is no such header', value: "''" } as const;
  return [
    {
      ...availability,
      path,
      type: 'string',
      doc: 'The media type of the body. Its parameters are a field.',
      example: { expression: `${path} == ${JSON.stringify(media)}`, value: 'true' },
      sample: media,
      absent,
      source: 'documented',
    },
    {
      ...availability,
      path: `${path}.raw`,
      type: 'string',
      doc: 'The header as sent.',
      example: { expression: `${path}.raw.startsWith(${path})`, value: 'true' },
      sample,
      absent,
      source: 'documented',
    },
    {
      ...availability,
      path: `${path}.parameters`,
      type: 'map(string, string)',
      doc: 'The parameters of the media type, by name.',
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
      doc: 'The time at which the request headers had been received.',
      example: { expression: 'req.ts.header_received >= conn.ts.start', value: 'true' },
      sample: '2026-03-02T10:15:31Z',
      source: 'documented',
    },
    {
      ...http,
      path: 'req.ts.body_received',
      type: 'timestamp',
      doc: 'The time at which the request body had been received.',
      example: { expression: 'req.ts.body_received >= req.ts.header_received', value: 'true' },
      sample: '2026-03-02T10:15:31Z',
      absent: { when: 'the body has not been received yet' },
      source: 'documented',
    },
  ];
}

/** Returns the variables of the response. */
export function responseVariables(response: Availability): readonly VariableFact[] {
  return [
    {
      ...response,
      path: 'res.status_code',
      type: 'int',
      role: 'status',
      // Documented as a number, but compared with '300' in the vendor's gallery.
      alsoReadAs: 'string',
      doc: 'The status of the response. It may also be compared with strings.',
      example: { expression: "res.status_code >= 400 && res.status_code == '404'", value: 'true' },
      sample: 404,
      source: 'documented',
    },
    ...responseHead(response),
    ...responseState(response),
    ...contentType(response, 'res', 'application/json; charset=utf-8'),
    {
      ...response,
      path: 'res.content_encoding',
      type: 'list(string)',
      doc: 'The content encodings of the body, in the order of the header.',
      example: { expression: "'gzip' in res.content_encoding", value: 'false' },
      sample: [],
      source: 'documented',
    },
    {
      ...response,
      path: 'res.content_length',
      type: 'int',
      doc: 'The length of the body in bytes.',
      example: { expression: 'res.content_length > 1000', value: 'false' },
      sample: 27,
      absent: { when: 'the length is not known in advance' },
      source: 'documented',
    },
  ];
}

function responseHead(response: Availability): readonly VariableFact[] {
  return [
    {
      ...response,
      path: 'res.headers',
      type: 'map(string, list(string))',
      role: 'response-headers',
      doc: 'The response headers by lower-case name (`content-type`), each with a list of its values.',
      example: { expression: "res.headers['content-type'][0].startsWith('application/json')", value: 'true' },
      sample: {
        'content-type': ['application/json; charset=utf-8'],
        'set-cookie': ['session=n3w; Path=/; Secure; HttpOnly'],
      },
      source: 'documented',
    },
    {
      ...response,
      path: 'res.trailers',
      type: 'map(string, list(string))',
      role: 'response-trailers',
      doc: 'The response trailers, with names spelled like those of headers.',
      example: { expression: 'size(res.trailers) == 0', value: 'true' },
      sample: {},
      source: 'documented',
    },
  ];
}

function responseState(response: Availability): readonly VariableFact[] {
  return [
    {
      ...response,
      path: 'res.cookies',
      type: 'map(string, list(response_cookie))',
      role: 'response-cookies',
      doc: 'The cookies that the response sets, by name, with the longest path first.',
      example: {
        expression: 'res.cookies.all(name, res.cookies[name].all(c, c.secure && c.http_only))',
        value: 'true',
      },
      sample: {
        session: [
          {
            name: 'session',
            value: 'n3w',
            path: '/',
            domain: '',
            same_site: '',
            secure: true,
            http_only: true,
            unparsed_attributes: {},
          },
        ],
      },
      source: 'documented',
    },
    {
      ...response,
      path: 'res.location',
      type: 'string',
      doc: 'The Location header of the response: the target of a redirect.',
      example: { expression: "res.location.startsWith('https://')", value: 'false' },
      sample: '',
      absent: { when: 'the response has no such header', value: "''" },
      source: 'documented',
    },
  ];
}
