// Whether tests notice mistakes in a policy: each mutant is killed by a test, survives with a request that tells it apart, or is proved to decide like the
// policy. Only mutants of rules that a test reaches are run.

import type { TypedAst } from '@tollgate/cel';
import { type NonValue, readsOf, Unknown } from '@tollgate/cel';
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
import { comparePolicies } from '../compare/compare-policies.ts';
import { exchangeVariants } from '../compare/search-exchanges.ts';
import type { GoalSample } from '../goals/goal-questions.ts';
import { TestWriter, type UnnamedTest } from '../goals/written-test.ts';
import type { Signal } from '../logic/formula.ts';
import { PolicyQuestions } from '../policy/can-match.ts';
import { exchangeText } from '../policy/exchange.ts';
import { endsEvaluation, RuleConditions } from '../policy/rule-conditions.ts';
import { type PolicyContext, SolverSession } from '../policy/session.ts';
import { findsAlike } from './mutate-condition.ts';
import { type Mutant, mutantsOf } from './mutate-policy.ts';

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
    return state => kindOf(own(state)) !== kindOf(other(state));
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
    const own = [this.#signalOf(mutant)];
    const all = timesFor(rule, mutant.changed);
    const searches = this.#searches(mutant);
    if (searches !== undefined) {
      const found = this.#ask(mutant, [...own, searches], { all, differs });
      if (found.sample !== undefined) return found.sample;
      // An action that finds nothing in the URL does nothing.
      const isAll = mutant.kind === 'condition' && rule.actions.every(({ config }) => typeof config.from === 'string');
      if (found.answer.kind === 'impossible' && isAll && rule.actions.length === 1)
        return { kind: 'equivalent', reason: 'where the condition differs, the action finds nothing in the URL' };
    }
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { sample, alike, answer } = this.#ask(mutant, own, { all, differs });
      if (sample !== undefined) return sample;
      if (answer.kind === 'impossible')
        return round === 0 ? { kind: 'equivalent', reason: reasonOf(answer.because, mutant.kind) } : undefined;
      const later = alike && this.#takerAfter(mutant.rule, alike);
      if (later === undefined) return undefined;
      own.push(-this.#conditions.matches(later));
    }
    return undefined;
  }

  #ask(
    mutant: Mutant,
    signals: readonly Signal[],
    { all, differs }: { readonly all: readonly number[]; readonly differs: (sample: GoalSample) => boolean },
  ) {
    let sample: GoalSample | undefined;
    let alike: Exchange | undefined;
    const isShown = (exchange: Exchange): boolean => {
      alike = exchange;
      const candidates = [exchange, ...(mutant.kind === 'actions' ? this.#variants(exchange, mutant) : [])];
      sample = candidates
        .flatMap(one => all.map(times => ({ exchange: one, times, ...(this.#assume && { assume: this.#assume }) })))
        .find(differs);
      return sample !== undefined;
    };
    const answer = this.#questions.canShow(this.#rules[mutant.rule]!, signals, isShown);
    return { sample, alike, answer };
  }

  /** Holds where an action that searches the URL finds something, or where two that differ do not both do so. */
  #searches({ rule, changed, kind }: Mutant): Signal | undefined {
    const own = this.#rules[rule]!;
    const at = own.actions.findIndex(({ config }) => typeof config.from === 'string');
    if (at < 0) return undefined;
    const [before, after] = [own, changed].map(({ actions }) =>
      this.#conditions.findsInUrl(own, actions[at]?.config.from),
    );
    if (before === undefined || kind !== 'actions' || after === undefined || before === after) return before?.whenTrue;
    const { graph } = this.#session.vocabulary;
    const [x, y] = [before.whenTrue, after.whenTrue];
    const either = graph.or([graph.and([x, -y]), graph.and([-x, y])]);
    return own.actions[at]!.config.from === changed.actions[at]!.config.from ? x : either;
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

  /** Whether no traffic matches both of the rules that are swapped, neither of which changes what the other reads. */
  #areApart({ rule }: Mutant): boolean {
    const [own, next] = [this.#rules[rule]!, this.#rules[rule + 1]!];
    if (!leavesAlone(own, next) || !leavesAlone(next, own)) return false;
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

  /** Returns the later rule that ends the evaluation of an exchange. */
  #takerAfter(position: number, exchange: Exchange): Rule | undefined {
    const { rules } = this.#own.decide(exchange);
    const at = rules.findIndex(
      (one, index) => index !== position && one.status === 'matched' && endsEvaluation(this.#rules[index]!),
    );
    return at < 0 ? undefined : this.#rules[at];
  }

  /** Holds where the rule does something else. */
  #signalOf({ rule, changed, kind }: Mutant): Signal {
    const own = this.#rules[rule]!;
    if (kind === 'actions') return this.#conditions.matches(own);
    const { graph } = this.#session.vocabulary;
    const [a, b] = [own, changed].map(({ expressions }) =>
      this.#conditions.at(
        own,
        expressions.map(one => one.typed as TypedAst),
      ),
    );
    const differ = (x: Signal, y: Signal) => graph.or([graph.and([x, -y]), graph.and([-x, y])]);
    const matches = differ(a!.whenTrue, b!.whenTrue);
    const { evaluationError } = this.#mutated.context.profile.switches;
    return evaluationError === 'fail-request' ? graph.or([matches, differ(a!.whenFalse, b!.whenFalse)]) : matches;
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
    const about = mutant.kind === 'order' ? [rule, this.#rules[mutant.rule + 1]!] : [rule];
    // What is counted differently shows later.
    const samples = [sample.times, ...timesFor(...about, mutant.changed)].map(times => ({ ...sample, times }));
    let unnamed: UnnamedTest | undefined;
    for (const one of samples) unnamed ??= this.#writer.write(one, { inTraffic: differs, inTest, about });
    const request = exchangeText(sample.exchange);
    if (unnamed === undefined) return { kind: 'survived', request, test: undefined };
    const name = unique(nameOf(mutant, rule), this.#names);
    const test = { name, ...unnamed };
    this.#pool.push(test);
    return { kind: 'survived', request, test };
  }
}

/** Whether what a rule does certainly changes no condition of another one. */
function leavesAlone(rule: Rule, { expressions }: Rule): boolean {
  if (endsEvaluation(rule)) return true;
  const reads = expressions.flatMap(({ typed }) => readsOf(typed as TypedAst).map(({ text }) => text));
  return rule.actions.every(({ type }) => {
    if (type.value === 'log' || type.value === 'redirect') return true;
    return /^(?:add|remove)-headers$/.test(type.value) && reads.every(text => APART_FROM_HEADERS.test(text));
  });
}

/** Variables that no header changes. */
const APART_FROM_HEADERS = /^(?:conn[.]|req[.](?:method|Method|Path|url[.](?:path|raw_path|query))\b)/;

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
