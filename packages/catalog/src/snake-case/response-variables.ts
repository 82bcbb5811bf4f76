import type { Availability, VariableFact } from '../schema/fact.ts';
import { contentType } from './request-variables.ts';

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
