import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROFILES, REFUSALS } from '@tollgate/catalog';
import { LINT_RULES, unmark } from '@tollgate/lint';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { startTestServer, type TestServer, textOf } from './test-server.ts';

const FIXTURES = join(import.meta.dirname, '../dialects/fixtures');
const EDGES: Readonly<Record<string, string>> = {
  'https-route': '/edges/https',
  'tls-edge': '/edges/tls',
  'tcp-edge': '/edges/tcp',
};

let server: TestServer;
let strict: TestServer;
let lax: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  strict = await startTestServer({ policyLint: 'error' });
  lax = await startTestServer({ policyLint: 'off' });
});

afterAll(() => Promise.all([server.stop(), strict.stop(), lax.stop()]));

/** The path of a new endpoint of a kind. */
async function endpoint(at: TestServer, kind: string): Promise<string> {
  const path = `${EDGES[kind]}/${textOf(await at.call('POST', EDGES[kind]!, { body: {} }), 'id')}`;
  if (kind !== 'https-route') return path;
  const body = { match_type: 'path_prefix', match: '/' };
  return `${path}/routes/${textOf(await at.call('POST', `${path}/routes`, { body }), 'id')}`;
}

/** The forms in which a policy can be published. */
const BOTH = ['text', 'object'] as const;

/** Publishes a policy as a string, and in its object form if it has one; the codes of what is refused. */
async function publish(
  kind: string,
  value: string,
  at = server,
  forms: readonly (typeof BOTH)[number][] = BOTH,
): Promise<readonly unknown[]> {
  const path = await endpoint(at, kind);
  const answers = [await at.call('PUT', `${path}/traffic_policy`, { body: { value } })];
  const { enabled = true, inbound, outbound, ...others } = parse(value);
  const isObject = Object.keys(others).length === 0;
  if (isObject && forms.includes('object'))
    answers.push(await at.call('PUT', `${path}/policy`, { body: { enabled, inbound, outbound } }));
  return answers.flatMap(({ status, text }) => (status === 200 ? [] : [text]));
}

/** Where the examples of lint rules can be published. */
const KINDS: Readonly<Record<string, string>> = {
  'https-route': 'https-route',
  'http-endpoint': 'https-route',
  'tls-edge': 'tls-edge',
  'tcp-edge': 'tcp-edge',
};

interface Unwise {
  /** The lint rule that objects. */
  readonly code: string;
  readonly kind: string;
  readonly policy: string;
}

const REFUSED = new Set(REFUSALS.flatMap(({ codes }) => codes));

/** The bad example of each lint rule that is an opinion and can be published. */
const UNWISE: readonly Unwise[] = LINT_RULES.filter(({ id }) => !REFUSED.has(id)).flatMap(({ id, bad }) => {
  const profile = PROFILES.find(({ name }) => name === (bad.profile ?? 'edge-v2'))!;
  // HTTPS edges do not have this phase, which is a documented refusal.
  const kind = bad.policy.includes('on_tcp_connect') ? 'tls-edge' : KINDS[bad.endpoint ?? profile.endpoints[0]!];
  if (kind === undefined || bad.tests !== undefined || bad.isEdge) return [];
  return [{ code: id, kind, policy: unmark(bad.policy).text }];
});

/** Opinions that are errors of the command line. */
const STRICT = ['url/double-question-mark', 'tls/version-unknown', 'logic/unreachable-rule', 'logic/never-matches'];
const deny = [{ type: 'deny' }];

describe('a published example', () => {
  const examples = readdirSync(FIXTURES).filter(file => (file.split('.')[1] ?? '') in EDGES);

  it.each(examples)('is accepted by the endpoints that it is for, in each form: %s', async file => {
    const text = readFileSync(join(FIXTURES, file), 'utf8');
    expect(await publish(file.split('.')[1]!, text)).toEqual([]);
  });
});

describe('a policy that looks unwise', () => {
  it('is one for most lint rules', () => {
    expect(UNWISE.length).toBeGreaterThan(100);
  });

  it.each(UNWISE)('is accepted: $code', async ({ kind, policy }) => {
    expect(await publish(kind, policy, server, inject('isDeep') ? BOTH : ['text'])).toEqual([]);
  });

  it.each(UNWISE.filter(({ code }) => STRICT.includes(code)))(
    'has the severity that the setting says: $code',
    async ({ kind, policy, code }) => {
      const dryRun = async (at: TestServer) => {
        const path = `/_tollgate/validate${await endpoint(at, kind)}/traffic_policy`;
        return (await at.call('PUT', path, { body: { value: policy } })).text;
      };
      expect(await dryRun(server)).toContain(code);
      expect(await publish(kind, policy, lax)).toEqual([]);
      expect(await dryRun(lax)).not.toContain(code);
      const refusals = await publish(kind, policy, strict);
      expect(refusals.map(text => String(text).includes(code))).toEqual(refusals.map(() => true));
      expect(refusals).not.toEqual([]);
    },
  );
});

describe('a policy of a TLS or TCP edge', () => {
  const LATER = ['conn.tls.version', 'conn.tls.sni', 'conn.tls.client.subject.common_name', 'conn.client_ip'];
  const FIRST = ['conn.TLS.Version', 'conn.TLS.SNI', 'conn.TLS.CertCN', 'conn.ClientIP'];
  const policyIn = (phase: string, name: string) =>
    JSON.stringify({ [phase]: [{ expressions: [`${name} != 'x'`], actions: deny }] });
  const cases = ['tls-edge', 'tcp-edge'].flatMap(kind => [
    ...LATER.map(name => [kind, 'on_tcp_connect', name]),
    ...LATER.map(name => [kind, 'inbound', name]),
    ...FIRST.map(name => [kind, 'inbound', name]),
  ]);

  it.each(cases)('may test variables of the connection: %s, %s, %s', async (kind, phase, name) => {
    expect(await publish(kind!, policyIn(phase!, name!))).toEqual([]);
  });

  it.each(['conn.tls.nothing', 'conn.nothing', 'req.method', 'nothing'])('may not test `%s`', async name => {
    for (const kind of ['tls-edge', 'tcp-edge']) {
      const [refusal] = await publish(kind, policyIn('on_tcp_connect', name));
      expect(JSON.parse(String(refusal))).toMatchObject({ error_code: 'ERR_EDGE_2200' });
    }
  });
});

it('a policy that mixes both spellings of names is refused in the detected one', async () => {
  const rules = ["req.Method == 'GET'", "req.URL == '/'", "req.method == 'GET'"];
  const policy = { inbound: [{ expressions: rules, actions: deny }] };
  for (const refusal of await publish('https-route', JSON.stringify(policy)))
    expect(JSON.parse(String(refusal))).toMatchObject({
      error_code: 'ERR_EDGE_2200',
      msg: expect.stringContaining('`req` has no field `method`'),
    });
});
