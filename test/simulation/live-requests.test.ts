import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { MODERN, PROFILES } from '@tollgate/catalog';
import { javascriptModule, planPolicy } from '@tollgate/compile';
import type { Policy } from '@tollgate/policy';
import { type Exchange, exchangeOf, type FetchRequest, type NodeRequest } from '@tollgate/traffic';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { type CaseContext, caseContext, policyOf, shownDecision, simulatedDecisions } from './decision-cases.ts';
import { decidingPolicies } from './generated-decisions.ts';

// Decisions on requests as servers get them: what compiled code decides of Node's and `fetch`'s own objects is what the simulator decides.

/** A dual-stack server, so that Node says `::ffff:127.0.0.1`; it answers nothing of interest and keeps what it got. */
const received: Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'rawHeaders' | 'headers' | 'socket'>[] = [];
const server = createServer((request, response) => {
  const { method, url, httpVersion, rawHeaders, headers } = request;
  const { remoteAddress } = request.socket;
  received.push({ method, url, httpVersion, rawHeaders, headers, socket: { remoteAddress } } as (typeof received)[0]);
  response.end();
});
beforeAll(() => once(server.listen(0, '::ffff:127.0.0.1'), 'listening'));
afterAll(() => void server.close());

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const SENT: fc.Arbitrary<Sent> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT'),
  target: fc.constantFrom(
    '/',
    '/a',
    '/%61',
    '/A',
    '/a?q=1',
    '/a?q=a+b&q=%20',
    '/b/c?Q=1',
    '/a%2Fb',
    '/%zz',
    '/a.php?q=%FF',
    '/a?q=1;2',
  ),
  host: fc.constantFrom('e.co', 'E.co', 'e.co:8080', 'f.example'),
  headers: fc.array(
    fc.tuple(
      fc.constantFrom('X-A', 'x-a', 'X-B', 'User-Agent', 'USER-AGENT', 'x-b', 'Cookie'),
      fc.constantFrom('1', 'a', '/a', 'curl/8', 'a, b', 'xx', '10.1.2.3', ''),
    ),
    { maxLength: 5 },
  ),
});

/** Sends requests byte for byte, and returns what Node's server says that it got. */
async function through(requests: readonly Sent[]): Promise<readonly (typeof received)[0][]> {
  received.length = 0;
  for (const { method, target, host, headers } of requests) {
    const socket = connect({ host: '::ffff:127.0.0.1', port: (server.address() as AddressInfo).port });
    const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, ...headers.map(field => field.join(': '))];
    socket.write(`${[...lines, 'Content-Length: 0', 'Connection: close'].join('\r\n')}\r\n\r\n`);
    await text(socket);
  }
  return [...received];
}

function requestOf({ method, target, host, headers }: Sent): Request {
  const request = new Request(`https://${host}${target}`, { method });
  for (const [name, value] of headers) request.headers.append(name, value);
  return request;
}

/** Objects by name, down to values. */
interface Input {
  readonly [name: string]: Input | string | readonly string[] | undefined;
}

interface Module {
  readonly decide: (input: unknown) => readonly {
    readonly outcome: string;
    readonly status?: number;
    readonly action?: string;
    readonly rule?: string;
  }[];
  readonly inputOf: (request: NodeRequest | FetchRequest) => Input;
}

/** Returns generated policies with their modules. */
async function compiledPolicies(context: CaseContext): Promise<readonly (readonly [Policy, Module])[]> {
  const numRuns = runs(20, 300);
  const compiled: (readonly [Policy, Module])[] = [];
  for (const document of fc.sample(decidingPolicies(context), { seed: seed(6, 'COMPILED_SEED'), numRuns })) {
    const policy = policyOf(document, context);
    const planned = policy && planPolicy(policy, context);
    const result = planned && 'plan' in planned ? javascriptModule(planned.plan) : {};
    if (policy === undefined || !('code' in result)) continue;
    compiled.push([policy, await import(`data:text/javascript,${encodeURIComponent(String(result.code))}`)]);
  }
  return compiled;
}

/** The generated policies of each profile. */
const COMPILED = new Map(PROFILES.map(profile => [profile, compiledPolicies(caseContext(profile))]));

function decided({ decide }: Module, input: unknown): string {
  const found = decide(input);
  const keys = found.map(({ outcome, status, action }) =>
    [outcome, status, action].filter(one => one !== undefined && one !== '').join(' '),
  );
  return shownDecision(keys, found.length === 1 ? (found[0]!.rule ?? '') : undefined);
}

/** What no request says is unknown to both. */
function compare(
  policies: readonly (readonly [Policy, Module])[],
  requests: readonly (readonly [NodeRequest | FetchRequest, Exchange])[],
  context: CaseContext,
) {
  const exchanges = requests.map(([, exchange]) => exchange);
  let certain = 0;
  for (const [policy, module] of policies) {
    const expected = simulatedDecisions(policy, exchanges, context);
    for (const [at, [request]] of requests.entries()) {
      const input = module.inputOf(request);
      const found = decided(module, input);
      const isCertain = !found.includes(' or ') && !found.endsWith('by ?');
      // A part of the host that only one of them reads may leave the other open, but never decide otherwise.
      if (isCertain) expect({ input, found }).toEqual({ input, found: expected[at] });
      certain += Number(isCertain);
    }
  }
  return certain / (policies.length * requests.length);
}

describe.each(PROFILES.map(profile => [profile.name, profile] as const))('under %s', (_, profile) => {
  const context = caseContext(profile);

  it("decides on Node's requests what the simulator decides", async () => {
    const policies = (await COMPILED.get(profile))!;
    const requests = await through(fc.sample(SENT, { seed: seed(7, 'COMPILED_SEED'), numRuns: 40 }));
    expect(requests.map(({ socket }) => socket.remoteAddress)).toEqual(requests.map(() => '::ffff:127.0.0.1'));
    const known = requests.map(request => [request, exchangeOf(request)] as const);
    expect(compare(policies, known, context)).toBeGreaterThan(0.5);
  });

  it('decides on requests of `fetch` what the simulator decides', async () => {
    const policies = (await COMPILED.get(profile))!;
    const requests = fc.sample(SENT, { seed: seed(8, 'COMPILED_SEED'), numRuns: 40 }).map(requestOf);
    expect(
      compare(
        policies,
        requests.map(request => [request, exchangeOf(request)] as const),
        context,
      ),
    ).toBeGreaterThan(0.2);
  });
});

/** Spellings of an IPv4 address that servers and proxies report. */
const SPELLINGS: readonly ((address: string) => string)[] = [
  address => `::ffff:${address}`,
  address => `${address}:443`,
  address => `[::FFFF:${address}]:8080`,
  address => ` ${address}`,
  address => `${address}, 192.0.2.1`,
];

/** What a host may hand over instead of the values of `inputOf`: whether it says the same, or less. */
const HANDED: Readonly<Record<string, (input: Input, node: (typeof received)[0]) => Input>> = {
  'another spelling of the address': input =>
    changed(input, ([name, value], at) =>
      /^client_?ip$/i.test(name) && typeof value === 'string' ? SPELLINGS[at % SPELLINGS.length]!(value) : value,
    ),
  'names of headers as they were sent': (input, { rawHeaders }) =>
    withHeaders(input, () => {
      const names = rawHeaders.filter((_, at) => at % 2 === 0);
      const values = (name: string) => rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1] === name);
      return Object.fromEntries(names.map(name => [name, values(name)]));
    }),
  "Node's own headers": (input, { headers }) => withHeaders(input, () => ({ ...headers }) as Input),
  'a `Headers` object': (input, { headers }) =>
    withHeaders(
      input,
      () => new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])) as never,
    ),
  'the type of nothing': input =>
    changed(input, ([, value]) => (typeof value === 'string' ? ([value] as const) : value)),
};

function withHeaders(input: Input, headers: () => Input): Input {
  return changed(input, ([name, value]) => (/^headers$/i.test(name) && value !== undefined ? headers() : value));
}

function changed(
  input: Input,
  change: (entry: [name: string, value: Input[string]], at: number) => Input[string],
): Input {
  return Object.fromEntries(
    Object.entries(input).map(([name, value], at) => {
      const other = change([name, value], at);
      const isTree = other === value && typeof value === 'object' && !Array.isArray(value);
      return [name, isTree ? changed(value as Input, change) : other];
    }),
  );
}

describe.each(Object.entries(HANDED))('given %s', (_, hand) => {
  it.each(PROFILES.map(profile => [profile.name, profile] as const))(
    'under %s, a module decides the same or leaves it open',
    async (_name, profile) => {
      const policies = (await COMPILED.get(profile))!;
      const requests = await through(fc.sample(SENT, { seed: seed(9, 'COMPILED_SEED'), numRuns: 30 }));
      for (const [, module] of policies)
        for (const request of requests) {
          const input = module.inputOf(request);
          const handed = hand(input, request);
          const [expected, found] = [decided(module, input), decided(module, handed)];
          if (found !== expected)
            expect({ handed, found, open: / or |by \?$/.test(found) }).toEqual({ handed, found, open: true });
        }
    },
  );
});

it.each([
  ['e.co', "req.url.host == 'e.co'", 'denied 403 deny'],
  ['e.co:8080', "req.url.host == 'e.co'", 'denied 403 deny'],
  ['e.co:8080', "req.url.authority == 'e.co:8080'", 'denied 403 deny'],
  ['e.co:8080', "req.url.authority == 'e.co'", 'passed'],
  ['f.example', "req.url.host == 'e.co'", 'passed'],
])('a module reads the host of a URL with %s for %s', async (host, condition, outcome) => {
  const context = caseContext(MODERN);
  const rule = { expressions: [condition], actions: [{ type: 'deny', config: { status_code: 403 } }] };
  const policy = policyOf({ [context.phase]: [rule] }, context)!;
  const planned = planPolicy(policy, context);
  const { code } = javascriptModule('plan' in planned ? planned.plan : (undefined as never)) as {
    readonly code: string;
  };
  const module: Module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const request = new Request(`https://${host}/a`);
  const [simulated] = simulatedDecisions(policy, [exchangeOf(request)], context);
  const found = decided(module, module.inputOf(request));
  expect(found).toBe(simulated);
  expect(found.startsWith(outcome)).toBe(true);
});

it.each(SPELLINGS.map(spell => spell('10.1.2.3')))(
  'a module denies the client %j, whose address is in the range',
  async client => {
    for (const profile of PROFILES) {
      const context = caseContext(profile);
      const name = profile.variables.find(({ role }) => role === 'client-address')!.path;
      const rule = {
        expressions: [`inCidrRange(${name}, '10.0.0.0/8')`],
        actions: [{ type: 'deny', config: { status_code: 403 } }],
      };
      const policy = policyOf({ [context.phase]: [rule] }, context)!;
      const planned = planPolicy(policy, context);
      const result = 'plan' in planned ? javascriptModule(planned.plan) : {};
      const { decide } = await import(
        `data:text/javascript,${encodeURIComponent('code' in result ? String(result.code) : '')}`
      );
      const [, field] = name.split('.');
      expect(decide({ conn: { [field!]: client } })).toMatchObject([{ outcome: 'denied', status: 403 }]);
      const exchange = { ...exchangeOf({ rawHeaders: [] }), clientIp: client };
      expect(simulatedDecisions(policy, [exchange], context)).toEqual([`denied 403 deny by ${context.phase} 1`]);
    }
  },
);
