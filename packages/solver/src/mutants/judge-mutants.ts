// Whether tests notice mistakes in a policy: each mutant is killed by a test, survives with a request that tells it apart, or is proved to decide like the
// policy. Only mutants of rules that a test reaches are run.

import type { TypedAst } from '@tollgate/cel';
import { type NonValue, Unknown } from '@tollgate/cel';
import type { ActionAssumptions, Policy, PolicyTest, PolicyTests, Rule, TestToWrite } from '@tollgate/policy';
import {
  type Coverage,
  checkDecision,
  conditionIn,
  type Decision,
  DecisionComparer,
  dialectOf,
  mayBeAssumed,
  type ObservedTest,
  observeTests,
  runTests,
  type Simulation,
  type SimulationOf,
  simulationsOf,
  type TrafficState,
  testExchange,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { actionsOf, comparePolicies } from '../compare/compare-policies.ts';
import { exchangeVariants, withCredentials } from '../compare/search-exchanges.ts';
import type { GoalSample } from '../goals/goal-questions.ts';
import { TestWriter, type UnnamedTest } from '../goals/written-test.ts';
import { type Condition, FALSE, type Signal } from '../logic/formula.ts';
import { PolicyQuestions } from '../policy/can-match.ts';
import { exchangeText } from '../policy/exchange.ts';
import { endsEvaluation, RuleConditions } from '../policy/rule-conditions.ts';
import { type PolicyContext, SolverSession } from '../policy/session.ts';
import { findsAlike, type Mutant, mutantsOf } from './mutate-policy.ts';
import { UnseenChanges } from './unseen-changes.ts';

/** What became of a mutant. */
export type MutantVerdict =
  /** A test that passes fails with it. */
  | { readonly kind: 'killed'; readonly test: string }
  /** No test notices it. The test would; undefined if tests cannot state the request. */
  | { readonly kind: 'survived'; readonly request: string; readonly test: TestToWrite | undefined }
  /** No traffic is decided differently. */
  | { readonly kind: 'equivalent'; readonly reason: string }
  | { readonly kind: 'open'; readonly reason: string }
  /** No test reaches its rule. */
  | { readonly kind: 'unreached' };

/** A mutant and what became of it. */
export interface JudgedMutant {
  readonly mutant: Mutant;
  readonly verdict: MutantVerdict;
}

/** What tests notice of the mutants of a policy. */
export interface MutationRun {
  readonly mutants: readonly JudgedMutant[];
  /** Number of mutants beyond the limit, which were not looked at. */
  readonly cut: number;
}

/** The policy that is mutated. */
interface MutatedPolicy {
  readonly policy: Policy;
  readonly context: PolicyContext;
  readonly coverage: Coverage;
}

/** Judges the mutants of an enabled policy by the tests of one or more files. The same policy and tests always have the same results. */
export function judgeMutants(mutated: MutatedPolicy, files: readonly PolicyTests[], limit = MAX_MUTANTS): MutationRun {
  const all = mutantsOf(mutated.policy, mutated.context);
  const judge = new MutantJudge(mutated, files);
  const mutants = all.slice(0, limit).map(mutant => ({ mutant, verdict: judge.judge(mutant) }));
  return { mutants, cut: all.length - mutants.length };
}

const MAX_MUTANTS = 2000;

/** A file of tests and what they reach; without the tests that fail, which notice nothing. */
interface ObservedFile {
  readonly file: PolicyTests;
  readonly tests: readonly ObservedTest[];
}

class MutantJudge {
  readonly #mutated: MutatedPolicy;
  readonly #rules: readonly Rule[];
  readonly #files: readonly ObservedFile[];
  readonly #questions: PolicyQuestions;
  readonly #conditions: RuleConditions;
  readonly #session: SolverSession;
  readonly #unseen: UnseenChanges;
  readonly #writer: TestWriter;
  readonly #assume: ActionAssumptions | undefined;
  readonly #own: Simulation;
  readonly #simulationOf: SimulationOf;
  /** Of the policy's own rules, by position. */
  readonly #compiled: ReturnType<typeof conditionIn>[] = [];
  /** Tests of survivors: they tell later ones apart, too. */
  readonly #pool: TestToWrite[] = [];
  readonly #names: Set<string>;
  #comparisons = 0;
  /** Comparisons in a row for which trying exchanges showed nothing. */
  #fruitless = 0;

  constructor(mutated: MutatedPolicy, files: readonly PolicyTests[]) {
    const { policy, context, coverage } = mutated;
    this.#mutated = mutated;
    this.#rules = coverage.rules.map(({ rule }) => rule);
    this.#files = files.map(file => passing(file, policy, context));
    this.#session = new SolverSession(context);
    this.#questions = new PolicyQuestions(this.#session, policy);
    this.#conditions = new RuleConditions(this.#session, policy, () => false);
    this.#unseen = new UnseenChanges(this.#session, policy, this.#conditions);
    this.#writer = new TestWriter(policy, context, coverage);
    const opaque = this.#rules.flatMap(({ actions }) => actions.map(one => one.type.value)).filter(mayBeAssumed);
    this.#assume = opaque.length === 0 ? undefined : Object.fromEntries(opaque.map(type => [type, 'passes']));
    this.#simulationOf = simulationsOf(policy, context);
    this.#own = this.#simulationOf({ ...(this.#assume && { assume: this.#assume }) });
    this.#names = new Set(files.flatMap(({ tests }) => tests.flatMap(({ name, table }) => [name, table ?? name])));
  }

  judge(mutant: Mutant): MutantVerdict {
    const relevant = this.#files.map(({ file, tests }) => ({ file, tests: tests.filter(one => reaches(one, mutant)) }));
    if (relevant.every(({ tests }) => tests.length === 0)) return { kind: 'unreached' };
    const killer = this.#killer(mutant, relevant);
    if (killer !== undefined) return { kind: 'killed', test: killer };
    const known = this.#failing(mutant, { policy: '', tests: [] }, this.#pool);
    if (known !== undefined) return { kind: 'survived', request: known.name, test: known };
    return this.#tellApart(mutant);
  }

  /** Returns the name of the first test that fails with the mutant. */
  #killer(mutant: Mutant, files: readonly ObservedFile[]): string | undefined {
    const isOther = mutant.kind === 'condition' ? this.#differs(mutant) : () => true;
    for (const { file, tests } of files) {
      const chosen = tests.filter(one => one.states[mutant.rule]!.some(isOther)).map(one => file.tests[one.index]!);
      const failed = this.#failing(mutant, file, chosen);
      if (failed !== undefined) return failed.name;
    }
    return undefined;
  }

  /** Returns whether the condition of a mutant has another value in a state. */
  #differs({ changed, rule }: Mutant): (state: TrafficState) => boolean {
    const { policy, context } = this.#mutated;
    this.#compiled[rule] ??= conditionIn(this.#rules[rule]!, policy, context);
    const own = this.#compiled[rule]!;
    const other = conditionIn(changed, policy, context);
    return state => {
      const [was, becomes] = [kindOf(own(state)), kindOf(other(state))];
      // What a test draws at random is not known here.
      return was !== becomes || was === 'unknown';
    };
  }

  /** Returns the first test that fails with the mutant. */
  #failing<T extends PolicyTest>({ policy }: Mutant, file: PolicyTests, tests: readonly T[]): T | undefined {
    const known = new Map<Simulation, Simulation>();
    const simulationOf: SimulationOf = test => {
      const own = this.#simulationOf(test);
      const changed = known.get(own) ?? own.changedTo(policy);
      known.set(own, changed);
      return changed;
    };
    const options = { ...this.#mutated.context, simulationOf };
    return tests.find(test => runTests(policy, { ...file, tests: [test] }, options).counts.failed > 0);
  }

  #tellApart(mutant: Mutant): MutantVerdict {
    const { policy, context } = this.#mutated;
    const { profile } = context;
    if (mutant.kind === 'actions' && this.#findsAlike(mutant))
      return { kind: 'equivalent', reason: 'both patterns find the same in every URL' };
    if (mutant.kind === 'order' && this.#areApart(mutant))
      return { kind: 'equivalent', reason: 'no traffic matches both rules' };
    if (mutant.kind === 'order' && this.#unseen.areInterchangeable(...this.#pairOf(mutant)))
      return { kind: 'equivalent', reason: 'both rules do the same in either order' };
    const comparer = new DecisionComparer({ policy, profile }, { policy: mutant.policy, profile }, true);
    const other = this.#own.changedTo(mutant.policy);
    const differs = ({ exchange, times }: GoalSample) => {
      const [was, becomes] = [lastOf(this.#own, exchange, times), lastOf(other, exchange, times)];
      return comparer.ofDecisions(was, becomes).isCertain;
    };
    const found = mutant.kind === 'order' ? undefined : this.#askFor(mutant, differs);
    const verdict = found ?? this.#compare(mutant, differs);
    return 'exchange' in verdict ? this.#survivor(mutant, verdict, { differs, other }) : verdict;
  }

  /** Asks for traffic on which the rule does something else; undefined if that leaves it open. */
  #askFor(mutant: Mutant, differs: (sample: GoalSample) => boolean): GoalSample | MutantVerdict | undefined {
    const rule = this.#rules[mutant.rule]!;
    const options = { all: timesFor(rule, mutant.changed), differs };
    const own = this.#signalOf(mutant);
    const effect = this.#unseen.effectOf(mutant);
    if (effect !== undefined) {
      // A pattern such as `/a` is also found before the host.
      const host = this.#conditions.hasOrdinaryHost(rule);
      const usual = host && this.#askInRounds(mutant, [own, effect.signal, host.whenTrue], options);
      if (usual?.sample !== undefined) return usual.sample;
      const found = this.#askInRounds(mutant, [own, effect.signal], options);
      if (found.sample !== undefined) return found.sample;
      if (found.because !== undefined && effect.isAll)
        return { kind: 'equivalent', reason: 'where the rule differs, its action has nothing to do' };
    }
    const found = this.#askInRounds(mutant, [own], options);
    if (found.sample !== undefined) return found.sample;
    if (found.because !== undefined) return { kind: 'equivalent', reason: reasonOf(found.because, mutant.kind) };
    const alike = this.#decidedAlike(mutant);
    if (alike === FALSE) return undefined;
    const seen = this.#askInRounds(mutant, [own, -alike, ...(effect?.isAll ? [effect.signal] : [])], options);
    if (seen.sample !== undefined) return seen.sample;
    return seen.because && { kind: 'equivalent', reason: 'later rules decide alike what it changes' };
  }

  /** Looks for traffic on which formulas hold and the mutant is told apart; the rules that together prevent the first if there is none. */
  #askInRounds(
    mutant: Mutant,
    signals: readonly Signal[],
    options: { readonly all: readonly number[]; readonly differs: (sample: GoalSample) => boolean },
  ): { readonly sample?: GoalSample; readonly because?: readonly Rule[] } {
    const own = [...signals];
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { sample, tried, answer } = this.#ask(mutant, own, options);
      if (sample !== undefined) return { sample };
      if (answer.kind === 'impossible') return round === 0 ? { because: answer.because } : {};
      const later = tried && this.#takerAfter(mutant, tried, own);
      if (later === undefined) return {};
      own.push(-later);
    }
    return {};
  }

  #ask(
    mutant: Mutant,
    signals: readonly Signal[],
    { all, differs }: { readonly all: readonly number[]; readonly differs: (sample: GoalSample) => boolean },
  ) {
    let sample: GoalSample | undefined;
    let tried: Exchange | undefined;
    const isShown = (exchange: Exchange): boolean => {
      tried = exchange;
      const known = withCredentials(exchange, this.#rules);
      const candidates = [
        ...[exchange, ...(known === undefined ? [] : [known])],
        ...(mutant.kind === 'actions' ? this.#variants(exchange, mutant) : []),
      ];
      sample = candidates
        .flatMap(one => all.map(times => ({ exchange: one, times, ...(this.#assume && { assume: this.#assume }) })))
        .find(differs);
      return sample !== undefined;
    };
    const answer = this.#questions.canShow(this.#rules[mutant.rule]!, signals, isShown);
    return { sample, tried, answer };
  }

  /** Whether nothing but patterns that find the same differs. */
  #findsAlike({ rule, changed }: Mutant): boolean {
    const { actions } = this.#rules[rule]!;
    return (
      actions.length === changed.actions.length &&
      actions.every(({ config }, at) => {
        const other = changed.actions[at]!.config;
        if (other === config) return true;
        const [{ from, ...own }, { from: changedFrom, ...rest }] = [config, other];
        const isRest = JSON.stringify(own) === JSON.stringify(rest);
        return isRest && typeof from === 'string' && typeof changedFrom === 'string' && findsAlike(from, changedFrom);
      })
    );
  }

  #pairOf({ rule }: Mutant): readonly [Rule, Rule] {
    return [this.#rules[rule]!, this.#rules[rule + 1]!];
  }

  /** Whether no traffic matches both of the rules that are swapped, neither of which changes what the other reads. */
  #areApart(mutant: Mutant): boolean {
    const [own, next] = this.#pairOf(mutant);
    if (!this.#unseen.leavesAlone(own, next) || !this.#unseen.leavesAlone(next, own)) return false;
    const endsByFailing = this.#mutated.context.profile.switches.evaluationError === 'fail-request';
    const both = [own, next].map(({ expressions }) => {
      const { whenTrue, whenFalse } = this.#conditions.at(
        own,
        expressions.map(one => one.typed as TypedAst),
      );
      return endsByFailing ? -whenFalse : whenTrue;
    });
    return this.#questions.canShow(own, both, () => true).kind === 'impossible';
  }

  #variants(exchange: Exchange, { rule, changed }: Mutant): readonly Exchange[] {
    return exchangeVariants(exchange, [this.#rules[rule]!, changed]).slice(0, MAX_VARIANTS);
  }

  /** Returns where a later rule does not show what differs: it ends the evaluation, or does the same. */
  #takerAfter(
    { rule: position, changed }: Mutant,
    exchange: Exchange,
    excluded: readonly Signal[],
  ): Signal | undefined {
    const { rules } = this.#own.decide(exchange);
    const same = [this.#rules[position]!, changed].map(actionsOf);
    const matched = this.#rules.filter((_, index) => index !== position && rules[index]!.status === 'matched');
    const takers = [
      ...matched.filter(endsEvaluation),
      ...matched.filter(one => !endsEvaluation(one) && same.includes(actionsOf(one))),
    ];
    return takers.map(one => this.#conditions.matches(one)).find(one => !excluded.includes(-one));
  }

  /** Holds where the rule does something else. */
  #signalOf({ rule, changed, kind }: Mutant): Signal {
    const own = this.#rules[rule]!;
    const { graph } = this.#session.vocabulary;
    const differ = (x: Signal, y: Signal) => graph.or([graph.and([x, -y]), graph.and([-x, y])]);
    if (kind === 'actions') return this.#conditions.matches(own);
    const [a, b] = this.#bothConditions(own, changed);
    const matches = differ(a.whenTrue, b.whenTrue);
    const { evaluationError } = this.#mutated.context.profile.switches;
    return evaluationError === 'fail-request' ? graph.or([matches, differ(a.whenFalse, b.whenFalse)]) : matches;
  }

  #bothConditions(own: Rule, changed: Rule): readonly [Condition, Condition] {
    const at = ({ expressions }: Rule) =>
      this.#conditions.at(
        own,
        expressions.map(one => one.typed as TypedAst),
      );
    return [at(own), at(changed)];
  }

  /** Where later rules decide alike what the mutant changes. A condition that fails may end the request. */
  #decidedAlike(mutant: Mutant): Signal {
    const { graph } = this.#session.vocabulary;
    const alike = this.#unseen.decidedAlike(mutant);
    const { evaluationError } = this.#mutated.context.profile.switches;
    if (alike === FALSE || mutant.kind !== 'condition' || evaluationError !== 'fail-request') return alike;
    const both = this.#bothConditions(this.#rules[mutant.rule]!, mutant.changed);
    return graph.and([alike, ...both.map(one => graph.or([one.whenTrue, one.whenFalse]))]);
  }

  #compare(mutant: Mutant, differs: (sample: GoalSample) => boolean): GoalSample | MutantVerdict {
    const open = {
      kind: 'open',
      reason: 'no request was found that tells it apart, and no proof that there is none',
    } as const;
    if (this.#comparisons >= MAX_COMPARISONS)
      return { kind: 'open', reason: 'too many mutants of the policy are left open' };
    this.#comparisons++;
    const { policy, context } = this.#mutated;
    const triesExchanges = this.#fruitless < MAX_FRUITLESS;
    const { verdict, differences } = comparePolicies(policy, mutant.policy, context, { triesExchanges });
    if (verdict === 'same') return { kind: 'equivalent', reason: 'both decide all traffic alike' };
    this.#fruitless = verdict === 'different' ? 0 : this.#fruitless + 1;
    const samples = differences.map(({ exchange }) => ({
      exchange,
      times: 1,
      ...(this.#assume && { assume: this.#assume }),
    }));
    return samples.find(differs) ?? open;
  }

  #survivor(
    mutant: Mutant,
    sample: GoalSample,
    { differs, other }: { readonly differs: (sample: GoalSample) => boolean; readonly other: Simulation },
  ): MutantVerdict {
    const rule = this.#rules[mutant.rule]!;
    const { profile } = this.#mutated.context;
    const rules = profile.phases.flatMap(phase => mutant.policy.rules[phase]);
    const inTest = ({ times = 1, expect, assume, ...written }: UnnamedTest) => {
      const exchange = testExchange(written, { file: 'test', number: 1, unit: 'entry' });
      const simulation = sameAssumptions(assume, this.#assume)
        ? other
        : this.#simulationOf({ ...(assume && { assume }) }).changedTo(mutant.policy);
      const decision = lastOf(simulation, exchange, times);
      return checkDecision(expect, decision, { rules, dialect: dialectOf(profile), path: [] }).some(
        ({ kind }) => kind === 'differs',
      );
    };
    const about = mutant.kind === 'order' ? this.#pairOf(mutant) : [rule];
    // What only the mutant changes is stated if nothing else differs.
    const abouts = mutant.kind === 'actions' ? [about, [rule, mutant.changed]] : [about];
    // What is counted differently shows later.
    const samples = [sample.times, ...timesFor(...about, mutant.changed)].map(times => ({ ...sample, times }));
    let unnamed: UnnamedTest | undefined;
    for (const stated of abouts)
      for (const one of samples) unnamed ??= this.#writer.write(one, { inTraffic: differs, inTest, about: stated });
    const request = exchangeText(sample.exchange);
    if (unnamed === undefined) return { kind: 'survived', request, test: undefined };
    const name = unique(nameOf(mutant, rule), this.#names);
    const test = { name, ...unnamed };
    this.#pool.push(test);
    return { kind: 'survived', request, test };
  }
}

const MAX_ROUNDS = 6;
const MAX_VARIANTS = 60;
const MAX_COMPARISONS = 60;
/** Mutants of one policy that stay open are often alike, and each search takes as long as judging fifty others. */
const MAX_FRUITLESS = 4;

function passing(file: PolicyTests, policy: Policy, context: PolicyContext): ObservedFile {
  const all = { ...file, tests: file.tests.map(({ only: _, ...test }) => test) };
  const { results } = runTests(policy, all, context);
  const observed = observeTests(policy, all, context);
  return { file: all, tests: observed.filter(({ index }) => results[index]!.status === 'passed') };
}

function reaches({ states, ran }: ObservedTest, { rule, kind }: Mutant): boolean {
  if (kind === 'condition') return states[rule]!.length > 0;
  return ran[rule]! || (kind === 'order' && ran[rule + 1]!);
}

function kindOf(value: boolean | NonValue): boolean | string {
  if (typeof value === 'boolean') return value;
  return value instanceof Unknown ? 'unknown' : 'fails';
}

function lastOf(simulation: Simulation, exchange: Exchange, times: number): Decision {
  const run = simulation.begin();
  for (let sent = 1; sent < times; sent++) run.decide(exchange);
  return run.decide(exchange);
}

/** A limit that is one larger shows after as many requests. */
function timesFor(...rules: readonly Rule[]): readonly number[] {
  const capacities = rules.flatMap(({ actions }) => actions.map(({ config }) => config.capacity));
  const counts = capacities.filter(one => typeof one === 'number' && one > 0 && one < MAX_TIMES) as readonly number[];
  return counts.length === 0 ? [1] : [1, Math.min(...counts) + 1];
}

const MAX_TIMES = 10_000;

function sameAssumptions(one: ActionAssumptions | undefined, other: ActionAssumptions | undefined): boolean {
  return JSON.stringify(one ?? {}) === JSON.stringify(other ?? {});
}

function reasonOf(because: readonly Rule[], kind: Mutant['kind']): string {
  const rules = because.map(({ phase, index, name }) => `${phase} ${index + 1}${name ? `, ${name.value}` : ''}`);
  if (rules.length > 0) return `what it changes is taken by ${rules.join(' and ')}`;
  return kind === 'actions' ? 'no traffic matches the rule' : 'the condition has the same value for all traffic';
}

function nameOf({ operator, original, mutated }: Mutant, { name, phase, index }: Rule): string {
  const label = name?.value || `${phase} ${index + 1}`;
  switch (operator) {
    case 'rule removed':
      return `${label}: has an effect`;
    case 'rules swapped':
      return `${label}: comes before the next rule`;
    default:
      return `${label}: ${mutated === '' ? `needs ${short(original)}` : `${short(original)}, not ${short(mutated)}`}`;
  }
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= MAX_WORDS ? line : `${line.slice(0, MAX_WORDS)}…`;
}

const MAX_WORDS = 60;

function unique(name: string, used: Set<string>): string {
  let found = name;
  for (let number = 2; used.has(found); number++) found = `${name} (${number})`;
  used.add(found);
  return found;
}
