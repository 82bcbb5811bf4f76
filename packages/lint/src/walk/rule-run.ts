import { type Diagnostic, InternalError } from '@tollgate/diagnostics';
import type { PlainValue } from '@tollgate/policy';
import type { ActiveRule } from '../config/active-rule.ts';
import { accountOf } from '../primitives/work.ts';
import type { LintContext, LintedFile, LintFinding } from '../rule-api/lint-context.ts';
import { findingFault } from './finding-fault.ts';
import { keepingComments } from './keep-comments.ts';
import type { RuleFailure } from './rule-failure.ts';

/** What the runs of all lint rules over one file share. */
export interface FileRun {
  readonly file: LintedFile;
  readonly found: Diagnostic[];
}

/**
 * Steps of proofs that one lint rule may cause in one file: a second or so. A thousand rules that have little to do with each other take
 * a tenth of it.
 */
const WORK = 10_000_000;

/**
 * A lint rule while files are linted: one object for all of them, so that visitors are always called with the same shape. What a visitor
 * throws ends the lint rule for the file, and nothing else.
 */
export class RuleRun implements LintContext {
  readonly active: ActiveRule;
  readonly options: ActiveRule['options'];
  readonly report: LintContext['report'];
  readonly isOwn: boolean;
  #run: FileRun | undefined;
  #failure: RuleFailure | undefined;
  #account = accountOf(WORK);
  #isStopped = false;

  constructor(active: ActiveRule, isOwn: boolean) {
    this.active = active;
    this.options = active.options;
    this.isOwn = isOwn;
    this.report = finding => this.#report(finding);
  }

  get file(): LintedFile {
    if (!this.#run) throw new InternalError(`\`${this.active.rule.id}\` looked at a file when there was none`);
    return this.#run.file;
  }

  /** Why it did not get through the file. */
  get failure(): RuleFailure | undefined {
    return this.#failure;
  }

  /** Whether it did not return from some file: it sees no other then. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Forgets how the last file ended. */
  begin(): void {
    this.#failure = undefined;
  }

  start(run: FileRun): void {
    this.#run = run;
    this.#account = accountOf(WORK);
  }

  /** Whether the work that it may cause did not suffice for all that it asked. */
  get isUndecided(): boolean {
    return this.#account.isOpen;
  }

  stop(): void {
    this.#isStopped = true;
    this.#fail(undefined, 'stopped');
  }

  /** Calls a function of the lint rule with what it is to see. */
  show<T>(call: (value: T, context: LintContext) => void, value: T): void {
    if (this.#failure) return;
    this.#run!.file.work.account = this.#account;
    try {
      this.#refusePromise(call(value, this));
    } catch (error) {
      this.#fail(error, 'threw');
    }
  }

  /** Calls a function of the lint rule with what it is to see, and where that is. */
  showAt<T, At>(call: (value: T, at: At, context: LintContext) => void, value: T, at: At): void {
    if (this.#failure) return;
    this.#run!.file.work.account = this.#account;
    try {
      this.#refusePromise(call(value, at, this));
    } catch (error) {
      this.#fail(error, 'threw');
    }
  }

  /** What the lint rule says of the file to be compared with others. */
  summarize(): PlainValue | undefined {
    const { workspace } = this.active.rule;
    if (!workspace || this.#failure) return undefined;
    try {
      const summary = workspace.summarize(this.file);
      // Summaries are kept between runs.
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

  /** A visitor of a user may be `async` all the same: what it finds comes too late, and what it throws would end the process. */
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
      ...(fixes && { fixes: keepingComments(finding, file)! }),
    });
  }
}
