import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type EndpointKind, MODERN, PROFILES, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { ANY_HOST, DECIDED_WITH_BODIES, decisionLog, Enforcer, hostProviding, refusalsOf } from '@tollgate/enforce';
import { analyzePolicy, createPhaseEnvironments, detectProfile, findPolicies, type Policy } from '@tollgate/policy';
import { codeFences } from '@tollgate/policy/markdown';
import { createSimulation, LIVE_EFFECTS } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { POLICY_TEMPLATES } from '../../packages/cli/src/init/policy-templates.ts';
import type { Json } from '../schemas/generated-policy.ts';
import { enforcedPolicies } from '../servers/enforced-traffic.ts';
import { runs, seed } from '../support/runs.ts';
import { compiledPolicy, exportsOf, type ModuleContext } from './compiled-module.ts';
import { caseContext } from './decision-cases.ts';
import { DECIDED_EXCHANGES, decidingPolicies } from './generated-decisions.ts';
import { MASK, masked, WHOLE } from './generated-exchange.ts';
import { meaningfulPolicies } from './generated-rules.ts';
import { THIRTY } from './thirty-rules.ts';

// A policy as a module decides exactly as the simulator does: what the upstream receives, what the client receives, and what is logged.

/** Random policies of each profile, and exchanges for each policy. 1,000,000 exchanges: `TOLLGATE_MODULE_POLICIES=1500 TOLLGATE_MODULE_EXCHANGES=200`. */
const [POLICIES, EXCHANGES] = [runs(6, 100, 'TOLLGATE_MODULE_POLICIES'), runs(20, 50, 'TOLLGATE_MODULE_EXCHANGES')];
const SEED = seed(20_261_129, 'TOLLGATE_MODULE_SEED');

/** The actions of modules, if the program around them knows internal endpoints. */
const CARRIED_OUT: ReadonlySet<string> = new Set([...DECIDED_WITH_BODIES, 'forward-internal']);

const ROOT = join(import.meta.dirname, '../..');

const EXCHANGE: fc.Arbitrary<Exchange> = fc.oneof(
  WHOLE,
  fc.tuple(WHOLE, MASK).map(([whole, mask]) => masked(whole, mask)),
  DECIDED_EXCHANGES,
);

interface Tally {
  exchanges: number;
  compiled: number;
  readonly refused: Map<string, number>;
}

const newTally = (): Tally => ({ exchanges: 0, compiled: 0, refused: new Map() });

function decidedBy(enforcer: Enforcer, records: unknown[], exchange: Exchange): unknown {
  const before = records.length;
  const live = enforcer.begin({ ...exchange, response: undefined });
  const { request } = live;
  const response = exchange.response ?? {
    status: 200,
    headers: { fields: [], absent: [], complete: true, withheld: [] },
    bodySize: 0,
  };
  const sent = request.kind === 'forward' ? live.respond(response) : undefined;
  return shown({ request, sent, records: records.slice(before) });
}

/** Classes of a module are its own, so values are compared by what they say. */
function shown(value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) return [...value].map(shown);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(one)]));
}

function compare(policy: Policy, context: ModuleContext, exchanges: readonly Exchange[], tally: Tally): void {
  const compiled = compiledPolicy(policy, context);
  if ('uncompiled' in compiled) {
    for (const { message } of compiled.uncompiled) tally.refused.set(message, (tally.refused.get(message) ?? 0) + 1);
    return;
  }
  tally.compiled++;
  const [simulated, ahead]: unknown[][] = [[], []];
  const { start } = createSimulation(policy, { ...context, seed: 7, effects: LIVE_EFFECTS }).begin();
  const reference = new Enforcer(start, decisionLog(policy, context), { onDecision: one => void simulated!.push(one) });
  const { createEnforcer } = exportsOf(compiled.code);
  const enforcer = createEnforcer({ seed: 7, onDecision: one => void ahead!.push(one) });
  for (const exchange of exchanges) {
    const expected = decidedBy(reference, simulated!, exchange);
    const found = decidedBy(enforcer, ahead!, exchange);
    if (JSON.stringify(found) !== JSON.stringify(expected))
      expect({ found, exchange, policy: policy.node }).toEqual({ found: expected, exchange, policy: policy.node });
    tally.exchanges++;
  }
}

/** Returns a policy without the rules with other actions than modules carry out. */
function carriedOut(document: Json): object {
  const phases = Object.entries(
    document as Readonly<Record<string, readonly { readonly actions: readonly { readonly type: string }[] }[]>>,
  );
  return Object.fromEntries(
    phases.map(([phase, rules]) => [
      phase,
      rules.filter(({ actions }) => actions.every(({ type }) => CARRIED_OUT.has(type))),
    ]),
  );
}

const sampleOf = (at: number) => fc.sample(EXCHANGE, { seed: SEED + at, numRuns: EXCHANGES });

describe.each(PROFILES)('a module of a random policy of the profile $name', profile => {
  it.each(profile.endpoints)('decides like the simulator: %s', endpoint => {
    const environments = createPhaseEnvironments(profile, endpoint);
    const context = { profile, environments };
    const generated = meaningfulPolicies(profile, endpoint);
    const own = caseContext(profile);
    const documents =
      endpoint === own.endpoint ? fc.oneof(generated, enforcedPolicies(profile), decidingPolicies(own)) : generated;
    const tally = newTally();
    for (const [at, document] of fc.sample(documents, { seed: SEED, numRuns: POLICIES }).entries()) {
      const source = new SourceText('p.json', JSON.stringify(carriedOut(document)));
      const { policy, diagnostics } = analyzePolicy(source, { profile, endpoint, environments });
      if (policy === undefined || diagnostics.some(({ severity }) => severity === 'error')) continue;
      compare(policy, context, sampleOf(at), tally);
    }
    if (process.env.TOLLGATE_MODULE_POLICIES !== undefined) console.log(profile.name, endpoint, tally);
    expect([...tally.refused]).toEqual([]);
    expect(tally.compiled).toBeGreaterThan(POLICIES / 3);
  });
});

interface Published {
  readonly name: string;
  readonly text: string;
  readonly profile?: Profile;
  readonly endpoint?: EndpointKind;
}

const read = (name: string) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') });

const EXAMPLES: readonly Published[] = globSync('examples/policies/**/*.yaml', { cwd: ROOT }).map(name => {
  const folder = basename(dirname(name));
  return { ...read(name), endpoint: folder === 'policies' ? 'https-route' : (folder as EndpointKind) };
});

const TEMPLATES: readonly Published[] = POLICY_TEMPLATES.map(({ name, policy, endpoint }) => ({
  ...{ name, text: policy, profile: MODERN, endpoint },
}));

const FIXTURES: readonly Published[] = readdirSync(join(ROOT, 'test/dialects/fixtures')).map(name => {
  const [profile, endpoint] = name.split('.');
  const known = PROFILES.find(one => one.name === profile)!;
  return { ...read(join('test/dialects/fixtures', name)), profile: known, endpoint: endpoint as EndpointKind };
});

/** Policies in the files of a folder: `TOLLGATE_MODULE_CLONES=FOLDER` has clones of repositories with published ones. */
function policiesIn(folder: string): readonly Published[] {
  const names = globSync('**/*.{md,mdx,yaml,yml,json,tf}', { cwd: folder, exclude: ['**/node_modules/**'] });
  return names.flatMap(name => {
    const path = join(folder, name);
    if (!statSync(path).isFile()) return [];
    const found = findPolicies(new SourceText(name, readFileSync(path, 'utf8')), { fences: codeFences });
    return found.map(({ source }, at) => ({ name: `${name}#${at}`, text: source.text }));
  });
}

function analysed({ name, text, profile = detectProfile(text).profile, endpoint = profile.endpoints[0]! }: Published) {
  const environments = createPhaseEnvironments(profile, endpoint);
  const { policy, diagnostics } = analyzePolicy(new SourceText(name, text), { profile, endpoint, environments });
  const isValid = diagnostics.every(({ severity }) => severity !== 'error');
  return isValid && policy !== undefined ? { policy, context: { profile, environments } } : undefined;
}

/** Actions that are handed to nobody else, although a module could not do them alone. */
function actionsOf({ rules }: Policy): readonly string[] {
  return Object.values(rules).flatMap(phase => phase.flatMap(({ actions }) => actions.map(({ type }) => type.value)));
}

describe('published policies', () => {
  it.each([...EXAMPLES, ...TEMPLATES])('compile, and decide like the simulator: $name', one => {
    const tally = newTally();
    const { policy, context } = analysed(one)!;
    for (let at = 0; at < 5; at++) compare(policy, context, sampleOf(at), tally);
    expect(tally).toEqual({ exchanges: 5 * EXCHANGES, compiled: 5, refused: new Map() });
  });

  it.each(TEMPLATES)('ask nothing of a server in vain: $name', one => {
    const { policy, context } = analysed(one)!;
    const host = { ...hostProviding(ANY_HOST, ['forward-internal']), knowsSecrets: true };
    expect(refusalsOf(policy, context, host)).toEqual([]);
  });

  const others = [
    ...FIXTURES,
    ...policiesIn(process.env.TOLLGATE_MODULE_CLONES ?? join(ROOT, 'test/dialects/published')),
  ];

  it('compile if their actions can be carried out, and decide like the simulator', () => {
    const tally = newTally();
    let possible = 0;
    for (const [at, one] of others.entries()) {
      const found = analysed(one);
      if (found === undefined || actionsOf(found.policy).some(type => !CARRIED_OUT.has(type))) continue;
      possible++;
      compare(found.policy, found.context, sampleOf(at), tally);
    }
    if (process.env.TOLLGATE_MODULE_CLONES !== undefined) console.log({ policies: others.length, possible }, tally);
    expect(tally.compiled).toBeGreaterThanOrEqual(possible * 0.95);
  });
});

/** The bound on the size of modules, compressed, in bytes. */
const [FEW_RULES, THIRTY_RULES] = [16 * 1024, 22 * 1024];

describe('the module of a policy', () => {
  const codeOf = (document: object) => {
    const context = { profile: MODERN, environments: createPhaseEnvironments(MODERN, 'http-endpoint') };
    const source = new SourceText('p.json', JSON.stringify(document));
    const { policy } = analyzePolicy(source, { ...context, endpoint: 'http-endpoint' });
    const compiled = compiledPolicy(policy!, context);
    return 'code' in compiled ? compiled.code : '';
  };
  const few = {
    on_http_request: [
      {
        expressions: ["req.url.path.startsWith('/admin')", "!inCidrRange(conn.client_ip, '10.0.0.0/8')"],
        actions: [{ type: 'deny', config: { status_code: 403 } }],
      },
      { expressions: ["req.method == 'TRACE'"], actions: [{ type: 'deny' }] },
    ],
    on_http_response: [{ actions: [{ type: 'add-headers', config: { headers: { 'x-frame-options': 'DENY' } } }] }],
  };

  it('is small', () => {
    const [small, large] = [codeOf(few), codeOf(THIRTY)];
    const sizes = [small, large].map(code => gzipSync(code, { level: 9 }).length);
    expect(sizes[0]).toBeLessThan(FEW_RULES);
    expect(sizes[1]).toBeLessThan(THIRTY_RULES);
    expect(sizes[0]).toBeGreaterThan(8000);
  });

  it.each([
    ['few rules', few],
    ['thirty rules', THIRTY],
  ])('of %s imports nothing and generates no code', (_, document) => {
    expect(codeOf(document)).not.toMatch(/\bimport[ (]|\brequire\(|\beval\(|new Function|\bprocess\.|\bBuffer\b/);
  });

  it('has the engine of RE2 only for patterns that need it', () => {
    const matching = (pattern: string) =>
      codeOf({
        on_http_request: [{ expressions: [`req.url.path.matches('${pattern}')`], actions: [{ type: 'deny' }] }],
      });
    expect(matching('^/[a-z]+/x$').length).toBeLessThan(60_000);
    expect(matching('a.*b.*c').length).toBeGreaterThan(150_000);
  });
});
