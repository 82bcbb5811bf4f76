import { EDGE_V2, MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments, migratePolicy, type Policy } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import { compareAcross } from '@tollgate/solver';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXCHANGES } from '../lint/whole-exchanges.ts';
import { runs, seed } from '../support/runs.ts';
import { CONTEXT, EDITED_RULES, policyOf, type RuleDocument } from './random-policies.ts';

// Compares random policies with edited ones that were migrated to another profile. What is proved to be the same is attacked with exchanges.

const CASES = runs(3, 1000, 'TOLLGATE_ACROSS_CASES');
const SEED = seed(20_261_127, 'TOLLGATE_ACROSS_SEED');
const ATTACKS = 200;

const LATER = {
  profile: MODERN,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(MODERN, 'https-route'),
} as const;

function later(text: string): Policy {
  const { policy, diagnostics } = analyzePolicy(new SourceText('policy.json', text), LATER);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return policy!;
}

/** Returns the policy in the later profile; undefined if something is lost. */
function migrated(rules: readonly RuleDocument[]): Policy | undefined {
  const source = new SourceText('policy.json', JSON.stringify({ inbound: rules }));
  const { text, diagnostics } = migratePolicy(source, { from: EDGE_V2, to: MODERN, endpoint: 'https-route' });
  return text === undefined || diagnostics.length > 0 ? undefined : later(text);
}

/** The default status is another one in the later profile. */
function withStatus(rules: readonly RuleDocument[]): readonly RuleDocument[] {
  const actions = (rule: RuleDocument) =>
    rule.actions.map(action => (action.type === 'deny' ? { ...DEFAULT_DENY, ...action } : action));
  return rules.map(rule => ({ ...rule, actions: actions(rule) }));
}

const DEFAULT_DENY = { config: { status_code: 404 } };

function verdictOf(rules: readonly RuleDocument[], text: string) {
  return compareAcross({ policy: policyOf(rules), context: CONTEXT }, { policy: later(text), context: LATER });
}

function ruleOf(condition: string, actions: RuleDocument['actions']): RuleDocument {
  return { expressions: [condition], actions };
}

/** What `migrate` reports about a policy, and what `diff` says about it and the result. */
function compareMigrated(document: Readonly<Record<'inbound' | 'outbound', readonly RuleDocument[]>>) {
  const source = new SourceText('policy.json', JSON.stringify(document));
  const { text, diagnostics } = migratePolicy(source, { from: EDGE_V2, to: MODERN, endpoint: 'https-route' });
  const { policy } = analyzePolicy(source, CONTEXT);
  const found = compareAcross({ policy: policy!, context: CONTEXT }, { policy: later(text!), context: LATER })!;
  const [migration, reasons] = [diagnostics.map(({ code }) => code), found.open.map(({ reason }) => reason)];
  return { migration, verdict: found.verdict, reasons };
}

function withResponseRules(actions: RuleDocument['actions']) {
  const outbound = [{ expressions: [], actions: [{ type: 'add-headers', config: { headers: { X: '1' } } }] }];
  return compareMigrated({ inbound: [ruleOf('req.Path == "/a"', actions)], outbound });
}

const DENY = [{ type: 'deny', config: { status_code: 403 } }];

describe(`policies of two profiles (seed ${SEED})`, () => {
  it('are the same only where no exchange tells them apart', () => {
    const counts = { same: 0, different: 0, unknown: 0 };
    fc.assert(
      fc.property(EDITED_RULES, fc.boolean(), fc.nat(EXCHANGES.length - 1), (generated, isEdited, at) => {
        const [old, edited] = generated.map(withStatus);
        const [before, after] = [policyOf(old!), migrated((isEdited ? edited : old)!)];
        if (after === undefined) return;
        const found = compareAcross({ policy: before, context: CONTEXT }, { policy: after, context: LATER })!;
        counts[found.verdict]++;
        const [one, other] = [createSimulation(before, CONTEXT), createSimulation(after, LATER)];
        const attacks = Array.from({ length: ATTACKS }, (_, index) => EXCHANGES[(at + index * 61) % EXCHANGES.length]!);
        const isTold = attacks.find(exchange => {
          const [was, is] = [one, other].map(simulation => simulation.decide(exchange).outcomes);
          return (
            JSON.stringify(was!.map(({ kind, status }) => [kind, status])) !==
            JSON.stringify(is!.map(({ kind, status }) => [kind, status]))
          );
        });
        if (found.verdict === 'same' && isTold !== undefined)
          expect({ old, edited, isEdited, isTold }).toBe('told apart by nothing');
      }),
      { numRuns: CASES, seed: SEED },
    );
    expect(counts.same).toBeGreaterThan(0);
    expect(counts.different).toBeGreaterThan(0);
  });

  it.each([
    ['req.Path.startsWith("/a")', 'req.url.path.startsWith("/a")'],
    ['inCidrRange(conn.ClientIP, "10.0.0.0/8")', 'inCidrRange(conn.client_ip, "10.0.0.0/8")'],
    ['req.Headers["X-A"][0] == "1"', 'req.headers["x-a"][0] == "1"'],
    ['"X-A" in req.Headers', 'hasReqHeader("X-A")'],
    ['"x-a" in req.Headers', 'false'],
    ['req.ContentLength > 5', 'has(req.content_length) && req.content_length > 5'],
    ['req.ContentLength == -1', '!has(req.content_length)'],
    ['req.Params["q"][0] == req.Host', 'req.url.query_params["q"][0] == req.host'],
    ['req.ClientTLS.SNI != req.Host', '!(conn.tls.sni == req.host)'],
    ['conn.Geo.CountryCode in ["DE", "FR"]', 'conn.geo.country_code == "DE" || conn.geo.country_code == "FR"'],
  ])('are the same with %s and %s', (condition, other) => {
    const text = JSON.stringify({ on_http_request: [{ expressions: [other], actions: DENY }] });
    expect(verdictOf([{ expressions: [condition], actions: DENY }], text)).toMatchObject({ verdict: 'same', open: [] });
  });

  it('differ with a request that shows it', () => {
    const text = JSON.stringify({ on_http_request: [{ expressions: ['req.url.path == "/ab"'], actions: DENY }] });
    const found = verdictOf([{ expressions: ['req.Path == "/a"'], actions: DENY }], text);
    expect(found).toMatchObject({ verdict: 'different' });
    expect(found!.differences.map(({ exchange }) => exchange.target).toSorted()).toEqual(['/a', '/ab']);
  });

  it('stay open where the profiles treat responses of the policy in different ways', () => {
    const answer = [{ type: 'custom-response', config: { status_code: 200 } }];
    expect(withResponseRules(answer)).toMatchObject({ migration: ['migrate/response-phase'], verdict: 'unknown' });
  });

  it('are the same where a request is denied, after which no profile runs rules for responses', () => {
    expect(withResponseRules(DENY)).toEqual({ migration: [], verdict: 'same', reasons: [] });
  });

  it('are open about responses of the policy where the migration reports them', () => {
    const condition = fc.constantFrom('req.Path == "/a"', 'req.Method == "POST"', 'true');
    const status = { config: { status_code: 403 } };
    const action: fc.Arbitrary<RuleDocument['actions'][number]> = fc.constantFrom(
      { type: 'deny', ...status },
      { type: 'custom-response', ...status },
      { type: 'log' },
      { type: 'redirect', config: { from: '/a', to: '/b', status_code: 302 } },
      { type: 'add-headers', config: { headers: { X: '1' } } },
    );
    const rule = (actions: typeof action) => fc.tuple(condition, actions).map(([one, other]) => ruleOf(one, [other]));
    const list = (actions: typeof action) => fc.array(rule(actions), { maxLength: 3 });
    const outbound: typeof action = fc.constant({ type: 'add-headers', config: { headers: { Y: '1' } } });
    fc.assert(
      fc.property(list(action), list(outbound), (inbound, rest) => {
        const { migration, reasons } = compareMigrated({ inbound, outbound: rest });
        const isOpen = reasons.some(reason => reason.startsWith('response rules run on responses'));
        expect({ inbound, rest, isOpen }).toEqual({
          inbound,
          rest,
          isOpen: migration.includes('migrate/response-phase'),
        });
      }),
      { numRuns: runs(8, 1000), seed: SEED },
    );
  });

  it('are not compared where nothing is known about what they share', () => {
    const policy = policyOf([]);
    const tls = { ...CONTEXT, endpoint: 'tls-edge' } as const;
    expect(compareAcross({ policy, context: tls }, { policy, context: LATER })).toBeUndefined();
  });
});
