// Whether a test can reach a goal of coverage: an exchange on which it does, confirmed by the simulator, or a proof that there is none.

import type { Policy, Rule } from '@tollgate/policy';
import { type Coverage, createSimulation, type Goal, type RuleGoals } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { Condition, Signal } from '../logic/formula.ts';
import { type MatchAnswer, PolicyQuestions } from '../policy/can-match.ts';
import { endsEvaluation, RuleConditions } from '../policy/rule-conditions.ts';
import type { PolicyContext, SolverSession } from '../policy/session.ts';
import { decisionDiffers } from './decision-signals.ts';

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
}

/** Questions about the goals of a policy, which is treated as enabled. */
export class GoalQuestions {
  readonly #session: SolverSession;
  readonly #coverage: Coverage;
  readonly #questions: PolicyQuestions;
  readonly #conditions: RuleConditions;
  readonly #reachedBy: ReachedBy;
  readonly #rules: readonly Rule[];
  readonly #answers = new Map<number, GoalAnswer>();

  constructor(session: SolverSession, policy: Policy, coverage: Coverage) {
    this.#session = session;
    this.#coverage = coverage;
    this.#questions = new PolicyQuestions(session, policy);
    this.#conditions = new RuleConditions(session, policy, () => false);
    this.#rules = coverage.rules.map(one => one.rule);
    this.#reachedBy = prepareReached(policy, coverage, session.context);
  }

  /** Returns the goals that traffic reaches. */
  reachedBy(sample: GoalSample): ReadonlySet<number> {
    return this.#reachedBy(sample);
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

  #find(position: number, goal: Goal): GoalAnswer {
    if (goal.impossible !== undefined) return { kind: 'impossible', because: [], reason: goal.impossible };
    if (goal.members !== undefined) return this.#anyOf(goal.members);
    if (goal.rule === undefined) return this.#passes(position);
    const rule = this.#coverage.rules[goal.rule]!;
    const all = timesFor(rule, goal);
    let sample: GoalSample | undefined;
    const isShown = (exchange: Exchange) => {
      const times = all.find(one => this.#reachedBy({ exchange, times: one }).has(position));
      if (times !== undefined) sample = { exchange, times };
      return times !== undefined;
    };
    const answer = this.#questions.canShow(rule.rule, this.#signalsOf(rule, goal), isShown);
    return sample === undefined ? withoutExchange(answer) : { kind: 'possible', sample };
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
    const exchange = found.exchanges.find(one => this.#reachedBy({ exchange: one, times: 1 }).has(position));
    if (exchange !== undefined) return { kind: 'possible', sample: { exchange, times: 1 } };
    return { kind: 'unknown', reason: 'no request was found that no rule ends' };
  }

  #signalsOf(rule: RuleGoals, { kind, part, atom }: Goal): readonly Signal[] {
    switch (kind) {
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

function withoutExchange(answer: MatchAnswer): GoalAnswer {
  if (answer.kind === 'impossible') return { kind: 'impossible', because: answer.because };
  return answer.kind === 'unknown' ? answer : { kind: 'unknown', reason: 'the simulator does not confirm the request' };
}

/** A limit refuses what comes after its capacity. */
function timesFor({ rule }: RuleGoals, { kind, part }: Goal): readonly number[] {
  const capacity = kind === 'ends' && part !== undefined ? rule.actions[part]!.config.capacity : undefined;
  const isCountable = typeof capacity === 'number' && Number.isInteger(capacity) && capacity < MAX_TIMES;
  return isCountable ? [capacity + 1] : [1];
}

/** Tests repeat a request at most this often. */
const MAX_TIMES = 10_000;

type ReachedBy = (sample: GoalSample) => ReadonlySet<number>;

function prepareReached(policy: Policy, coverage: Coverage, { profile, environments }: PolicyContext): ReachedBy {
  const simulation = createSimulation({ ...policy, enabled: true }, { profile, environments });
  return ({ exchange, times }) => {
    const run = simulation.begin();
    for (let sent = 1; sent < times; sent++) run.decide(exchange);
    const watch = coverage.watch();
    return new Set(watch.reached(run.observe(exchange, watch)));
  };
}
