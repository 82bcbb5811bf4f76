import { EDGE_V2 } from '@tollgate/catalog';
import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText } from '@tollgate/lint';
import { analyzePolicy, applyEdits, createPhaseEnvironments, type Policy, type Rule } from '@tollgate/policy';
import { createSimulation, type Decision, type Simulation } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** A share of the cases that conditions are tried with: 20,000 in continuous integration, a million by hand. */
const CASES = Math.ceil(Number(process.env.TOLLGATE_REFUTATION_CASES ?? 20_000) / 80);

const SEED = Number(process.env.TOLLGATE_REFUTATION_SEED ?? 20_261_121);

const TIMEOUT = 20_000 + CASES * 200;

const TARGET = { profile: EDGE_V2, endpoint: 'https-route' } as const;
const ENVIRONMENTS = createPhaseEnvironments(EDGE_V2, TARGET.endpoint);
const LINTER = createLinter(LINT_RULES.filter(rule => rule.id.startsWith('logic/')).map(rule => activate(rule)));

const CONDITIONS = [
  ...["req.Method == 'A'", "req.Method != 'A'", "req.Method in ['A', 'B']", "req.Method == 'B'", "req.Method < 'B'"],
  ...["req.Path == '/a'", "req.Path.startsWith('/a')", "req.Path.startsWith('/b')", "!(req.Path.endsWith('b'))"],
  ...["req.Headers['X'][0] == '1'", "req.Headers['X'][0] != '1'", "'X' in req.Headers", "!hasReqHeader('X')"],
  ...[
    "inCidrRange(conn.ClientIP, '10.0.0.0/8')",
    "inCidrRange(conn.ClientIP, '10.1.0.0/16')",
    "conn.ClientIP == '::1'",
  ],
  ...["req.URL.contains('/a')", "'q' in req.Params", "req.Host == 'e.co'", "req.Method == 'A' == true"],
  ...[
    "!(req.Headers['X'][0] != '1')",
    "req.Method == 'A' || req.Method == 'B'",
    "req.Path != '/a' && req.Path != '/b'",
  ],
];

const OUTBOUND_CONDITIONS = [
  ...CONDITIONS,
  ...['res.StatusCode >= 400', 'res.StatusCode < 400', "res.StatusCode == '404'", 'res.StatusCode in [200, 404]'],
  ...["res.StatusCode.startsWith('4')", "'X' in res.Headers", "res.Headers['X'][0] == '1'"],
];

const INBOUND_ACTIONS = [
  ...[{ type: 'deny' }, { type: 'deny', config: { status_code: 403 } }, { type: 'deny', config: { status_code: 403 } }],
  { type: 'custom-response', config: { status_code: 503 } },
  { type: 'log', config: { metadata: { a: '1' } } },
  { type: 'url-rewrite', config: { from: '/a', to: '/b' } },
  { type: 'url-rewrite', config: { from: '/b', to: '/a' } },
  { type: 'redirect', config: { from: '/a', to: '/b' } },
  { type: 'add-headers', config: { headers: { X: '1' } } },
  { type: 'remove-headers', config: { headers: ['X'] } },
  { type: 'restrict-ips', config: { allow: ['10.0.0.0/8'] } },
];

const OUTBOUND_ACTIONS = [
  { type: 'custom-response', config: { status_code: 500 } },
  { type: 'custom-response', config: { status_code: 501 } },
  { type: 'add-headers', config: { headers: { X: '1' } } },
  { type: 'remove-headers', config: { headers: ['X'] } },
  { type: 'compress-response' },
];

function rules(conditions: readonly string[], actions: readonly object[]) {
  const atom = fc.constantFrom(...conditions);
  const pair = fc
    .tuple(atom, fc.constantFrom('&&', '||'), atom)
    .map(([a, operator, b]) => (operator === '&&' ? `(${a}) && (${b})` : `(${a}) || (${b})`));
  const some = fc.array(fc.oneof({ arbitrary: atom, weight: 3 }, pair), { minLength: 1, maxLength: 2 });
  // A rule without conditions leaves the rest of its phase nothing to be found in.
  const rule = fc.record({
    expressions: fc.oneof({ arbitrary: some, weight: 15 }, fc.constant([])),
    actions: fc.tuple(fc.constantFrom(...actions)),
  });
  return fc.array(rule, { minLength: 2, maxLength: 6 });
}

const POLICY = fc.record({
  inbound: rules(CONDITIONS, INBOUND_ACTIONS),
  outbound: rules(OUTBOUND_CONDITIONS, OUTBOUND_ACTIONS),
});

function combinations(): readonly Exchange[] {
  const found: Exchange[] = [];
  for (const method of ['A', 'B', 'C'])
    for (const target of ['/', '/a', '/a?q=1', '/ab', '/b'])
      for (const header of [undefined, '1', '2'])
        for (const clientIp of ['10.1.2.3', '10.2.0.1', '::1'])
          for (const status of [200, 404]) found.push(exchangeOf({ method, target, header, clientIp, status }));
  return found;
}

interface Parts {
  readonly method: string;
  readonly target: string;
  readonly header: string | undefined;
  readonly clientIp: string;
  readonly status: number;
}

function exchangeOf({ method, target, header, clientIp, status }: Parts): Exchange {
  const fields = header === undefined ? [] : [{ name: 'X', value: header }];
  const facts = { absent: [], complete: true, withheld: [] };
  return {
    place: { file: 'a', number: 1, unit: 'entry' },
    time: 0,
    tls: { version: 'TLS 1.3', cipherSuite: undefined, serverName: 'e.co' },
    protocol: 'HTTP/1.1',
    ...{ method, target, clientIp, url: `https://e.co${target}` },
    requestHeaders: { ...facts, fields: [{ name: 'Host', value: 'e.co' }, ...fields] },
    response: { status, bodySize: 0, headers: { ...facts, fields } },
  };
}

const EXCHANGES = combinations();

function simulate(text: string): { readonly policy: Policy; readonly simulation: Simulation } {
  const analysis = analyzePolicy(new SourceText('policy.yaml', text), { ...TARGET, environments: ENVIRONMENTS });
  expect(analysis.diagnostics.filter(one => one.severity === 'error')).toEqual([]);
  const policy = analysis.policy!;
  return { policy, simulation: createSimulation(policy, { profile: EDGE_V2, environments: ENVIRONMENTS }) };
}

/** Lint rules that claim that the rule that they mark never runs its actions. */
const NEVER = new Set([
  ...['logic/unreachable-rule', 'logic/shadowed-different-action', 'logic/contradiction-across-list'],
]);

/** The rules that a finding says never run, by their position among all. */
function neverRunning(finding: Diagnostic, all: readonly Rule[]): readonly number[] {
  const at = all.findIndex(({ range }) => range.start <= finding.range.start && finding.range.end <= range.end);
  const isNever = finding.message.includes('the rule never matches') || finding.message.includes('and never runs');
  if (NEVER.has(finding.code) || isNever) return [at];
  if (finding.code !== 'logic/catch-all-not-last') return [];
  return all.flatMap((rule, index) => (rule.phase === all[at]!.phase && rule.index > all[at]!.index ? [index] : []));
}

/** The text with a fix that claims to change no decision. */
function harmlesslyFixed(text: string, { code, fixes }: Diagnostic): string | undefined {
  const isHarmless = ['logic/redundant-rule', 'logic/mergeable-rules', 'logic/unreachable-rule'].includes(code);
  const fix = fixes?.find(one => one.applicability === 'safe' || (isHarmless && one.applicability === 'unsafe'));
  return fix && applyEdits(text, fix.edits);
}

function outcomesOf({ outcomes }: Decision): string {
  return outcomes.map(({ kind, status, action }) => `${kind} ${status} ${action}`).join();
}

/** What a rewritten request is answered is not known: of what hangs on that, nothing can be said. */
function contradict(after: Decision, before: Decision): boolean {
  const isDetermined = after.outcomes.length === 1 && before.outcomes.length === 1;
  return isDetermined && outcomesOf(after) !== outcomesOf(before);
}

/** Tries what is claimed of a policy; gives how much of what that was. */
function checkPolicy(document: object): readonly string[] {
  const text = JSON.stringify(document, undefined, 1);
  const { policy, simulation } = simulate(text);
  const { diagnostics } = lintText(
    new SourceText('policy.yaml', text),
    { ...TARGET, environments: ENVIRONMENTS },
    LINTER,
  );
  const decisions = EXCHANGES.map(exchange => simulation.decide(exchange));
  const all = EDGE_V2.phases.flatMap(phase => policy.rules[phase]);
  const claims: string[] = [];
  for (const finding of diagnostics) {
    for (const index of neverRunning(finding, all)) {
      claims.push(finding.code);
      const refuted = decisions.findIndex(({ rules }) => rules[index]!.status === 'matched');
      expect({ text, finding, refuted: EXCHANGES[refuted] }).toEqual({ text, finding, refuted: undefined });
    }
    const fixed = harmlesslyFixed(text, finding);
    if (fixed === undefined) continue;
    claims.push(`fix of ${finding.code}`);
    const { simulation: after } = simulate(fixed);
    const changed = EXCHANGES.find((one, at) => contradict(after.decide(one), decisions[at]!));
    expect({ text, fixed, changed }).toEqual({ text, fixed, changed: undefined });
  }
  return claims;
}

/** What was counted when this was written. */
const LEAST: Readonly<Record<string, number>> = {
  'fix of logic/bool-comparison': 106,
  'fix of logic/double-negation': 105,
  'fix of logic/duplicate-operand': 25,
  'fix of logic/mergeable-rules': 15,
  'fix of logic/prefer-in': 197,
  'fix of logic/redundant-rule': 3,
  'fix of logic/unreachable-rule': 20,
  'logic/catch-all-not-last': 56,
  'logic/contradiction-across-list': 36,
  'logic/duplicate-rule': 2,
  'logic/never-matches': 11,
  'logic/shadowed-different-action': 7,
  'logic/unreachable-rule': 20,
};

describe('what lint rules claim of policies', () => {
  it(
    'is refuted by no exchange, and what they mend decides as before',
    () => {
      fc.assert(
        fc.property(POLICY, document => {
          checkPolicy(document);
        }),
        { numRuns: CASES, seed: SEED },
      );
    },
    TIMEOUT,
  );

  it('is something: of the same two hundred policies each time, at least this much', () => {
    const counts: Record<string, number> = {};
    for (const document of fc.sample(POLICY, { numRuns: 200, seed: 1 })) {
      for (const claim of checkPolicy(document)) counts[claim] = (counts[claim] ?? 0) + 1;
    }
    for (const [claim, least] of Object.entries(LEAST)) {
      expect(counts[claim] ?? 0, claim).toBeGreaterThanOrEqual(least);
    }
  });
});
