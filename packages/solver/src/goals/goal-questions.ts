// Whether a test can reach a goal of coverage: an exchange on which it does, confirmed by the simulator, or a proof that there is none.

import { endsIfTheUrlChanges } from '@tollgate/catalog';
import type { ActionAssumptions, Policy, Rule } from '@tollgate/policy';
import {
  type Coverage,
  createSimulation,
  type Goal,
  interpolationsOf,
  mayBeAssumed,
  type RuleGoals,
  type Simulation,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { exchangeVariants, searchExchanges, withCredentials } from '../compare/search-exchanges.ts';
import {
  ALWAYS_FALSE,
  ALWAYS_TRUE,
  allOf,
  anyOf,
  type Condition,
  choiceOf,
  type Graph,
  negated,
  type Signal,
} from '../logic/formula.ts';
import { type MatchAnswer, PolicyQuestions } from '../policy/can-match.ts';
import { endsEvaluation, RuleConditions } from '../policy/rule-conditions.ts';
import type { PolicyContext, SolverSession } from '../policy/session.ts';

/** Whether a goal can be reached. */
export type GoalAnswer =
  | { readonly kind: 'possible'; readonly sample: GoalSample }
  /** The rules that take all traffic that would reach it; none if no traffic has the values that it takes. */
  | { readonly kind: 'impossible'; readonly because: readonly Rule[]; readonly reason?: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Traffic that reaches goals. */
export interface GoalSample {
  readonly exchange: Exchange;
  /** How often it is sent; only the last time counts. */
  readonly times: number;
  /** What actions do that no traffic shows. */
  readonly assume?: ActionAssumptions;
  /** Whether it depends on what is drawn at random: some seed reaches them. */
  readonly isDrawn?: boolean;
}

/** Seeds with which random numbers are tried: enough for what happens once in ten times. */
export const SEEDS: readonly number[] = Array.from({ length: 64 }, (_, at) => at + 1);

/** Whether a policy draws random numbers. */
function drawsAtRandom({ rules }: Policy, { profile }: PolicyContext): boolean {
  const random = new Set(profile.functions.filter(one => /^rand[._]/.test(one.overloadId)).map(one => one.overloadId));
  return profile.phases
    .flatMap(phase => rules[phase])
    .flatMap(rule => [...rule.expressions, ...rule.actions.flatMap(one => one.expressions)])
    .some(({ typed }) =>
      Object.values(typed?.references ?? {}).some(
        one => one?.kind === 'function' && one.overloads.some(({ id }) => random.has(id)),
      ),
    );
}

/** Questions about the goals of a policy, which is treated as enabled. */
export class GoalQuestions {
  readonly #session: SolverSession;
  readonly #policy: Policy;
  readonly #coverage: Coverage;
  readonly #questions: PolicyQuestions;
  readonly #conditions: RuleConditions;
  readonly #reachedBy: ReachedBy;
  readonly #rules: readonly Rule[];
  readonly #answers = new Map<number, GoalAnswer>();
  readonly #isDrawn: boolean;

  constructor(session: SolverSession, policy: Policy, coverage: Coverage) {
    this.#session = session;
    this.#policy = { ...policy, enabled: true };
    this.#coverage = coverage;
    this.#questions = new PolicyQuestions(session, policy);
    this.#conditions = new RuleConditions(session, policy, () => false);
    this.#rules = coverage.rules.map(one => one.rule);
    this.#isDrawn = drawsAtRandom(policy, session.context);
    this.#reachedBy = prepareReached(policy, coverage, session.context);
  }

  /** Returns the goals that traffic reaches. */
  reachedBy(sample: GoalSample): ReadonlySet<number> {
    return this.#reachedBy(sample);
  }

  /** Returns whether traffic reaches a goal. */
  reaches(sample: GoalSample, goal: number): boolean {
    return this.#reachedBy(sample, goal).has(goal);
  }

  /** Answers whether a goal, by its position, can be reached. */
  answer(position: number): GoalAnswer {
    let answer = this.#answers.get(position);
    if (answer === undefined) {
      answer = this.#find(position, this.#coverage.goals[position]!);
      this.#answers.set(position, answer);
    }
    return answer;
  }

  /** Tries traffic that proofs do not lead to, always the same. Returns what reaches goals, by goal. */
  search(goals: readonly number[], seeds: readonly Exchange[]): ReadonlyMap<number, GoalSample> {
    const found = new Map<number, GoalSample>();
    const wanted = new Set(goals);
    if (wanted.size === 0) return found;
    const policy = { policy: this.#policy, context: this.#session.context };
    const variants = seeds.slice(0, MAX_SEEDS).flatMap(one => exchangeVariants(one, this.#rules));
    const given = assumedFor({ kind: 'runs' }, this.#rules);
    searchExchanges({
      policies: [policy, policy],
      seeds: [...seeds, ...variants],
      isWanted: exchange => {
        const sample = { exchange, times: 1, ...given };
        for (const goal of this.#reachedBy(sample)) if (wanted.delete(goal)) found.set(goal, sample);
        return wanted.size === 0;
      },
    });
    return found;
  }

  #find(position: number, goal: Goal): GoalAnswer {
    if (goal.impossible !== undefined) return { kind: 'impossible', because: [], reason: goal.impossible };
    if (goal.members !== undefined) return this.#anyOf(goal.members);
    if (goal.rule === undefined) return this.#passes(position);
    const rule = this.#coverage.rules[goal.rule]!;
    const given = { times: timesFor(rule, goal), ...assumedFor(goal, this.#rules), isDrawn: this.#isDrawn };
    let sample: GoalSample | undefined;
    const isShown = (exchange: Exchange) => {
      const known = withCredentials(exchange, this.#rules);
      const tried = [exchange, ...(known === undefined ? [] : [known])].map(one => ({ exchange: one, ...given }));
      sample = tried.find(one => this.reaches(one, position));
      return sample !== undefined;
    };
    const signals = this.#signalsOf(rule, goal);
    const needed = this.#neededBy(rule, goal);
    const stays = this.#stays(rule, goal);
    if (stays !== undefined) signals.push(stays.signal);
    if (needed !== undefined) this.#questions.canShow(rule.rule, [needed, ...signals], isShown);
    const answer = sample === undefined ? this.#questions.canShow(rule.rule, signals, isShown) : undefined;
    if (sample === undefined && goal.group === 'actions') this.#tryVariants(rule.rule, isShown);
    if (sample !== undefined) return { kind: 'possible', sample };
    // An earlier action of the rule may change what the later one reads.
    const isProof = stays?.isAll !== false && (goal.kind === 'matches' || !this.#isChangedBefore(rule, goal));
    if (answer!.kind === 'impossible' && !isProof) return { kind: 'unknown', reason: 'no request was found' };
    return withoutExchange(answer!);
  }

  /** Whether what an action does depends on what an action before it in the same rule has changed. */
  #isChangedBefore({ rule }: RuleGoals, { kind, part = 0 }: Goal): boolean {
    const isDependent = kind === 'fills' || kind === 'fill-fails' || (kind === 'lets-pass' && isSearching(rule, part));
    return isDependent && rule.actions.slice(0, part).some(({ fact }) => fact?.changes?.length !== 0);
  }

  /** Returns where a redirect leaves the URL as it is, and whether it does so nowhere else; undefined for other goals. */
  #stays({ rule }: RuleGoals, { kind, part }: Goal): { readonly signal: Signal; readonly isAll: boolean } | undefined {
    if (kind !== 'lets-pass' || !isSearching(rule, part!)) return undefined;
    const { from, to } = rule.actions[part!]!.config;
    if (typeof to !== 'string' || to.includes('${')) return undefined;
    const finds = this.#conditions.findsInUrl(rule, from);
    if (finds !== undefined) return { signal: finds.whenFalse, isAll: changesWhatItFinds(String(from), to) };
    const same = (from ?? '') === '' && !to.includes('$') ? this.#conditions.hasUrl(rule, to) : undefined;
    return same && { signal: same.whenTrue, isAll: true };
  }

  /** The policy ends in this way if one of the goals is reached. */
  #anyOf(members: readonly number[]): GoalAnswer {
    const answers = members.map(one => this.answer(one));
    const because = answers.flatMap(one => (one.kind === 'impossible' ? one.because : []));
    return (
      answers.find(one => one.kind === 'possible') ??
      answers.find(one => one.kind === 'unknown') ?? { kind: 'impossible', because: [...new Set(because)] }
    );
  }

  #passes(position: number): GoalAnswer {
    const ending = this.#rules.filter(endsEvaluation);
    const goals = ending.map(rule => -this.#conditions.matches(rule));
    const found = this.#session.ask(goals);
    if (found.kind === 'impossible')
      return { kind: 'impossible', because: ending.filter((_, at) => found.needed.includes(goals[at]!)) };
    if (found.kind === 'unknown') return found;
    const exchanges = found.exchanges.flatMap(one => [one, withCredentials(one, this.#rules) ?? []].flat());
    const samples = exchanges.map(exchange => ({
      ...{ exchange, times: 1, isDrawn: this.#isDrawn },
      ...assumedFor(this.#coverage.goals[position]!, this.#rules),
    }));
    const sample = samples.find(one => this.reaches(one, position));
    if (sample !== undefined) return { kind: 'possible', sample };
    return { kind: 'unknown', reason: 'no request was found that no rule ends' };
  }

  /** Returns the signal that holds where the action of a goal finds something in the URL; undefined if it does not search. */
  #neededBy({ rule }: RuleGoals, { kind, part }: Goal): Signal | undefined {
    const from =
      (kind === 'runs' || kind === 'ends') && part !== undefined ? rule.actions[part]!.config.from : undefined;
    return this.#conditions.findsInUrl(rule, from)?.whenTrue;
  }

  /** Tries traffic that has what the actions of a rule name. */
  #tryVariants(rule: Rule, isShown: (exchange: Exchange) => boolean): void {
    const answer = this.#questions.canMatch(rule);
    if (answer.kind === 'possible') exchangeVariants(answer.exchange, [rule]).some(isShown);
  }

  #signalsOf(rule: RuleGoals, { kind, part, atom, expression }: Goal): Signal[] {
    switch (kind) {
      case 'fills':
      case 'fill-fails': {
        const { source } = interpolationsOf(rule.rule.actions[part!]!, this.#session.context.profile)[expression!]!;
        const value = this.#conditions.hasValue(rule.rule, source);
        const matches = this.#conditions.matches(rule.rule);
        return value === undefined ? [matches] : [matches, kind === 'fills' ? value : -value];
      }
      case 'does-not-match':
        return [this.#conditions.of(rule.rule).whenFalse];
      case 'fails': {
        const expressions = rule.rule.expressions.slice(0, part! + 1).map(({ typed }) => this.#at(rule, typed!));
        const last = expressions.pop()!;
        return [...expressions.map(one => one.whenTrue), -last.whenTrue, -last.whenFalse];
      }
      case 'decides-true':
      case 'decides-false': {
        const { graph } = this.#session.vocabulary;
        const atoms = rule.atoms.map(({ typed }) => this.#at(rule, typed));
        const own = kind === 'decides-true' ? atoms[atom!]!.whenTrue : atoms[atom!]!.whenFalse;
        return [own, decisionDiffers(graph, rule.decision, { atoms, atom: atom! })];
      }
      default:
        return [this.#conditions.matches(rule.rule)];
    }
  }

  #at({ rule }: RuleGoals, typed: NonNullable<Rule['expressions'][number]['typed']>): Condition {
    return this.#conditions.at(rule, [typed]);
  }
}

function isSearching({ actions }: Rule, part: number): boolean {
  return endsIfTheUrlChanges(actions[part]!);
}

/** Whether a replacement certainly is not what it replaces: both begin with other letters. */
function changesWhatItFinds(pattern: string, replacement: string): boolean {
  const start = /^(?:\^|\\A)?((?:[\w:/-]|\\[./])*)(?![*?+{|])/.exec(pattern)![1]!;
  const found = pattern.includes('|') ? '' : start.replaceAll('\\', '');
  const [made] = replacement.split('$') as [string];
  const isOpen = replacement.includes('$');
  const length = Math.min(found.length, made.length);
  return found.slice(0, length) !== made.slice(0, length) || (!isOpen && made.length < found.length);
}

function withoutExchange(answer: MatchAnswer): GoalAnswer {
  if (answer.kind === 'impossible') return { kind: 'impossible', because: answer.because };
  return answer.kind === 'unknown' ? answer : { kind: 'unknown', reason: 'the simulator does not confirm the request' };
}

/** A limit refuses what comes after its capacity. */
function timesFor({ rule }: RuleGoals, { kind, part }: Goal): number {
  const capacity = kind === 'ends' && part !== undefined ? rule.actions[part]!.config.capacity : undefined;
  const isCountable = typeof capacity === 'number' && Number.isInteger(capacity) && capacity < MAX_TIMES;
  return isCountable ? capacity + 1 : 1;
}

/** What actions name is added to no more requests. */
const MAX_SEEDS = 20;
/** Tests repeat a request at most this often. */
const MAX_TIMES = 10_000;

/** Actions whose effect no traffic shows let it pass, except for one that ends the policy. */
function assumedFor(
  { kind, rule, part }: Pick<Goal, 'kind' | 'part'> & { readonly rule?: number | undefined },
  rules: readonly Rule[],
): Pick<GoalSample, 'assume'> {
  const types = rules.flatMap(({ actions }) => actions.map(({ type }) => type.value)).filter(mayBeAssumed);
  if (types.length === 0) return {};
  const ending = kind === 'ends' ? rules[rule!]!.actions[part!]!.type.value : undefined;
  return { assume: Object.fromEntries(types.map(type => [type, type === ending ? 'refuses' : 'passes'])) };
}

/** @param wanted the goal that matters: of what is drawn at random, no more is tried once it is reached */
type ReachedBy = (sample: GoalSample, wanted?: number) => ReadonlySet<number>;

function prepareReached(policy: Policy, coverage: Coverage, { profile, environments }: PolicyContext): ReachedBy {
  const made = new Map<string, Simulation>();
  const simulationWith = (assume: ActionAssumptions | undefined, seed?: number) => {
    const key = JSON.stringify([assume ?? {}, seed]);
    let simulation = made.get(key);
    const options = { profile, environments, assume, ...(seed !== undefined && { seed }) };
    simulation ??= createSimulation({ ...policy, enabled: true }, options);
    made.set(key, simulation);
    return simulation;
  };
  const reachedIn = (simulation: Simulation, exchange: Exchange, times: number) => {
    const run = simulation.begin();
    for (let sent = 1; sent < times; sent++) run.decide(exchange);
    const watch = coverage.watch();
    return watch.reached(run.observe(exchange, watch));
  };
  return ({ exchange, times, assume, isDrawn }, wanted) => {
    const found = new Set(reachedIn(simulationWith(assume), exchange, times));
    for (const seed of isDrawn ? SEEDS : []) {
      if (wanted !== undefined && found.has(wanted)) break;
      // The place of an exchange selects the numbers, as a seed does.
      const drawn = { ...exchange, place: { ...exchange.place, number: seed } };
      for (const goal of reachedIn(simulationWith(assume, 1), drawn, times)) found.add(goal);
    }
    return found;
  };
}

// Formulas about the condition of a rule over its atoms: where the rule would do something else with the other value of one atom.

type Decision = RuleGoals['decision'];
type Tree = Decision['expressions'][number];

/** An atom among those of a rule. */
interface ChosenAtom {
  /** When each atom is true, and when it is false. */
  readonly atoms: readonly Condition[];
  readonly atom: number;
}

/** Returns where a rule with one value of the atom does something else than with the other, the other atoms being what they are. */
function decisionDiffers(graph: Graph, decision: Decision, { atoms, atom }: ChosenAtom): Signal {
  const [yes, no] = [ALWAYS_TRUE, ALWAYS_FALSE].map(value => {
    const conditions = atoms.with(atom, value);
    return allOf(
      graph,
      decision.expressions.map(tree => conditionOf(graph, tree, conditions)),
    );
  });
  const matches = graph.difference(yes!.whenTrue, no!.whenTrue);
  return decision.failuresCount ? graph.or([matches, graph.difference(yes!.whenFalse, no!.whenFalse)]) : matches;
}

function conditionOf(graph: Graph, tree: Tree, atoms: readonly Condition[]): Condition {
  const inner = (part: Tree) => conditionOf(graph, part, atoms);
  switch (tree.kind) {
    case 'atom':
      return atoms[tree.index]!;
    case 'not':
      return negated(inner(tree.operand));
    case 'and':
      return allOf(graph, tree.operands.map(inner));
    case 'or':
      return anyOf(graph, tree.operands.map(inner));
    case 'choice':
      return choiceOf(graph, inner(tree.condition), inner(tree.yes), inner(tree.no));
  }
}
