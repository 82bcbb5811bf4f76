import { EDGE_V2 } from '@tollgate/catalog';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import type { SqlEngine } from '../support/sql-engines.ts';
import { compareCompiled, type Difference, newTally } from './compare-compiled.ts';
import { caseContext } from './decision-cases.ts';
import { DECIDED_EXCHANGES } from './generated-decisions.ts';

/** Odd ones, and random ones of both families. */
export const ADDRESSES: readonly string[] = [
  ...['', '1', '1.2.3', '1.2.3.4.', '.1.2.3.4', '01.2.3.4', '256.1.1.1', '10.127.255.255', '10.128.0.0', '1.2.3.4 '],
  ...[
    '::',
    '::1',
    ':::',
    ':1',
    '1:',
    '1::',
    '1::2::3',
    '::ffff:10.1.2.3',
    '::ffff:a01:203',
    '::FFFF:A01:203',
    '::1.2.3.4',
  ],
  ...[
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:1.2.3.4',
    '12345::',
    'g::',
  ],
  ...[
    '2001:db8:80::',
    '2001:db8:ff:ffff::',
    '2001:db8:100::',
    'fe80::1%eth0',
    '[::1]',
    '::1.2.3',
    '1.2.3.4:80',
    ':1.2.3.4',
  ],
  ...fc.sample(fc.ipV4(), { seed: 1, numRuns: 50 }),
  ...fc.sample(fc.ipV6(), { seed: 1, numRuns: 50 }),
];

/** Conditions by the construct that they show. */
const CONSTRUCTS: readonly (readonly [construct: string, ...conditions: readonly string[]])[] = [
  [
    '`&&`, `||`, `!`, `? :`',
    "req.Path == '/a' || !(req.Method == 'GET' && req.Host == 'x') ? conn.ClientIP == '::1' : req.Headers['X-A'][0] == '1'",
  ],
  ['`==`, `!=` of strings', "req.Path == '/é'", "req.Path != '/it\\'s'", 'req.Host != req.Method', "req.Path == '/A'"],
  [
    '`<`, `<=`, `>`, `>=` of strings',
    "req.Path < '/\uffee'",
    "req.Path >= '/b'",
    "req.Path > '/A'",
    "req.Path <= '/a b'",
    'req.Path < req.Method',
  ],
  ['comparisons of ints', 'req.ContentLength > 0', 'req.ContentLength == 9', 'size(req.Path) != 2'],
  [
    '`in` with a list of constants',
    "req.Path in ['/a', '/é', '/it\\'s', '/a\\\\b', '/%']",
    'req.ContentLength in [0, 9]',
    'req.Path in []',
  ],
  [
    '`startsWith`',
    "req.Path.startsWith('/a')",
    "req.Path.startsWith('')",
    "req.Path.startsWith('/_')",
    "req.Path.startsWith('/a\\\\')",
  ],
  [
    '`endsWith`',
    "req.Path.endsWith('b')",
    "req.Path.endsWith('')",
    "req.Path.endsWith('😀')",
    'req.Path.endsWith(req.Method)',
  ],
  [
    '`contains`',
    "req.Path.contains('a')",
    "req.Path.contains('%')",
    "req.Path.contains('')",
    "req.Path.contains('\\n')",
  ],
  ['`size` of strings', 'size(req.Path) == 2', 'size(req.Path) > 3'],
  ['`size` of headers and parameters', 'size(req.Headers) == 3', 'size(req.Params) == 1'],
  ["`'Name' in req.Headers`", "'X-A' in req.Headers", `"It's" in req.Headers`, "'q' in req.Params"],
  [
    "`req.Headers['Name'][0]`",
    "req.Headers['X-A'][0] == 'é'",
    "req.Headers['X-A'][1] < 'b'",
    "!(req.Params['q'][0] == '1')",
    "req.Params['r'][0] == ''",
  ],
  [
    '`exists`, `all` over constants',
    "['/a', '/b'].exists(one, req.Path.startsWith(one))",
    "['/a', '/b'].all(one, req.Path != one)",
  ],
  [
    '`inCidrRange` and `inCidrRanges`',
    ...['10.0.0.0/9', '0.0.0.0/0', '10.1.2.3/32', '::/0', '2001:db8:80::/41', '::ffff:0:0/96', '255.0.0.0/1'].map(
      range => `inCidrRange(conn.ClientIP, '${range}')`,
    ),
    "inCidrRanges(conn.ClientIP, ['x', '::1/128'])",
  ],
  [
    '`matches`: literals, `^`, `$`',
    "req.Path.matches('^/a')",
    "req.Path.matches('[.]php$')",
    "req.Path.matches('^/$')",
    "req.Path.matches('b$')",
    "req.Path.matches('(?:)')",
  ],
  [
    '`matches`: sets, repetitions, alternatives',
    "req.Path.matches('^/[ab](/|$)')",
    "req.Path.matches('x{2,3}')",
    "req.Path.matches('(a|b)+c')",
    "req.Path.matches('[^/]+/')",
    "req.Path.matches('[a[b]')",
    "req.Path.matches('^/[^a-z]$')",
  ],
  ['`matches`: `.`, `(?s)`', "req.Path.matches('a.b')", "req.Path.matches('(?s)a.b')", "req.Path.matches('^/.$')"],
  [
    '`matches`: `\\d`, `\\s`, `\\w`, `[[:alpha:]]`',
    ...['^/\\\\d', 'a\\\\sb', '^/\\\\W$', '^/\\\\w$', '[[:alpha:]]', '^/\\\\S+$'].map(
      one => `req.Path.matches('${one}')`,
    ),
  ],
  ['`matches`: `\\b`, `\\B`', ...['\\\\ba', 'a\\\\b', '/\\\\B', '\\\\bé'].map(one => `req.Path.matches('${one}')`)],
  ['`matches`: `(?m)`', "req.Path.matches('(?m)^b$')", "req.Path.matches('(?m)a$')"],
  [
    '`matches`: `(?i)` and ASCII',
    "req.Path.matches('(?i)^/A')",
    "req.Path.matches('(?i)/k$')",
    "req.Path.matches('(?i)/S$')",
  ],
  [
    '`matches`: letters beyond ASCII',
    "req.Path.matches('é|😀')",
    "req.Path.matches('[à-ï]')",
    "req.Path.matches('/\\\\x{1F600}')",
  ],
  ['`matches`: `\\p{L}`', "req.Path.matches('\\\\p{L}')"],
  ['`matches`: `(?i)` beyond ASCII', "req.Path.matches('(?i)é')"],
  ['`matches`: repetitions that overlap', "req.Path.matches('a.*b.*c')", "req.Path.matches('^(?:/[a-z]+)*$')"],
  ['`matches`: repetitions in repetitions', "req.Path.matches('^/(a|a)*b$')"],
];

/** The name of a target of the table. */
export type CompiledTarget = SqlEngine['dialect'];

const EXCHANGES: readonly Exchange[] = fc.sample(DECIDED_EXCHANGES, { seed: 5, numRuns: 60 });
const CLIENTS = ADDRESSES.map((clientIp, at) => ({ ...EXCHANGES[at % EXCHANGES.length]!, clientIp }));

/** Which target is exact for a construct, and where it is not. */
export interface ConstructResults {
  readonly cells: ReadonlyMap<string, ReadonlyMap<CompiledTarget, 'exact' | 'unsupported'>>;
  readonly differences: readonly Difference[];
}

/** Runs each construct on each engine. */
export async function runConstructs(engines: readonly SqlEngine[]): Promise<ConstructResults> {
  const context = caseContext(EDGE_V2);
  const policies = CONSTRUCTS.map(([construct, ...conditions]) => ({
    construct,
    documents: conditions.map(one => ({ inbound: [{ expressions: [one], actions: [{ type: 'deny' }] }] })),
  }));
  const all = policies.flatMap(({ documents }) => documents);
  const ofClients = all.filter(({ inbound: [rule] }) => rule!.expressions[0]!.includes('conn.ClientIP,'));
  const tally = newTally();
  const differences = [
    ...(await compareCompiled(all, EXCHANGES, { context, engines, tally })),
    ...(await compareCompiled(ofClients, CLIENTS, { context, engines, tally })),
  ];
  const cases = all.length * EXCHANGES.length + ofClients.length * CLIENTS.length;
  if (tally.cases !== cases) throw new Error('a condition is invalid');
  const targets: readonly CompiledTarget[] = engines.map(({ dialect }) => dialect);
  const cells = policies.map(({ construct, documents }) => {
    const isRefused = (target: CompiledTarget) => documents.some(one => tally.refused.get(target)?.has(one));
    const results = targets.map(target => [target, isRefused(target) ? 'unsupported' : 'exact'] as const);
    return [construct, new Map(results)] as const;
  });
  return { cells: new Map(cells), differences };
}
