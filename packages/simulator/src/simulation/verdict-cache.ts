/** Verdicts by the results of conditions, so that exchanges with the same results are decided once. */
import { type EvaluationError, type NonValue, type Read, readsOf, type TypedAst, Unknown } from '@tollgate/cel';
import { fieldPathOf } from '@tollgate/cel/tooling';
import type { Exchange } from '@tollgate/traffic';
import type { ConstantEffect, Written } from '../actions/registry.ts';
import {
  type ColumnResults,
  ConditionColumn,
  type ConditionResult,
  type ConjunctSources,
  LeafStates,
} from '../conditions/condition-columns.ts';
import type { PreparedPhase } from '../conditions/prepare-policy.ts';
import { nonValueText } from '../conditions/unclear-conditions.ts';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import type { HitResult, Reach, RuleHit, Verdict } from './decision.ts';

/** Verdicts that are kept at a time. */
const MAX_VERDICTS = 20_000;

/** The verdict by results of conditions; `varied` if it depends on values, `need` if an exchange with the same `need` has to be decided for it. */
type ResultsVerdict = Verdict | 'varied' | { readonly need: string };

/** The verdict on exchanges whose conditions have these results. */
interface CachedVerdict {
  /** Of the rules whose condition is not false, in order: see `#keys`. */
  readonly keys: readonly number[];
  readonly verdict: Verdict;
  /** Another one with the same hash. */
  readonly next: CachedVerdict | undefined;
}

/**
 * Returns the verdict on an exchange from the results of its conditions. If the effects of all matching rules are constant, exchanges with the
 * same results have the same verdict, which the plain evaluation makes once.
 */
export class VerdictCache {
  readonly #phases: readonly PreparedPhase[];
  readonly #firsts: readonly number[];
  readonly #constant: ReturnType<typeof constantRules>;
  /** What each rule does when it matches. */
  readonly #matched: readonly { readonly status: 'matched'; readonly actions: readonly 'fired'[] }[];
  readonly #positions: readonly number[];
  /** What becomes of the exchange, by the rule that ended the evaluation and whether it failed. */
  readonly #ends = new Map<number, Pick<Verdict, 'outcomes' | 'status'>>();
  readonly #failuresEnd: boolean;
  readonly #ids = new ResultIds();
  /** By rule. */
  readonly #lastResults: (NonValue | undefined)[];
  readonly #lastIds: number[];
  /** By the hash of the results. */
  readonly #cached = new Map<number, CachedVerdict>();
  #kept = 0;
  #verdicts = 0;
  /** Of the current exchange: results other than false, each as the position of the rule and the id of the result, and their hash. */
  readonly #keys: number[] = [];
  readonly #results: (true | NonValue)[] = [];
  #count = 0;
  #hash = 0;
  #first = 0;
  #ended = false;
  /** The verdict depends on more than the results of conditions. */
  #varies = false;

  /** @param failuresEnd a condition that fails ends the evaluation */
  constructor(phases: readonly PreparedPhase[], failuresEnd: boolean) {
    this.#phases = phases.filter(phase => phase.rules.length > 0);
    const rules = this.#phases.flatMap(phase => phase.rules);
    this.#constant = constantRules(rules);
    this.#lastResults = rules.map(() => undefined);
    this.#lastIds = rules.map(() => 0);
    this.#matched = rules.map(({ constantEffects }) => {
      const end = constantEffects.findIndex(action => action?.ends === true);
      return {
        status: 'matched',
        actions: constantEffects.slice(0, end < 0 ? constantEffects.length : end + 1).map(() => 'fired'),
      };
    });
    this.#positions = [...rules.keys()];
    this.#firsts = this.#phases.map((_, index) =>
      this.#phases.slice(0, index).reduce((count, { rules }) => count + rules.length, 0),
    );
    this.#failuresEnd = failuresEnd;
  }

  /** By rule: it ends the evaluation whenever it matches. */
  get ends(): readonly boolean[] {
    return this.#constant.map(rule => rule?.ends === true);
  }

  /** @param decide the plain evaluation of the exchange that has this state */
  judge(state: TrafficState, decide: () => Verdict): Verdict {
    this.#evaluate(state);
    if (this.#varies) return decide();
    return this.#reached(decide);
  }

  /** Returns which rules match or fail, without what becomes of the exchange; undefined if conditions alone do not decide it. */
  reach(state: TrafficState): Reach | undefined {
    this.#evaluate(state);
    const found = this.#varies ? undefined : this.#currentReach();
    return found === undefined || this.#isOpen(found) ? undefined : found;
  }

  #evaluate(state: TrafficState): void {
    this.#begin();
    for (let index = 0; index < this.#phases.length && !this.#ended; index++) {
      this.#first = this.#firsts[index]!;
      this.#phases[index]!.conditions.visit(state, this.#visit);
    }
  }

  /** Returns the verdict on exchanges for which these conditions are not false, in the order of the rules. Without `decide`, it may need an exchange. */
  judgeResults(results: readonly ConditionResult[], decide?: () => Verdict): ResultsVerdict {
    this.#begin();
    this.#first = 0;
    for (const { rule, result } of results) if (!this.#visit(rule, result)) break;
    if (this.#varies) return 'varied';
    if (decide === undefined && this.#known === undefined) {
      const key = this.#endKey(this.#currentReach());
      if (key === undefined) return { need: `results ${this.#keys.slice(0, this.#count)}` };
      if (!this.#ends.has(key)) return { need: `end ${key}` };
    }
    return this.#reached(decide!);
  }

  #begin(): void {
    if (this.#kept > MAX_VERDICTS || this.#ids.isFull) this.#forget();
    this.#count = 0;
    this.#hash = 0;
    this.#ended = false;
    this.#varies = false;
  }

  get #known(): Verdict | undefined {
    let found = this.#cached.get(this.#hash);
    while (found !== undefined && !this.#isOf(found)) found = found.next;
    return found?.verdict;
  }

  #isOf({ keys }: CachedVerdict): boolean {
    const own = this.#keys;
    if (keys.length !== this.#count) return false;
    for (let at = 0; at < keys.length; at++) if (keys[at] !== own[at]) return false;
    return true;
  }

  get #lastRule(): number {
    return ruleOf(this.#keys[this.#count - 1]!);
  }

  #reached(decide: () => Verdict): Verdict {
    const known = this.#known;
    if (known !== undefined) return known;
    const verdict = { ...this.#makeVerdict(decide), number: this.#verdicts++ };
    const keys = this.#keys.slice(0, this.#count);
    this.#cached.set(this.#hash, { keys, verdict, next: this.#cached.get(this.#hash) });
    this.#kept++;
    return verdict;
  }

  /** Puts the verdict together from the results of each rule, and the end that another exchange had. */
  #makeVerdict(decide: () => Verdict): Verdict {
    const found = this.#currentReach();
    const key = this.#endKey(found);
    const end = key === undefined ? undefined : this.#ends.get(key);
    if (end === undefined) {
      const verdict = decide();
      if (key !== undefined) this.#ends.set(key, verdict);
      return verdict;
    }
    const { outcomes, status } = end;
    return { outcomes, needs: [], ...found, status };
  }

  /** What the end depends on: the rule that ends the evaluation, by its actions or by failing; undefined if it is open. */
  #endKey(found: Reach): number | undefined {
    if (this.#isOpen(found)) return undefined;
    if (!this.#ended) return NO_RULE;
    return found.hits.at(-1)!.result.status === 'failed' ? -2 - this.#lastRule : this.#lastRule;
  }

  #currentReach(): Reach {
    const hits = this.#keys.slice(0, this.#count).map((key, at): RuleHit => {
      const rule = ruleOf(key);
      return { rule, result: this.#hitOf(rule, this.#results[at]!) };
    });
    return { hits, notReached: this.#ended ? this.#positions.slice(this.#lastRule + 1) : [] };
  }

  /** Returns true if a rule whose condition is unknown may have ended the evaluation. */
  #isOpen({ hits }: Reach): boolean {
    return hits.some(({ rule, result }) => result.status === 'undetermined' && this.#mayEnd(rule));
  }

  #mayEnd(rule: number): boolean {
    return this.#failuresEnd || this.#constant[rule]?.ends === true;
  }

  readonly #visit = (index: number, result: true | NonValue): boolean => {
    const rule = this.#first + index;
    const fails = result !== true && !(result instanceof Unknown);
    const constant = this.#constant[rule];
    const id = result === true ? 0 : this.#idOf(rule, result);
    if ((constant === undefined && !fails) || id >= MAX_RESULTS) {
      this.#varies = true;
      this.#ended = true;
      return false;
    }
    const key = rule * MAX_RESULTS + id;
    this.#keys[this.#count] = key;
    this.#results[this.#count++] = result;
    this.#hash = (Math.imul(this.#hash, 31) + key) & MAX_HASH;
    this.#ended = result === true ? constant!.ends : fails && this.#failuresEnd;
    return !this.#ended;
  };

  /** A rule nearly always has the same result other than true. */
  #idOf(rule: number, result: NonValue): number {
    if (this.#lastResults[rule] === result) return this.#lastIds[rule]!;
    this.#lastResults[rule] = result;
    this.#lastIds[rule] = this.#ids.idOf(result);
    return this.#lastIds[rule];
  }

  #hitOf(rule: number, result: true | NonValue): HitResult {
    if (result === true) return this.#matched[rule]!;
    if (!(result instanceof Unknown)) return { status: 'failed', error: result as EvaluationError };
    const actions = this.#matched[rule]!.actions.map(() => 'may-have-fired' as const);
    return { status: 'undetermined', actions, needs: [...new Set(result.attributes)].sort() };
  }

  #forget(): void {
    this.#cached.clear();
    this.#kept = 0;
    this.#ids.clear();
    this.#lastResults.fill(undefined);
  }
}

const NO_RULE = -1;

/** Different errors and unknowns that have an id at a time. */
const MAX_RESULTS = 4096;

/** Small integers are looked up fastest. */
const MAX_HASH = 0x3fffffff;

function ruleOf(key: number): number {
  return Math.floor(key / MAX_RESULTS);
}

/** Interns errors and unknowns: ids from 1, equal for those with equal text. */
class ResultIds {
  #byObject = new WeakMap<NonValue, number>();
  readonly #byText = new Map<string, number>();

  get isFull(): boolean {
    return this.#byText.size >= MAX_RESULTS / 2;
  }

  clear(): void {
    this.#byObject = new WeakMap();
    this.#byText.clear();
  }

  /** Most are constants of the program. */
  idOf(result: NonValue): number {
    const known = this.#byObject.get(result);
    if (known !== undefined) return known;
    const text = nonValueText(result);
    const id = this.#byText.get(text) ?? this.#byText.size + 1;
    this.#byText.set(text, id);
    this.#byObject.set(result, id);
    return id;
  }
}

/** The parts of a rule that are known before it runs. */
interface RuleNature {
  readonly expressions: readonly TypedAst[];
  /** The constant effect of each action; undefined if it depends on the traffic. */
  readonly constantEffects: readonly (ConstantEffect | undefined)[];
}

/**
 * Returns for each rule whether it ends the evaluation whenever it matches; undefined if that depends on more than its condition, or if later
 * conditions may read what it changes. The rules are in the order of all phases.
 */
function constantRules(rules: readonly RuleNature[]): readonly ({ readonly ends: boolean } | undefined)[] {
  const found: ({ readonly ends: boolean } | undefined)[] = [];
  let laterReads: readonly Read[] = [];
  for (const { expressions, constantEffects } of rules.toReversed()) {
    found.push(natureOf(constantEffects, laterReads));
    laterReads = [...laterReads, ...expressions.flatMap(readsOf)];
  }
  return found.toReversed();
}

function natureOf(
  actions: RuleNature['constantEffects'],
  laterReads: readonly Read[],
): { readonly ends: boolean } | undefined {
  for (const action of actions) {
    if (action === undefined) return undefined;
    if (action.ends) return { ends: true };
    if (action.writes.some(written => laterReads.some(read => isChanged(read, written)))) return undefined;
  }
  return { ends: false };
}

function isChanged(read: Read, { path, key }: Written): boolean {
  const readPath = `${fieldPathOf(read)}.`;
  if (!(readPath.startsWith(`${path}.`) || `${path}.`.startsWith(readPath))) return false;
  const step = read.steps[path.split('.').length - 1];
  return key === undefined || step?.kind !== 'key' || step.key.value === key;
}

/** The conditions of a policy, divided by the part of an exchange that they read. */
export interface Leaves<Found = Verdict> {
  /** Each evaluates the conjuncts of all rules that read one part, and returns the class of their results. */
  readonly leaves: readonly ((exchange: Exchange) => number)[];
  /** Returns the class of the results of a leaf's conjuncts, in the order of their sources, where all are true or false. */
  readonly classOf: (leaf: number, results: readonly boolean[]) => number;
  /** What each leaf evaluates. The class depends on nothing but the results of the conjuncts of each rule. */
  readonly sources: readonly ConjunctSources[];
  /** Prepares to combine the classes, once most of them are known. */
  readonly combination: () => LeafCombination<Found>;
}

/** Combines the classes of exchanges in all leaves to states, which share a verdict. */
export interface LeafCombination<Found = Verdict> {
  /** Returns the state of exchanges that are of these classes in the leaves. A combination that was there before takes a look-up for each leaf. */
  readonly stateOf: (classes: readonly number[]) => number;
  /**
   * Returns the verdict on exchanges of a state after all leaves. It has a `number` if it is the same for all of them. If it depends on values,
   * returns `varied`; without an exchange, why that is needed: states with the same `need` require only one of theirs.
   */
  readonly verdictOf: (state: number, exchange?: Exchange) => Found | 'varied' | { readonly need: string };
}

/** What is known about the rules of all phases. */
export interface LeafContext {
  readonly stateOf: (exchange: Exchange) => TrafficState;
  /** By rule: it ends the evaluation whenever it matches. */
  readonly ends: readonly boolean[];
  readonly judge: (exchange: Exchange) => Verdict;
  /** Judges exchanges by the conditions that are not false. */
  readonly judgeResults: (results: readonly ConditionResult[], exchange?: Exchange) => ResultsVerdict;
}

/** Prepares the leaves of a policy; undefined if a condition may have another result each time. */
export function prepareLeaves(
  phases: readonly PreparedPhase[],
  { stateOf, ends, judge, judgeResults }: LeafContext,
): Leaves | undefined {
  const words = (ends.length + 31) >> 5;
  const columns: ConditionColumn[] = [];
  const sources: ConjunctSources[] = [];
  let first = 0;
  for (const { rules, conjuncts } of phases) {
    const prepared = conjuncts();
    if (prepared === undefined) return undefined;
    for (const one of prepared) {
      columns.push(new ConditionColumn(one, first, words));
      sources.push(one.source);
    }
    first += rules.length;
  }
  const known: ColumnResults[][] = columns.map(() => []);
  const numbered = (leaf: number, found: ColumnResults) => {
    known[leaf]![found.number] = found;
    return found.number;
  };
  const leaves = columns.map(
    (column, leaf) => (exchange: Exchange) => numbered(leaf, column.evaluate(stateOf(exchange))),
  );
  const classOf = (leaf: number, results: readonly boolean[]) => numbered(leaf, columns[leaf]!.ofKnown(results));
  const combination = (): LeafCombination => {
    const states = new LeafStates(columns, known, ends);
    const judged = new Map<number, Verdict | 'varied'>();
    return {
      stateOf: classes => states.stateOf(classes),
      verdictOf: (state, exchange) => {
        const results = states.resultsIn(state);
        if (results !== undefined) return judgeResults(results, exchange);
        const before = judged.get(state);
        if (before !== undefined) return before;
        if (exchange === undefined) return { need: `state ${state}` };
        const found = judge(exchange);
        const verdict = found.number === undefined ? 'varied' : found;
        judged.set(state, verdict);
        return verdict;
      },
    };
  };
  return { leaves, classOf, sources, combination };
}
