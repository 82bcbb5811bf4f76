import { type EvaluationError, type NonValue, Unknown } from '@tollgate/cel';
import type { HitResult, RuleHit, Verdict } from '../decision/verdict.ts';
import { nonValueText } from '../preparation/non-value-text.ts';
import type { PreparedPhase } from '../preparation/prepare-policy.ts';
import type { TrafficState } from '../state/traffic-state.ts';
import { steadyRules } from './steady-rules.ts';

/** Ways for conditions to come out that are kept at a time. */
const MAX_WAYS = 20_000;

/** What conditions have come out like, rule by rule, and the verdict on exchanges on which they do. */
class Way {
  verdict: Verdict | undefined;
  /** It is open whether a rule has ended the evaluation. */
  readonly isOpen: boolean;
  /** The last rule of it, and what there is to say of that; undefined at the root. */
  readonly hit: RuleHit | undefined;
  readonly before: Way | undefined;
  /** Most ways go on in one way only. */
  #firstKey = -1;
  #first: Way | undefined;
  #others: Map<number, Way> | undefined;

  /** Where it goes on from here; undefined where it has not yet. */
  after(key: number): Way | undefined {
    return key === this.#firstKey ? this.#first : this.#others?.get(key);
  }

  constructor(hit?: RuleHit, before?: Way, isOpen = false) {
    this.hit = hit;
    this.before = before;
    this.isOpen = isOpen || before?.isOpen === true;
  }

  add(key: number, next: Way): Way {
    if (this.#first === undefined) {
      this.#firstKey = key;
      this.#first = next;
    } else {
      this.#others ??= new Map();
      this.#others.set(key, next);
    }
    return next;
  }
}

/**
 * Gives verdicts by how the conditions of all rules come out. Where no action's part in it hangs on the traffic, exchanges on which they come out
 * alike have the same verdict: it is made once, by the plain evaluation.
 */
export class Judge {
  readonly #phases: readonly PreparedPhase[];
  readonly #firsts: readonly number[];
  readonly #steady: ReturnType<typeof steadyRules>;
  /** For each rule what it did when it matched. */
  readonly #matched: readonly { readonly status: 'matched'; readonly actions: readonly 'fired'[] }[];
  readonly #positions: readonly number[];
  /** By the rule that ended the evaluation, and whether it failed: what became of the exchange. */
  readonly #ends = new Map<number, Pick<Verdict, 'outcomes' | 'status'>>();
  readonly #failuresEnd: boolean;
  readonly #ids = new ResultIds();
  /** By rule. */
  readonly #lastResults: (NonValue | undefined)[];
  readonly #lastIds: number[];
  #root = new Way();
  #ways = 0;
  #verdicts = 0;
  /** Of the exchange at hand. */
  #way: Way = this.#root;
  #first = 0;
  #ended = false;
  /** More counts than how the conditions come out. */
  #unsteady = false;

  /** @param failuresEnd a condition that fails ends the evaluation */
  constructor(phases: readonly PreparedPhase[], failuresEnd: boolean) {
    this.#phases = phases.filter(phase => phase.rules.length > 0);
    const rules = this.#phases.flatMap(phase => phase.rules);
    this.#steady = steadyRules(rules);
    this.#lastResults = rules.map(() => undefined);
    this.#lastIds = rules.map(() => 0);
    this.#matched = rules.map(({ steady }) => {
      const end = steady.findIndex(action => action?.ends === true);
      return { status: 'matched', actions: steady.slice(0, end < 0 ? steady.length : end + 1).map(() => 'fired') };
    });
    this.#positions = [...rules.keys()];
    this.#firsts = this.#phases.map((_, index) =>
      this.#phases.slice(0, index).reduce((count, { rules }) => count + rules.length, 0),
    );
    this.#failuresEnd = failuresEnd;
  }

  /** By rule: when it matches, how later conditions come out does not count, or all of them do not tell the verdict. */
  get cuts(): readonly boolean[] {
    return this.#steady.map(steady => steady?.ends !== false);
  }

  /** @param decide the plain evaluation of the exchange that has this state */
  judge(state: TrafficState, decide: () => Verdict): Verdict {
    this.#begin();
    for (let index = 0; index < this.#phases.length && !this.#ended; index++) {
      const { conditions, build } = this.#phases[index]!;
      this.#first = this.#firsts[index]!;
      conditions.visit(build(state), this.#visit);
    }
    if (this.#unsteady) return decide();
    return this.#reached(decide);
  }

  /**
   * Returns the verdict on exchanges that match these rules, and for which no other condition that counts is open or fails. If it depends on more,
   * returns `varied`; if it needs an exchange to be decided, the rule that ends the evaluation there, or -1.
   */
  judgeMatches(matched: readonly number[], decide?: () => Verdict): Verdict | 'varied' | number {
    this.#begin();
    this.#first = 0;
    for (const rule of matched) if (!this.#visit(rule, true)) break;
    if (this.#unsteady) return 'varied';
    const last = this.#ended ? this.#way.hit!.rule : NO_RULE;
    if (decide === undefined && this.#way.verdict === undefined && !this.#ends.has(last)) return last;
    return this.#reached(decide!);
  }

  #begin(): void {
    if (this.#ways > MAX_WAYS || this.#ids.isFull) this.#forget();
    this.#way = this.#root;
    this.#ended = false;
    this.#unsteady = false;
  }

  #reached(decide: () => Verdict): Verdict {
    this.#way.verdict ??= { ...this.#verdictOn(this.#way, decide), number: this.#verdicts++ };
    return this.#way.verdict;
  }

  /** Where it is certain how the evaluation goes, what came of each rule is put together; the end is as another exchange has had it. */
  #verdictOn(way: Way, decide: () => Verdict): Verdict {
    const last = this.#ended ? way.hit!.rule : NO_RULE;
    // A rule may end it in two ways: by what it does, and by failing.
    const key = this.#ended && way.hit!.result.status === 'failed' ? -2 - last : last;
    const end = way.isOpen ? undefined : this.#ends.get(key);
    if (end === undefined) {
      const verdict = decide();
      if (!way.isOpen) this.#ends.set(key, verdict);
      return verdict;
    }
    const hits: RuleHit[] = [];
    for (let at: Way | undefined = way; at?.hit !== undefined; at = at.before) hits.push(at.hit);
    const notReached = this.#ended ? this.#positions.slice(last + 1) : [];
    const { outcomes, status } = end;
    return { outcomes, needs: [], hits: hits.reverse(), notReached, status };
  }

  readonly #visit = (index: number, result: true | NonValue): boolean => {
    const rule = this.#first + index;
    const fails = result !== true && !(result instanceof Unknown);
    const steady = this.#steady[rule];
    const id = result === true ? 0 : this.#idOf(rule, result);
    if ((steady === undefined && !fails) || id >= MAX_RESULTS) {
      this.#unsteady = true;
      this.#ended = true;
      return false;
    }
    const key = rule * MAX_RESULTS + id;
    this.#way = this.#way.after(key) ?? this.#branch(key, { rule, result: this.#hitOf(rule, result) });
    this.#ended = result === true ? steady!.ends : fails && this.#failuresEnd;
    return !this.#ended;
  };

  /** What leaves a rule open is nearly always the same. */
  #idOf(rule: number, result: NonValue): number {
    if (this.#lastResults[rule] === result) return this.#lastIds[rule]!;
    this.#lastResults[rule] = result;
    this.#lastIds[rule] = this.#ids.idOf(result);
    return this.#lastIds[rule];
  }

  #branch(key: number, hit: RuleHit): Way {
    this.#ways++;
    const mayEnd = this.#failuresEnd || this.#steady[hit.rule]?.ends === true;
    return this.#way.add(key, new Way(hit, this.#way, hit.result.status === 'undetermined' && mayEnd));
  }

  #hitOf(rule: number, result: true | NonValue): HitResult {
    if (result === true) return this.#matched[rule]!;
    if (!(result instanceof Unknown)) return { status: 'failed', error: result as EvaluationError };
    const actions = this.#matched[rule]!.actions.map(() => 'may-have-fired' as const);
    return { status: 'undetermined', actions, needs: [...new Set(result.attributes)].sort() };
  }

  #forget(): void {
    this.#root = new Way();
    this.#ways = 0;
    this.#ids.clear();
    this.#lastResults.fill(undefined);
  }
}

const NO_RULE = -1;

/** Different errors and unknowns that are told apart at a time. */
const MAX_RESULTS = 4096;

/** Numbers for errors and unknowns, from 1: the same for those that say the same. */
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
