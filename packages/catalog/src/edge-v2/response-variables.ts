import type { VariableFact } from '../fact.ts';
import { HTTP_OUTBOUND } from './availability.ts';

export const RESPONSE_VARIABLES = [
  {
    ...HTTP_OUTBOUND,
    path: 'res.StatusCode',
    type: 'string',
    // Documented as text and compared with '500' in the vendor's gallery, with 500 in its client's tests.
    alsoReadAs: 'int',
    doc: 'Status of the response as three digits of text. May be compared with numbers too.',
    example: { expression: "res.StatusCode >= '500' || res.StatusCode == 404", value: 'true' },
    sample: '404',
    source: 'documented',
  },
  {
    ...HTTP_OUTBOUND,
    path: 'res.Headers',
    type: 'map(string, list(string))',
    doc: 'Headers of the response. Names are in canonical form (`Content-Type`), each has the list of its values.',
    example: { expression: "res.Headers['Content-Type'][0].startsWith('application/json')", value: 'true' },
    sample: {
      'Content-Type': ['application/json; charset=utf-8'],
      'Set-Cookie': ['session=n3w; Path=/; Secure; HttpOnly'],
    },
    source: 'documented',
  },
  {
    ...HTTP_OUTBOUND,
    path: 'res.Trailers',
    type: 'map(string, list(string))',
    doc: 'Trailers of the response, named as headers are.',
    example: { expression: 'size(res.Trailers) == 0', value: 'true' },
    sample: {},
    source: 'documented',
  },
  {
    ...HTTP_OUTBOUND,
    path: 'res.Cookies',
    type: 'list(cookie)',
    doc: 'Cookies that the response sets.',
    example: { expression: 'res.Cookies.all(c, c.Secure && c.HttpOnly)', value: 'true' },
    sample: [
      {
        Name: 'session',
        Value: 'n3w',
        Path: '/',
        Domain: '',
        RawExpires: '',
        MaxAge: 0,
        Secure: true,
        HttpOnly: true,
        SameSite: 0,
        Raw: 'session=n3w; Path=/; Secure; HttpOnly',
        Unparsed: [],
      },
    ],
    source: 'documented',
  },
  {
    ...HTTP_OUTBOUND,
    path: 'res.ContentLength',
    type: 'int',
    doc: 'Length of the body in bytes; -1 when it is not known beforehand.',
    example: { expression: 'res.ContentLength == -1', value: 'false' },
    sample: 27,
    source: 'documented',
  },
  {
    ...HTTP_OUTBOUND,
    path: 'res.Location',
    type: 'string',
    doc: 'The Location header of the response: where a redirect leads.',
    example: { expression: "res.Location.startsWith('https://')", value: 'false' },
    sample: '',
    absent: { when: 'the response has no such header', value: "''" },
    source: 'documented',
  },
] as const satisfies readonly VariableFact[];
