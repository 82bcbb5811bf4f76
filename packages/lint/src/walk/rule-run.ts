import { type Diagnostic, InternalError } from '@tollgate/diagnostics';
import type { LintContext, LintedFile, LintFinding } from '../rule/lint-context.ts';
import type { ActiveRule } from './active-rule.ts';

/** What the runs of all lint rules over one file share. */
export interface FileRun {
  readonly file: LintedFile;
  readonly found: Diagnostic[];
}

/** A lint rule while files are linted: one object for all of them, so that visitors are always called with the same shape. */
export class RuleRun implements LintContext {
  readonly active: ActiveRule;
  readonly options: ActiveRule['options'];
  readonly report: LintContext['report'];
  #run: FileRun | undefined;

  constructor(active: ActiveRule) {
    this.active = active;
    this.options = active.options;
    this.report = finding => this.#report(finding);
  }

  get file(): LintedFile {
    if (!this.#run) throw new InternalError(`\`${this.active.rule.id}\` looked at a file when there was none`);
    return this.#run.file;
  }

  start(run: FileRun): void {
    this.#run = run;
  }

  #report({ severity, related, ...finding }: LintFinding): void {
    const { active } = this;
    const { uri } = this.file.source;
    const places = related?.map(place => ({ uri, ...place }));
    this.#run!.found.push({
      args: {},
      ...finding,
      code: active.rule.id,
      severity: active.isFixedSeverity ? active.severity : (severity ?? active.severity),
      uri,
      ...(places && { related: places }),
    });
  }
}
