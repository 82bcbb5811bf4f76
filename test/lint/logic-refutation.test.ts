import { EDGE_V2, type EndpointKind, MODERN, type Phase, type Profile } from '@tollgate/catalog';
import { type Diagnostic, SourceText, type TextEdit } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText } from '@tollgate/lint';
import {
  analyzePolicies,
  applyEdits,
  createExpressionCache,
  createPhaseEnvironments,
  type ExpressionCache,
  type Policy,
  type Rule,
  type TextAnalysis,
} from '@tollgate/policy';
import { createSimulation, type Decision, type Simulation } from '@tollgate/simulator';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { exchangeShown } from './shown-exchange.ts';
import {
  CONDITIONS,
  DEFAULT_PARTS,
  EXCHANGES,
  exchangeOf,
  MODERN_CONDITIONS,
  MODERN_RESPONSE_CONDITIONS,
  OUTBOUND_CONDITIONS,
} from './whole-exchanges.ts';

// Lints whole policies and checks every claim about traffic on whole exchanges, which the simulator decides: what is claimed impossible must
// not happen on any, and what is claimed possible must happen on the one that the message shows.

/** Number of cases in each profile; 50,000 with `TOLLGATE_REFUTATION_CASES=50000`. */
const CASES = runs(4, 400, 'TOLLGATE_REFUTATION_CASES');

/** Fixed unless `TOLLGATE_REFUTATION_SEED` is set. */
const SEED = seed(20_261_121, 'TOLLGATE_REFUTATION_SEED');

/** What policies are written for, and what they are written with. */
interface Dialect {
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  readonly environments: ReturnType<typeof createPhaseEnvironments>;
  readonly expressions: ExpressionCache;
  readonly request: Phase;
  readonly response: Phase;
  readonly requestConditions: readonly string[];
  /** These, and those about responses. */
  readonly responseConditions: readonly string[];
}

const DIALECTS: readonly Dialect[] = [
  {
    ...{ profile: EDGE_V2, endpoint: 'https-route', request: 'inbound', response: 'outbound' },
    ...{ environments: createPhaseEnvironments(EDGE_V2, 'https-route'), expressions: createExpressionCache() },
    ...{ requestConditions: CONDITIONS, responseConditions: OUTBOUND_CONDITIONS },
  },
  {
    ...{ profile: MODERN, endpoint: 'http-endpoint', request: 'on_http_request', response: 'on_http_response' },
    ...{ environments: createPhaseEnvironments(MODERN, 'http-endpoint'), expressions: createExpressionCache() },
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
  // Most claims are about two or three rules, and what a policy costs grows with the square of their number.
  return fc.oneof(
    { arbitrary: fc.array(rule, { minLength: 1, maxLength: 3 }), weight: 4 },
    fc.array(rule, { minLength: 3, maxLength: 6 }),
  );
}

/** What conditions read: those of one policy mostly read the same, because wrong conclusions are drawn where conditions meet. */
const TOPICS = [
  /url|path|params|query/i,
  /url/i,
  /host|sni|url/i,
  /header/i,
  /method/i,
  /client_?ip/i,
  /geo|length|status|ts/i,
];

function conditionsAbout(topic: RegExp, all: readonly string[]): fc.Arbitrary<readonly string[]> {
  const related = all.filter(one => topic.test(one));
  return fc
    .tuple(
      fc.uniqueArray(fc.constantFrom(...related), { minLength: 2, maxLength: 5 }),
      fc.uniqueArray(fc.constantFrom(...all), { maxLength: 2 }),
    )
    .map(lists => [...new Set(lists.flat())]);
}

/** Cases with few conditions for each policy, so that they are related. */
function policiesOf(dialect: Dialect) {
  return fc
    .constantFrom(...TOPICS)
    .chain(topic =>
      fc.tuple(conditionsAbout(topic, dialect.requestConditions), conditionsAbout(topic, dialect.responseConditions)),
    )
    .chain(([inbound, outbound]) =>
      fc.record({
        document: fc
          .tuple(rules(inbound, INBOUND_ACTIONS), fc.oneof(fc.constant([]), rules(outbound, OUTBOUND_ACTIONS)))
          .map(([own, other]): PolicyDocument => ({ [dialect.request]: own, [dialect.response]: other })),
        at: fc.nat(EXCHANGES.length - 1),
        conditions: fc.constant([...new Set([...inbound, ...outbound])]),
      }),
    );
}

type Case = ReturnType<typeof policiesOf> extends fc.Arbitrary<infer T> ? T : never;
type PolicyDocument = Partial<Record<Phase, readonly RuleDocument[]>>;

interface Simulated {
  readonly policy: Policy;
  readonly simulation: Simulation;
}

function analyze(text: string, dialect: Dialect): TextAnalysis {
  return analyzePolicies(new SourceText('policy.yaml', text), dialect);
}

function errorsIn({ diagnostics }: TextAnalysis): readonly string[] {
  return diagnostics.flatMap(one => (one.severity === 'error' ? [one.message] : []));
}

function simulate(text: string, dialect: Dialect, analysis = analyze(text, dialect)): Simulated {
  const { profile, environments } = dialect;
  expect({ text, errors: errorsIn(analysis) }).toEqual({ text, errors: [] });
  const policy = analysis.policies[0]!;
  return { policy, simulation: createSimulation(policy, { profile, environments }) };
}

const LOG = { type: 'log', config: { metadata: { a: '1' } } };

function probing(phase: Phase, conditions: readonly string[]): PolicyDocument {
  return { [phase]: conditions.map(condition => ({ expressions: [condition], actions: [LOG] })) };
}

/** Returns what a function returned for the same text. Forgets everything now and then, so that memory does not grow with the run. */
function remembering<T>(compute: (dialect: Dialect, phase: Phase, text: string) => T): typeof compute {
  const known = new Map<string, T>();
  return (dialect, phase, text) => {
    const key = `${phase} ${text}`;
    if (!known.has(key)) {
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(key, compute(dialect, phase, text));
    }
    return known.get(key)!;
  };
}

const MOST_KNOWN = 3000;

/** What becomes of a rule with a condition, by the position of the exchange; undefined if the condition does not type-check. */
const statusesOf = remembering((dialect, phase, condition): ((at: number) => Status) | undefined => {
  const text = JSON.stringify(probing(phase, [condition]));
  const analysis = analyze(text, dialect);
  if (errorsIn(analysis).length > 0) return undefined;
  const { simulation } = simulate(text, dialect, analysis);
  const known: Status[] = [];
  return at => {
    known[at] ??= simulation.decide(EXCHANGES[at]!).rules[0]!.status;
    return known[at];
  };
});

const RANDOM = 12;
const GUIDED = 4;

/** Returns the positions of random exchanges and, if possible, of some for each rule on which its conditions hold. */
function exchangesFor({ document, at, conditions }: Case, dialect: Dialect): readonly number[] {
  const chosen = new Set<number>(Array.from({ length: RANDOM }, (_, index) => (at + index * 61) % EXCHANGES.length));
  const phaseOf = (one: string) => (dialect.requestConditions.includes(one) ? dialect.request : dialect.response);
  const holdsAt = (one: string) => {
    const statusAt = statusesOf(dialect, phaseOf(one), one)!;
    return (here: number) => statusAt(here) === 'matched';
  };
  const holding = conditions.map(one => ({ one, holds: holdsAt(one) }));
  for (const { expressions } of Object.values(document).flat()) {
    const source = expressions.join();
    const parts = holding.flatMap(({ one, holds }) => (source.includes(one) ? [holds] : []));
    let left = GUIDED;
    for (let index = 0; index < EXCHANGES.length && left > 0; index += 1) {
      const here = (at + index * 7) % EXCHANGES.length;
      if (!(left % 2 === 0 ? parts.every(holds => holds(here)) : parts.some(holds => holds(here)))) continue;
      chosen.add(here);
      left -= 1;
    }
  }
  return [...chosen];
}

/** A policy, what lint says about it, and exchanges to check that on. */
interface Linted {
  readonly dialect: Dialect;
  readonly text: string;
  readonly document: PolicyDocument;
  readonly all: readonly Rule[];
  /** Positions of exchanges, and the decision on each. */
  readonly exchanges: readonly number[];
  readonly decisions: readonly Decision[];
  /** What the rules of a phase do on an exchange of which none ends the evaluation, by phase. */
  readonly probes: Map<Phase, Simulation>;
}

/** Everything needed to check a finding. */
interface Trial extends Linted {
  readonly finding: Diagnostic;
}

/** Fails if an exchange refutes a finding. */
function refuteBy({ text, finding, exchanges }: Trial, isRefuted: (at: number) => boolean): void {
  const found = exchanges.findIndex((_, at) => isRefuted(at));
  if (found < 0) return;
  const refuted = EXCHANGES[exchanges[found]!];
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

/** Evaluates the marked part alone. */
function checkPart(trial: Trial): boolean {
  const { finding, dialect, exchanges } = trial;
  const ends = impossibleEnds(finding);
  if (ends.length === 0) return false;
  const { phase } = trial.all[ruleAt(trial)]!;
  const marked = markedSource(trial);
  const sources = [marked, `(${marked})`, `(${marked}`, `${marked})`];
  const statusAt = sources.map(one => statusesOf(dialect, phase, one)).find(one => one !== undefined);
  expect({ finding, marked, statusAt }).toEqual({ finding, marked, statusAt: expect.any(Function) });
  refuteBy(trial, at => ends.includes(statusAt!(exchanges[at]!)));
  return true;
}

const UNUSED: ReadonlySet<string> = new Set(['logic/partial-shadow', 'logic/case-mismatch']);

/** A change of the policy that, according to a finding, no exchange tells from the policy. */
interface Change {
  readonly trial: Trial;
  readonly edits: readonly TextEdit[];
  readonly isTold: (after: Decision, before: Decision) => boolean;
}

/** An unreachable alternative can be replaced by one that can never match. */
function withoutUnused(trial: Trial): Change | undefined {
  const { code, range } = trial.finding;
  if (!UNUSED.has(code)) return undefined;
  const marked = markedSource(trial);
  const isLiteral = /^(['"]).*\1$/.test(marked) && !marked.includes(' ');
  if (!isLiteral && code !== 'logic/partial-shadow') return undefined;
  // Of the same type, so that comparisons with the rest of a list stay valid.
  const newText = isLiteral ? "'~never~'" : /^\d+$/.test(marked) ? '-7' : '(false)';
  return { trial, edits: [{ range, newText }], isTold: (after, before) => matchedIn(after) !== matchedIn(before) };
}

function matchedIn({ rules: all }: Decision): string {
  return all.flatMap(({ status }, index) => (status === 'matched' ? [index] : [])).join();
}

/** Fixes that claim to change no decision, from lint rules whose other fixes may. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['logic/redundant-rule', 'logic/mergeable-rules', 'logic/unreachable-rule', 'logic/always-true'],
  ...['logic/constant-expression', 'logic/no-effect-action'],
]);

/** A fix that claims to change no decision. */
function harmlessFix(trial: Trial): Change | undefined {
  const { code, fixes, message } = trial.finding;
  const isHarmless = HARMLESS.has(code) || (code === 'logic/duplicate-rule' && message.includes('never runs'));
  const fix = fixes?.find(one => one.applicability === 'safe' || isHarmless);
  return fix && { trial, edits: fix.edits, isTold: contradict };
}

function outcomesOf({ outcomes }: Decision): string {
  return outcomes.map(({ kind, status, action }) => `${kind} ${status} ${action}`).join();
}

/** The response to a rewritten request is unknown, and so is everything that depends on it. */
function contradict(after: Decision, before: Decision): boolean {
  const isDetermined = after.outcomes.length === 1 && before.outcomes.length === 1;
  return isDetermined && outcomesOf(after) !== outcomesOf(before);
}

/** Checks changes of one policy: as many together as do not meet, and each by itself if their result is told from the policy. */
function checkChanges(all: readonly Change[]): void {
  for (let left = all; left.length > 0; ) {
    const together: Change[] = [];
    for (const one of left) if (!together.some(other => doMeet(one, other))) together.push(one);
    if (together.length === 1 || areTold(together)) for (const one of together) checkChange(one);
    left = left.filter(one => !together.includes(one));
  }
}

/** Returns true if an edit of one change is within, or next to, one of the other. */
function doMeet(one: Change, other: Change): boolean {
  const meets = ({ range: a }: TextEdit, { range: b }: TextEdit) => a.start <= b.end + 2 && b.start <= a.end + 2;
  return one.edits.some(edit => other.edits.some(own => meets(edit, own)));
}

function areTold(changes: readonly Change[]): boolean {
  const { text, dialect, exchanges, decisions } = changes[0]!.trial;
  const changed = applyEdits(
    text,
    changes.flatMap(({ edits }) => edits),
  );
  const analysis = analyze(changed, dialect);
  if (errorsIn(analysis).length > 0) return true;
  const { simulation } = simulate(changed, dialect, analysis);
  return exchanges.some((position, at) => {
    const after = simulation.decide(EXCHANGES[position]!);
    return changes.some(({ isTold }) => isTold(after, decisions[at]!));
  });
}

function checkChange({ trial, edits, isTold }: Change): void {
  const { text, dialect, exchanges, decisions } = trial;
  const { simulation } = simulate(applyEdits(text, edits), dialect);
  refuteBy(trial, at => isTold(simulation.decide(EXCHANGES[exchanges[at]!]!), decisions[at]!));
}

/** Earlier rules change headers and URLs, unless they end the evaluation. */
function probeOf({ document, dialect, probes }: Linted, phase: Phase): Simulation {
  const known = probes.get(phase);
  if (known !== undefined) return known;
  const changing = document[phase]!.map(({ expressions, actions }) => ({
    expressions,
    actions: [LOG, ...(actions.some(isEnd) ? [] : actions.filter(isHarmlessFirst))],
  }));
  const { simulation } = simulate(JSON.stringify({ [phase]: changing }), dialect);
  probes.set(phase, simulation);
  return simulation;
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
  const { rules: all } = probeOf(trial, phase).decide(exchange);
  const found = [Number(finding.args.rule) - 1, index].map(at => all[at]!);
  expect({ text: trial.text, shown, found: found.map(one => one.status) }).toEqual({
    ...{ text: trial.text, shown },
    found: ['matched', 'matched'],
  });
  return true;
}

function checkAllowed(trial: Trial): boolean {
  if (trial.finding.code !== 'logic/allow-without-deny') return false;
  refuteBy(trial, at => trial.decisions[at]!.outcomes.some(({ action }) => action !== undefined));
  return true;
}

/** Checks the claims about a policy and returns the number of each kind. */
function checkPolicy(one: Case, dialect: Dialect): readonly string[] {
  const { document } = one;
  const text = JSON.stringify(document, undefined, 1);
  const analysis = analyze(text, dialect);
  const { diagnostics } = lintText(new SourceText('policy.yaml', text), { ...dialect, analysis }, LINTER);
  if (diagnostics.length === 0) return [];
  const { policy, simulation } = simulate(text, dialect, analysis);
  const exchanges = exchangesFor(one, dialect);
  const decisions = exchanges.map(at => simulation.decide(EXCHANGES[at]!));
  const all = dialect.profile.phases.flatMap(phase => policy.rules[phase]);
  const linted: Linted = { dialect, text, document, all, exchanges, decisions, probes: new Map() };
  const trials = diagnostics.map((finding): Trial => ({ ...linted, finding }));
  const [unused, fixes] = [withoutUnused, harmlessFix].map(change => trials.flatMap(trial => change(trial) ?? []));
  for (const changes of [unused, fixes]) checkChanges(changes!);
  return trials.flatMap(trial => {
    const never = neverRunning(trial);
    for (const index of never) refuteBy(trial, at => decisions[at]!.rules[index]!.status === 'matched');
    const isTried = [checkPart, checkShown, checkAllowed].filter(check => check(trial)).length > 0;
    const { code } = trial.finding;
    return [
      ...(never.length > 0 || isTried || unused!.some(change => change.trial === trial) ? [code] : []),
      ...(fixes!.some(change => change.trial === trial) ? [`fix of ${code}`] : []),
    ];
  });
}

/** Number of claims when this was written. */
const LEAST: Readonly<Record<string, number>> = {
  'fix of logic/always-true': 5,
  'fix of logic/bool-comparison': 62,
  'fix of logic/double-negation': 27,
  'fix of logic/duplicate-operand': 125,
  'fix of logic/duplicate-rule': 4,
  'fix of logic/mergeable-rules': 6,
  'fix of logic/no-effect-action': 38,
  'fix of logic/prefer-in': 91,
  'fix of logic/redundant-rule': 6,
  'fix of logic/unreachable-rule': 131,
  'logic/allow-without-deny': 82,
  'logic/always-true': 5,
  'logic/catch-all-not-last': 28,
  'logic/constant-expression': 8,
  'logic/contradiction-across-list': 79,
  'logic/duplicate-rule': 4,
  'logic/impossible-range': 27,
  'logic/negated-or': 70,
  'logic/never-matches': 36,
  'logic/non-terminating-policy': 225,
  'logic/order-sensitive-pair': 16,
  'logic/partial-shadow': 22,
  'logic/shadowed-different-action': 24,
  'logic/unreachable-rule': 138,
};

const [FIRST] = DIALECTS;

describe.each(DIALECTS.map(dialect => [dialect.profile.name, dialect] as const))(
  'claims of lint rules about policies of %s',
  (_, dialect) => {
    it('are refuted by no exchange, and safe fixes change no decision', { timeout: 7_200_000 }, () => {
      let [tried, claims] = [0, 0];
      fc.assert(
        fc.property(policiesOf(dialect), one => {
          claims += checkPolicy(one, dialect).length;
          tried += 1;
          if (tried % 1000 === 0) process.stderr.write(`${tried} policies\n`);
        }),
        { numRuns: CASES, seed: SEED },
      );
      expect(claims).toBeGreaterThan(CASES / 2);
    });

    it.runIf(inject('isDeep') && dialect === FIRST)('are at least this many in fixed policies', () => {
      const counts: Record<string, number> = {};
      for (const one of fc.sample(policiesOf(dialect), { numRuns: 480, seed: 1 })) {
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

it('knows a header that a rule adds by the name that rules see', () => {
  const [, modern] = DIALECTS;
  const text = JSON.stringify({
    on_http_request: [
      { expressions: [], actions: [{ type: 'add-headers', config: { headers: { X: '1' } } }] },
      { expressions: ["'X' in req.headers"], actions: [{ type: 'deny' }] },
      { expressions: ["req.headers['x'][0] in ['1', '2']"], actions: [{ type: 'deny' }] },
    ],
  });
  const { diagnostics } = lintText(new SourceText('policy.json', text), modern!, LINTER);
  expect(diagnostics.filter(({ code }) => code === 'logic/unreachable-rule')).toEqual([]);
});

describe('claims about hosts and URLs', () => {
  const [, modern] = DIALECTS;
  const conditions = [
    ...["req.host == 'e.co'", "req.host.endsWith(':8080')", "!req.host.contains(':')", 'req.host != req.url.host'],
    ...["req.url.host == 'e.co'", "req.url.host != 'e.co:8080'", "req.url.host.matches('^[a-z.]+$')"],
    ...["req.url.authority == 'e.co:8080'", "req.url.authority != 'e.co'", 'req.url.host != req.url.authority'],
    ...["req.url.startsWith('https://e.co:8080/')", "req.url == 'https://e.co:8080/a'", "!req.url.contains(':8080')"],
    ...["req.url.startsWith('https://e.co/')", "req.url == 'https://e.co/a'"],
  ];
  const exchanges = ['e.co', 'e.co:8080', 'e.co:443'].flatMap(authority =>
    ['e.co', 'e.co:8080', 'e.co:443'].map(host => ({
      ...exchangeOf({ ...DEFAULT_PARTS, path: '/a', host }),
      url: `https://${authority}/a`,
    })),
  );

  it('are refuted by no exchange with a port in the one and not in the other', () => {
    const decided = conditions.map(one => {
      const { simulation } = simulate(JSON.stringify(probing(modern!.request, [one])), modern!);
      return exchanges.map(exchange => simulation.decide(exchange).rules[0]!.status === 'matched');
    });
    const refuted = conditions.flatMap((one, at) =>
      conditions.slice(at + 1).filter((other, index) => {
        const isPossible = exchanges.some((_, number) => decided[at]![number] && decided[at + 1 + index]![number]);
        const text = JSON.stringify(probing(modern!.request, [`(${one}) && (${other})`]));
        const { diagnostics } = lintText(new SourceText('policy.json', text), modern!, LINTER);
        return isPossible && diagnostics.some(({ code }) => code === 'logic/never-matches');
      }),
    );
    expect(refuted).toEqual([]);
  });
});
