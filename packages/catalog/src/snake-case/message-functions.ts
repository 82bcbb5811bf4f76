import type { Availability, FunctionFact } from '../schema/fact.ts';
import type { SnakeAvailability } from './snake-availability.ts';

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
