import { EvaluationError, type NonValue, Unknown } from '@tollgate/cel';
import type { PreparedPhase } from './prepare-policy.ts';
import { steadyRules } from './steady-rules.ts';
import type { TrafficState } from './traffic-state.ts';
import type { Verdict } from './verdict.ts';

/** Ways for conditions to come out that are kept at a time. */
const MAX_WAYS = 20_000;

/** What conditions have come out like, rule by rule, and the verdict on exchanges on which they do. */
class Way {
  verdict: Verdict | undefined;
  readonly #next = new Map<number, Way>();
  #lastKey = -1;
  #last: Way | undefined;

  /** Where it goes on from here; undefined where it has not yet. */
  after(key: number): Way | undefined {
    if (key === this.#lastKey) return this.#last;
    const next = this.#next.get(key);
    if (next !== undefined) {
      this.#lastKey = key;
      this.#last = next;
    }
    return next;
  }

  branch(key: number): Way {
    const next = new Way();
    this.#next.set(key, next);
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
  readonly #failuresEnd: boolean;
  readonly #ids = new ResultIds();
  #root = new Way();
  #ways = 0;
  /** Of the exchange at hand. */
  #way: Way = this.#root;
  #first = 0;
  #ended = false;
  /** More counts than how the conditions come out. */
  #unsteady = false;

  /** @param failuresEnd a condition that fails ends the evaluation */
  constructor(phases: readonly PreparedPhase[], failuresEnd: boolean) {
    this.#phases = phases.filter(phase => phase.rules.length > 0);
    this.#steady = steadyRules(this.#phases.flatMap(phase => phase.rules));
    this.#firsts = this.#phases.map((_, index) =>
      this.#phases.slice(0, index).reduce((count, { rules }) => count + rules.length, 0),
    );
    this.#failuresEnd = failuresEnd;
  }

  /** @param decide the plain evaluation of the exchange that has this state */
  judge(state: TrafficState, decide: () => Verdict): Verdict {
    if (this.#ways > MAX_WAYS || this.#ids.isFull) this.#forget();
    this.#way = this.#root;
    this.#ended = false;
    this.#unsteady = false;
    for (let index = 0; index < this.#phases.length && !this.#ended; index++) {
      const { conditions, build } = this.#phases[index]!;
      this.#first = this.#firsts[index]!;
      conditions.visit(build(state), this.#visit);
    }
    if (this.#unsteady) return decide();
    this.#way.verdict ??= decide();
    return this.#way.verdict;
  }

  readonly #visit = (index: number, result: true | NonValue): boolean => {
    const rule = this.#first + index;
    const fails = result !== true && !(result instanceof Unknown);
    const steady = this.#steady[rule];
    const id = result === true ? 0 : this.#ids.idOf(result);
    if ((steady === undefined && !fails) || id >= MAX_RESULTS) {
      this.#unsteady = true;
      this.#ended = true;
      return false;
    }
    const key = rule * MAX_RESULTS + id;
    this.#way = this.#way.after(key) ?? this.#branch(key);
    this.#ended = result === true ? steady!.ends : fails && this.#failuresEnd;
    return !this.#ended;
  };

  #branch(key: number): Way {
    this.#ways++;
    return this.#way.branch(key);
  }

  #forget(): void {
    this.#root = new Way();
    this.#ways = 0;
    this.#ids.clear();
  }
}

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
    const text = textOf(result);
    const id = this.#byText.get(text) ?? this.#byText.size + 1;
    this.#byText.set(text, id);
    this.#byObject.set(result, id);
    return id;
  }
}

function textOf(result: NonValue): string {
  if (result instanceof EvaluationError) return `${result.code}\n${result.exprId}\n${result.message}`;
  return `${result.constructor.name}\n${result instanceof Unknown ? result.attributes.join('\n') : ''}`;
}
