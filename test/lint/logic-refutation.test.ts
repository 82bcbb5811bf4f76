import { EDGE_V2, type EndpointKind, MODERN, type Phase, type Profile } from '@tollgate/catalog';
import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText } from '@tollgate/lint';
import { analyzePolicy, applyEdits, createPhaseEnvironments, type Policy, type Rule } from '@tollgate/policy';
import { createSimulation, type Decision, type Simulation } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { exchangeShown } from './shown-exchange.ts';
import {
  CONDITIONS,
  EXCHANGES,
  MODERN_CONDITIONS,
  MODERN_RESPONSE_CONDITIONS,
  OUTBOUND_CONDITIONS,
} from './whole-exchanges.ts';

// Lints whole policies and checks every claim about traffic on whole exchanges, which the simulator decides: what is claimed impossible must
// not happen on any, and what is claimed possible must happen on the one that the message shows.

/** Number of cases in each profile; 50,000 with `TOLLGATE_REFUTATION_CASES=50000`. */
const CASES = runs(10, 400, 'TOLLGATE_REFUTATION_CASES');

/** Fixed unless `TOLLGATE_REFUTATION_SEED` is set. */
const SEED = seed(20_261_121, 'TOLLGATE_REFUTATION_SEED');

/** What policies are written for, and what they are written with. */
interface Dialect {
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  readonly environments: ReturnType<typeof createPhaseEnvironments>;
  readonly request: Phase;
  readonly response: Phase;
  readonly requestConditions: readonly string[];
  /** These, and those about responses. */
  readonly responseConditions: readonly string[];
}

const DIALECTS: readonly Dialect[] = [
  {
    ...{ profile: EDGE_V2, endpoint: 'https-route', request: 'inbound', response: 'outbound' },
    environments: createPhaseEnvironments(EDGE_V2, 'https-route'),
    ...{ requestConditions: CONDITIONS, responseConditions: OUTBOUND_CONDITIONS },
  },
  {
    ...{ profile: MODERN, endpoint: 'http-endpoint', request: 'on_http_request', response: 'on_http_response' },
    environments: createPhaseEnvironments(MODERN, 'http-endpoint'),
    ...{ requestConditions: MODERN_CONDITIONS, responseConditions: MODERN_RESPONSE_CONDITIONS },
  },
];
const LINTER = createLinter(
  LINT_RULES.filter(rule => rule.id.startsWith('logic/')).map(rule =>
    activate(rule, rule.id === 'logic/non-terminating-policy' ? { required: true } : {}),
  ),
);

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

interface RuleDocument {
  readonly name?: string;
  readonly expressions: readonly string[];
  readonly actions: readonly { readonly type: string }[];
}

/** Actions that end the policy, which no other may follow. */
function isHarmlessFirst({ type }: { readonly type: string }): boolean {
  return ['log', 'add-headers', 'remove-headers', 'url-rewrite'].includes(type);
}

function isEnd({ type }: { readonly type: string }): boolean {
  return type === 'deny' || type === 'custom-response';
}

function rules(
  conditions: readonly string[],
  actions: readonly { type: string }[],
): fc.Arbitrary<readonly RuleDocument[]> {
  const atom = fc.constantFrom(...conditions);
  const pair = fc
    .tuple(atom, fc.constantFrom('&&', '||'), atom)
    .map(([a, operator, b]) => (operator === '&&' ? `(${a}) && (${b})` : `(${a}) || (${b})`));
  const some = fc.array(fc.oneof({ arbitrary: atom, weight: 3 }, pair), { minLength: 1, maxLength: 2 });
  const only = fc.tuple(fc.constantFrom(...actions));
  const two = fc.tuple(fc.constantFrom(...actions.filter(isHarmlessFirst)), fc.constantFrom(...actions));
  // A rule without conditions makes the rest of its phase unreachable.
  const rule = fc.record(
    {
      name: fc.constant('allow some'),
      expressions: fc.oneof({ arbitrary: some, weight: 15 }, fc.constant([])),
      actions: fc.oneof({ arbitrary: only, weight: 4 }, two),
    },
    { requiredKeys: ['expressions', 'actions'] },
  );
  return fc.array(rule, { minLength: 2, maxLength: 6 });
}

/** Cases with few conditions for each policy, so that they are related. */
function policiesOf(dialect: Dialect) {
  return fc
    .tuple(
      fc.uniqueArray(fc.constantFrom(...dialect.requestConditions), { minLength: 3, maxLength: 8 }),
      fc.uniqueArray(fc.constantFrom(...dialect.responseConditions), { minLength: 3, maxLength: 8 }),
    )
    .chain(([inbound, outbound]) =>
      fc.record({
        document: fc
          .tuple(rules(inbound, INBOUND_ACTIONS), rules(outbound, OUTBOUND_ACTIONS))
          .map(([own, other]): PolicyDocument => ({ [dialect.request]: own, [dialect.response]: other })),
        at: fc.nat(EXCHANGES.length - 1),
      }),
    );
}

type Case = ReturnType<typeof policiesOf> extends fc.Arbitrary<infer T> ? T : never;
type PolicyDocument = Partial<Record<Phase, readonly RuleDocument[]>>;

interface Simulated {
  readonly policy: Policy;
  readonly simulation: Simulation;
}

function simulate(text: string, dialect: Dialect): Simulated {
  const { profile, environments } = dialect;
  const analysis = analyzePolicy(new SourceText('policy.yaml', text), dialect);
  const errors = analysis.diagnostics.flatMap(one => (one.severity === 'error' ? [one.message] : []));
  expect({ text, errors }).toEqual({ text, errors: [] });
  const policy = analysis.policy!;
  return { policy, simulation: createSimulation(policy, { profile, environments }) };
}

/** Returns a rule for each condition, or undefined if one does not type-check. */
const LOG = { type: 'log', config: { metadata: { a: '1' } } };

function probing(phase: Phase, conditions: readonly string[]): PolicyDocument {
  return { [phase]: conditions.map(condition => ({ expressions: [condition], actions: [LOG] })) };
}

/** The exchanges on which each condition holds. */
const HOLDS: ReadonlyMap<Dialect, ReadonlyMap<string, readonly boolean[]>> = new Map(
  DIALECTS.map(dialect => {
    const ofResponses = dialect.responseConditions.slice(dialect.requestConditions.length);
    const all = [
      [dialect.request, dialect.requestConditions],
      [dialect.response, ofResponses],
    ] as const;
    const holds = all.flatMap(([phase, conditions]) => {
      const { simulation } = simulate(JSON.stringify(probing(phase, conditions)), dialect);
      const decisions = EXCHANGES.map(one => simulation.decide(one).rules);
      return conditions.map((one, at) => [one, decisions.map(found => found[at]!.status === 'matched')] as const);
    });
    return [dialect, new Map(holds)] as const;
  }),
);

const RANDOM = 24;
const GUIDED = 4;

/** Returns random exchanges and, if possible, some for each rule on which its conditions hold. */
function exchangesFor({ document, at }: Case, dialect: Dialect): readonly Exchange[] {
  const chosen = new Set<number>(Array.from({ length: RANDOM }, (_, index) => (at + index * 61) % EXCHANGES.length));
  for (const { expressions } of Object.values(document).flat()) {
    const source = expressions.join();
    const parts = [...HOLDS.get(dialect)!].flatMap(([one, holds]) => (source.includes(one) ? [holds] : []));
    let left = GUIDED;
    for (let index = 0; index < EXCHANGES.length && left > 0; index += 1) {
      const here = (at + index * 7) % EXCHANGES.length;
      const isGuided = left % 2 === 0 ? parts.every(holds => holds[here]) : parts.some(holds => holds[here]);
      if (isGuided) chosen.add(here);
      if (isGuided) left -= 1;
    }
  }
  return [...chosen].map(index => EXCHANGES[index]!);
}

/** Everything needed to check a finding. */
interface Trial {
  readonly dialect: Dialect;
  readonly text: string;
  readonly document: PolicyDocument;
  readonly finding: Diagnostic;
  readonly policy: Policy;
  readonly all: readonly Rule[];
  readonly simulation: Simulation;
  readonly exchanges: readonly Exchange[];
  readonly decisions: readonly Decision[];
}

/** Fails if an exchange refutes a finding. */
function refuteBy({ text, finding, exchanges }: Trial, isRefuted: (exchange: Exchange, at: number) => boolean): void {
  const refuted = exchanges.find(isRefuted);
  if (refuted === undefined) return;
  expect({ text, code: finding.code, message: finding.message, refuted }).toBe('refuted by nothing');
}

/** Lint rules which claim that the marked rule never runs its actions. */
const NEVER = new Set([
  ...['logic/unreachable-rule', 'logic/shadowed-different-action', 'logic/contradiction-across-list'],
]);

function ruleAt({ finding, all }: Trial): number {
  return all.findIndex(({ range }) => range.start <= finding.range.start && finding.range.end <= range.end);
}

/** Returns the positions of the rules that never run according to a finding. */
function neverRunning(trial: Trial): readonly number[] {
  const { finding, all } = trial;
  const at = ruleAt(trial);
  const isNever = finding.message.includes('the rule never matches') || finding.message.includes('and never runs');
  if (NEVER.has(finding.code) || isNever) return [at];
  if (finding.code !== 'logic/catch-all-not-last') return [];
  return all.flatMap((rule, index) => (rule.phase === all[at]!.phase && rule.index > all[at]!.index ? [index] : []));
}

type Status = Decision['rules'][number]['status'];

/** Returns the results that the marked part must not have, according to a finding. */
function impossibleEnds({ code, args }: Diagnostic): readonly Status[] {
  if (code === 'logic/always-true') return ['not-matched', 'failed'];
  if (code === 'logic/never-matches' || code === 'logic/impossible-range') return ['matched'];
  if (code === 'logic/negated-or') return ['not-matched'];
  if (code !== 'logic/constant-expression') return [];
  const ends = { 'is always true': 'matched', 'is always false': 'not-matched', 'always fails': 'failed' } as const;
  const end = ends[args.value as keyof typeof ends];
  return (['matched', 'not-matched', 'failed'] as const).filter(one => one !== end);
}

/** Returns the marked source; parentheses around it may be outside the range. */
function markedSource({ text, finding: { range } }: Trial): string {
  return JSON.parse(`"${text.slice(range.start, range.end)}"`) as string;
}

function checks(source: string, phase: Phase, dialect: Dialect): boolean {
  const text = JSON.stringify(probing(phase, [source]));
  const { diagnostics } = analyzePolicy(new SourceText('p.yaml', text), dialect);
  return diagnostics.every(one => one.severity !== 'error');
}

/** Evaluates the marked part alone. */
function checkPart(trial: Trial): boolean {
  const ends = impossibleEnds(trial.finding);
  if (ends.length === 0) return false;
  const { phase } = trial.all[ruleAt(trial)]!;
  const marked = markedSource(trial);
  const source = [marked, `(${marked})`, `(${marked}`, `${marked})`].find(one => checks(one, phase, trial.dialect));
  expect({ finding: trial.finding, source }).toEqual({ finding: trial.finding, source: expect.any(String) });
  const { simulation } = simulate(JSON.stringify(probing(phase, [source!])), trial.dialect);
  refuteBy(trial, exchange => ends.includes(simulation.decide(exchange).rules[0]!.status));
  return true;
}

const UNUSED: ReadonlySet<string> = new Set(['logic/partial-shadow', 'logic/case-mismatch']);

/** Checks that an unreachable alternative can be replaced by one that can never match. */
function checkUnused(trial: Trial): boolean {
  const { finding, text, decisions, exchanges } = trial;
  if (!UNUSED.has(finding.code)) return false;
  const marked = markedSource(trial);
  const isLiteral = /^(['"]).*\1$/.test(marked) && !marked.includes(' ');
  if (!isLiteral && finding.code !== 'logic/partial-shadow') return false;
  // Of the same type, so that comparisons with the rest of a list stay valid.
  const newText = isLiteral ? "'~never~'" : /^\d+$/.test(marked) ? '-7' : '(false)';
  const { simulation } = simulate(applyEdits(text, [{ range: finding.range, newText }]), trial.dialect);
  refuteBy(trial, (_, at) => matchedIn(simulation.decide(exchanges[at]!)) !== matchedIn(decisions[at]!));
  return true;
}

function matchedIn({ rules: all }: Decision): string {
  return all.flatMap(({ status }, index) => (status === 'matched' ? [index] : [])).join();
}

/** Fixes that claim to change no decision, from lint rules whose other fixes may. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['logic/redundant-rule', 'logic/mergeable-rules', 'logic/unreachable-rule', 'logic/always-true'],
  ...['logic/constant-expression', 'logic/no-effect-action'],
]);

/** Returns the policy after a fix that claims to change no decision. */
function harmlesslyFixed({ text, finding: { code, fixes, message } }: Trial): string | undefined {
  const isHarmless = HARMLESS.has(code) || (code === 'logic/duplicate-rule' && message.includes('never runs'));
  const fix = fixes?.find(one => one.applicability === 'safe' || isHarmless);
  return fix && applyEdits(text, fix.edits);
}

function outcomesOf({ outcomes }: Decision): string {
  return outcomes.map(({ kind, status, action }) => `${kind} ${status} ${action}`).join();
}

/** The response to a rewritten request is unknown, and so is everything that depends on it. */
function contradict(after: Decision, before: Decision): boolean {
  const isDetermined = after.outcomes.length === 1 && before.outcomes.length === 1;
  return isDetermined && outcomesOf(after) !== outcomesOf(before);
}

function checkFix(trial: Trial): boolean {
  const fixed = harmlesslyFixed(trial);
  if (fixed === undefined) return false;
  const { simulation } = simulate(fixed, trial.dialect);
  refuteBy(trial, (exchange, at) => contradict(simulation.decide(exchange), trial.decisions[at]!));
  return true;
}

/** Checks that the exchange shown in a message exists and does what the message says. */
function checkShown(trial: Trial): boolean {
  const { finding, document, dialect } = trial;
  const shown = /(?:no rule handles|both match) (.*)(?:; add|, with different)/.exec(finding.message)?.[1];
  if (shown === undefined) {
    expect(['logic/order-sensitive-pair', 'logic/non-terminating-policy']).not.toContain(finding.code);
    return false;
  }
  const exchange = exchangeShown(shown);
  if (finding.code === 'logic/non-terminating-policy') {
    // Response rules run after the upstream, which does not exist here.
    const own = JSON.stringify({ [dialect.request]: document[dialect.request] });
    const { outcomes } = simulate(own, dialect).simulation.decide(exchange);
    expect({ trial: trial.text, shown, ends: outcomes.map(one => one.action) }).toEqual({
      ...{ trial: trial.text, shown },
      ends: expect.arrayContaining([undefined]),
    });
    return true;
  }
  const { phase, index } = trial.all[ruleAt(trial)]!;
  const pair = [Number(finding.args.rule) - 1, index];
  // Earlier rules change headers and URLs, unless they end the evaluation.
  const changing = document[phase]!.slice(0, index).map(({ expressions, actions }) => ({
    expressions,
    actions: [LOG, ...(actions.some(isEnd) ? [] : actions.filter(isHarmlessFirst))],
  }));
  const probe = [...changing, { ...document[phase]![index]!, actions: [LOG] }];
  const { rules: all } = simulate(JSON.stringify({ [phase]: probe }), dialect).simulation.decide(exchange);
  const found = pair.map(at => all[at]!);
  expect({ text: trial.text, shown, found: found.map(one => one.status) }).toEqual({
    ...{ text: trial.text, shown },
    found: ['matched', 'matched'],
  });
  return true;
}

function checkAllowed(trial: Trial): boolean {
  if (trial.finding.code !== 'logic/allow-without-deny') return false;
  refuteBy(trial, (_, at) => trial.decisions[at]!.outcomes.some(({ action }) => action !== undefined));
  return true;
}

/** Checks the claims about a policy and returns the number of each kind. */
function checkPolicy(one: Case, dialect: Dialect): readonly string[] {
  const { document } = one;
  const text = JSON.stringify(document, undefined, 1);
  const { policy, simulation } = simulate(text, dialect);
  const source = new SourceText('policy.yaml', text);
  const { diagnostics } = lintText(source, dialect, LINTER);
  const exchanges = exchangesFor(one, dialect);
  const decisions = exchanges.map(exchange => simulation.decide(exchange));
  const all = dialect.profile.phases.flatMap(phase => policy.rules[phase]);
  return diagnostics.flatMap(finding => {
    const trial: Trial = { dialect, text, document, finding, policy, all, simulation, exchanges, decisions };
    const never = neverRunning(trial);
    for (const index of never) refuteBy(trial, (_, at) => decisions[at]!.rules[index]!.status === 'matched');
    const isTried = [checkPart, checkUnused, checkShown, checkAllowed].filter(check => check(trial)).length > 0;
    return [
      ...(never.length > 0 || isTried ? [finding.code] : []),
      ...(checkFix(trial) ? [`fix of ${finding.code}`] : []),
    ];
  });
}

/** Number of claims when this was written. */
const LEAST: Readonly<Record<string, number>> = {
  'fix of logic/bool-comparison': 33,
  'fix of logic/constant-expression': 10,
  'fix of logic/double-negation': 31,
  'fix of logic/duplicate-operand': 85,
  'fix of logic/mergeable-rules': 11,
  'fix of logic/no-effect-action': 16,
  'fix of logic/prefer-in': 50,
  'fix of logic/redundant-rule': 11,
  'fix of logic/unreachable-rule': 81,
  'logic/allow-without-deny': 18,
  'logic/catch-all-not-last': 23,
  'logic/constant-expression': 58,
  'logic/contradiction-across-list': 9,
  'logic/impossible-range': 23,
  'logic/negated-or': 43,
  'logic/never-matches': 3,
  'logic/non-terminating-policy': 45,
  'logic/order-sensitive-pair': 36,
  'logic/partial-shadow': 25,
  'logic/shadowed-different-action': 16,
  'logic/unreachable-rule': 81,
};

const [FIRST] = DIALECTS;

describe.each(DIALECTS.map(dialect => [dialect.profile.name, dialect] as const))(
  'claims of lint rules about policies of %s',
  (_, dialect) => {
    it('are refuted by no exchange, and safe fixes change no decision', () => {
      let [tried, claims] = [0, 0];
      fc.assert(
        fc.property(policiesOf(dialect), one => {
          claims += checkPolicy(one, dialect).length;
          tried += 1;
          if (tried % 1000 === 0) process.stderr.write(`${tried} policies\n`);
        }),
        { numRuns: CASES, seed: SEED },
      );
      expect(claims).toBeGreaterThan(2 * CASES);
    });

    it.runIf(inject('isDeep') && dialect === FIRST)('are at least this many in fixed policies', () => {
      const counts: Record<string, number> = {};
      for (const one of fc.sample(policiesOf(dialect), { numRuns: 160, seed: 1 })) {
        for (const claim of checkPolicy(one, dialect)) counts[claim] = (counts[claim] ?? 0) + 1;
      }
      for (const [claim, least] of Object.entries(LEAST)) {
        expect(counts[claim] ?? 0, claim).toBeGreaterThanOrEqual(least);
      }
    });
  },
);

it('says nothing of the decoded path and the path as sent because of what another rule names as the URL', () => {
  const [, modern] = DIALECTS;
  const conditions = [
    "req.url.path != req.url.raw_path && req.url == 'https://e.co/a%62'",
    'req.url.path != req.url.raw_path',
  ];
  const text = JSON.stringify({
    on_http_request: conditions.map(one => ({ expressions: [one], actions: [{ type: 'deny' }] })),
  });
  const { diagnostics } = lintText(new SourceText('policy.json', text), modern!, LINTER);
  expect(diagnostics.filter(({ code }) => code === 'logic/never-matches')).toEqual([]);
});
