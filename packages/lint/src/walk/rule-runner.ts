import type { Diagnostic } from '@tollgate/diagnostics';
import type { ActiveRule } from '../config/active-rule.ts';
import type { LintRule } from '../rule-api/lint-rule.ts';
import { type Dispatch, dispatchTo } from './dispatch.ts';
import { type Fence, NO_FENCE } from './fence.ts';
import { failureFinding, type RuleFailure } from './rule-failure.ts';

/** The findings of lint rules, and which lint rules failed. */
export interface RuleOutcome {
  readonly found: readonly Diagnostic[];
  readonly failures: readonly RuleFailure[];
  /** Ids of lint rules that reached the work limit. */
  readonly undecided: readonly string[];
}

/** Calls lint rules for a file and returns their findings. */
type Walk = (dispatch: Dispatch) => readonly Diagnostic[];

/** Options of {@link RuleRunner}. */
interface RunnerOptions {
  /** Returns true for lint rules that come with Tollgate. */
  readonly isOwn: (rule: LintRule) => boolean;
  /** Called around each lint rule of a user and each file. */
  readonly fence?: Fence | undefined;
}

/**
 * Runs lint rules so that none affects another: all built-in ones in one walk, each of the users' in a walk of its own behind a fence, so
 * that it is known which one does not return.
 */
export class RuleRunner {
  readonly #own: Dispatch;
  readonly #added: readonly Dispatch[];
  readonly #fence: Fence;

  constructor(active: readonly ActiveRule[], { isOwn, fence = NO_FENCE }: RunnerOptions) {
    this.#own = dispatchTo(
      active.filter(one => isOwn(one.rule)),
      true,
    );
    this.#added = active.flatMap(one => (isOwn(one.rule) ? [] : [dispatchTo([one], false)]));
    this.#fence = fence;
  }

  /** Runs all lint rules. The findings of a lint rule that fails are replaced by one that says so. */
  run(uri: string, walk: Walk): RuleOutcome {
    const runs = [this.#own, ...this.#added].flatMap(dispatch => dispatch.runs);
    for (const run of runs) run.begin();
    const own = walk(this.#own);
    const added = this.#added.flatMap(dispatch => this.#runFenced(dispatch, walk));
    const failures = runs.flatMap(run => run.failure ?? []);
    const found = [...own, ...added];
    const undecided = runs.flatMap(run => (run.isUndecided ? [run.active.rule.id] : []));
    if (failures.length === 0) return { found, failures, undecided };
    const failed = new Set<string>(failures.map(one => one.id));
    const kept = found.filter(one => !failed.has(one.code));
    return { found: [...kept, ...failures.map(one => failureFinding(one, uri))], failures, undecided };
  }

  #runFenced(dispatch: Dispatch, walk: Walk): readonly Diagnostic[] {
    const [run] = dispatch.runs;
    if (run!.isStopped) return [];
    const outcome = this.#fence(() => walk(dispatch));
    if (outcome.isFinished) return outcome.value;
    run!.stop();
    return [];
  }
}
