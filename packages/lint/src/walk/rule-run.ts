import { type Diagnostic, InternalError } from '@tollgate/diagnostics';
import type { PlainValue } from '@tollgate/policy';
import type { ActiveRule } from '../config/active-rule.ts';
import { accountOf } from '../primitives/work.ts';
import type { LintContext, LintedFile, LintFinding } from '../rule-api/lint-context.ts';
import { findingFault } from './finding-fault.ts';
import { offeredFixes } from './offered-fixes.ts';
import type { RuleFailure } from './rule-failure.ts';

/** What the runs of all lint rules on one file share. */
interface FileRun {
  readonly file: LintedFile;
  readonly found: Diagnostic[];
}

/** Proof steps for one lint rule and file: most of them need far fewer, so that a file takes seconds at worst. */
function workFor({ policies, profile }: LintedFile): number {
  const rules = policies.reduce((sum, policy) => sum + profile.phases.flatMap(phase => policy.rules[phase]).length, 0);
  return Math.min(MOST_WORK, WORK + WORK_PER_RULE * rules);
}

const WORK = 600_000;
const WORK_PER_RULE = 10_000;
/** Some ten seconds. */
const MOST_WORK = 10_000_000;

/**
 * Runs a lint rule on files. One object serves all files, so that visitors always see the same object shape. An exception ends the lint
 * rule for the file and affects nothing else.
 */
export class RuleRun implements LintContext {
  readonly active: ActiveRule;
  readonly options: ActiveRule['options'];
  readonly report: LintContext['report'];
  readonly isOwn: boolean;
  #run: FileRun | undefined;
  #failure: RuleFailure | undefined;
  #account = accountOf(0);
  #isStopped = false;

  constructor(active: ActiveRule, isOwn: boolean) {
    this.active = active;
    this.options = active.options;
    this.isOwn = isOwn;
    this.report = finding => this.#report(finding);
  }

  get file(): LintedFile {
    if (!this.#run) throw new InternalError(`\`${this.active.rule.id}\` accessed a file outside of a run`);
    return this.#run.file;
  }

  /** Why it failed on the file. */
  get failure(): RuleFailure | undefined {
    return this.#failure;
  }

  /** True once it did not return; it is not run again. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Resets the result of the previous file. */
  begin(): void {
    this.#failure = undefined;
  }

  start(run: FileRun): void {
    this.#run = run;
    this.#account = accountOf(workFor(run.file));
  }

  /** True if it reached the work limit. */
  get isUndecided(): boolean {
    return this.#account.isOpen;
  }

  stop(): void {
    this.#isStopped = true;
    this.#fail(undefined, 'stopped');
  }

  /** Calls a function of the lint rule. */
  show<T>(call: (value: T, context: LintContext) => void, value: T): void {
    if (this.#failure) return;
    this.#run!.file.work.account = this.#account;
    try {
      this.#refusePromise(call(value, this));
    } catch (error) {
      this.#fail(error, 'threw');
    }
  }

  /** Calls a function of the lint rule that takes a location. */
  showAt<T, At>(call: (value: T, at: At, context: LintContext) => void, value: T, at: At): void {
    if (this.#failure) return;
    this.#run!.file.work.account = this.#account;
    try {
      this.#refusePromise(call(value, at, this));
    } catch (error) {
      this.#fail(error, 'threw');
    }
  }

  /** Returns the summary of the file for comparisons. */
  summarize(): PlainValue | undefined {
    const { workspace } = this.active.rule;
    if (!workspace || this.#failure) return undefined;
    try {
      const summary = workspace.summarize(this.file);
      // Summaries are cached between runs.
      return this.isOwn || summary === undefined ? summary : JSON.parse(JSON.stringify(summary));
    } catch (error) {
      this.#fail(error, 'threw');
      return undefined;
    }
  }

  #fail(error: unknown, kind: RuleFailure['kind']): void {
    const { id } = this.active.rule;
    this.#failure ??= { id, kind, isOwn: this.isOwn, error };
  }

  /** Visitors of users may be `async` by mistake: their findings would come too late, and a rejection would end the process. */
  #refusePromise(result: unknown): void {
    if (!(result instanceof Promise)) return;
    result.catch(() => undefined);
    throw new TypeError('a visitor of a lint rule must not be `async`');
  }

  #report(finding: LintFinding): void {
    const { active } = this;
    const { file } = this;
    const { uri, text } = file.source;
    const fault = this.isOwn ? undefined : findingFault(finding, text.length);
    if (fault !== undefined) throw new TypeError(fault);
    const { severity, related, fixes, ...rest } = finding;
    const places = related?.map(place => ({ uri, ...place }));
    this.#run!.found.push({
      args: {},
      ...rest,
      code: active.rule.id,
      severity: active.isFixedSeverity ? active.severity : (severity ?? active.severity),
      uri,
      ...(places && { related: places }),
      ...(fixes && { fixes: offeredFixes(finding, file)! }),
    });
  }
}
