// One rule on one file: the context that its visitor gets, and checks of what it reports.

import {
  type Diagnostic,
  type Fix,
  InternalError,
  isRecord,
  type Range,
  SEVERITIES,
  type TextEdit,
} from '@tollgate/diagnostics';
import type { PlainValue } from '@tollgate/policy';
import { accountOf, type LintContext, type LintedFile, type LintFinding } from '../rule-api/lint-context.ts';
import { firstFrom } from '../sorted-ranges.ts';
import type { ActiveRule } from './resolve-rules.ts';

/** What the runs of all lint rules on one file share. */
interface FileRun {
  readonly file: LintedFile;
  readonly found: Diagnostic[];
}

/** Proof steps for one lint rule and file: most of them need far fewer, so that a file takes seconds at worst. */
function workFor({ policies, profile }: LintedFile): number {
  const rules = policies.reduce((sum, policy) => sum + profile.phases.flatMap(phase => policy.rules[phase]).length, 0);
  return Math.min(MAX_WORK, WORK + WORK_PER_RULE * rules);
}

const WORK = 600_000;
const WORK_PER_RULE = 10_000;
/** Some ten seconds. */
const MAX_WORK = 10_000_000;

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

/** Why a lint rule did not complete for a file. */
export interface RuleFailure {
  /** Id of the lint rule. */
  readonly id: string;
  readonly kind: 'threw' | 'stopped';
  /** True if it comes with Tollgate: then the failure is an internal error. */
  readonly isOwn: boolean;
  /** The exception. */
  readonly error: unknown;
}

/** Returns the finding that replaces all others of the lint rule in the file. */
export function failureFinding({ id, kind, isOwn, error }: RuleFailure, uri: string): Diagnostic {
  const [code, message] =
    kind === 'stopped'
      ? (['lint/rule-stopped', `lint rule \`${id}\` did not finish; fix it or turn it off`] as const)
      : isOwn
        ? ([
            'lint/internal-error',
            `internal error in lint rule \`${id}\`: ${reasonOf(error)}; please report it`,
          ] as const)
        : (['lint/rule-failed', `lint rule \`${id}\` failed: ${reasonOf(error)}; fix it or turn it off`] as const);
  return { code, severity: 'error', message, uri, range: { start: 0, end: 0 }, args: { rule: id } };
}

/** Formats the exception on one line. */
function reasonOf(error: unknown): string {
  return textOf(error).replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_REASON);
}

/** UTF-16 units. */
const LONGEST_REASON = 300;

/** A lint rule may throw any value, even one without a string form. */
function textOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'it threw a value without a string';
  }
}

/**
 * Returns why a value reported by a user's lint rule is not a finding. Without this check, reporters would fail far from the cause.
 *
 * @param length length of the document in UTF-16 units
 */
function findingFault(finding: unknown, length: number): string | undefined {
  if (!isRecord(finding)) return 'expected a finding';
  const { message, range, severity, related = [], fixes = [] } = finding;
  if (typeof message !== 'string' || message === '') return '`message` of a finding must be a non-empty string';
  if (!isRange(range, length)) return '`range` of a finding must be inside the document';
  if (severity !== undefined && !SEVERITIES.some(one => one === severity))
    return '`severity` of a finding must be a severity';
  if (!Array.isArray(related) || !related.every(one => isRecord(one) && isRange(one.range, length)))
    return '`related` of a finding must be a list of ranges inside the document';
  if (!Array.isArray(fixes) || !fixes.every(fix => isFix(fix, length)))
    return '`fixes` of a finding must be a list of fixes with edits inside the document';
  return undefined;
}

/** Returns the same for a lint rule that compares files; the finding must belong to one of them. */
export function workspaceFault(uri: unknown, finding: unknown, uris: ReadonlySet<string>): string | undefined {
  if (typeof uri !== 'string' || !uris.has(uri)) return 'a finding must be in one of the compared files';
  if (
    isRecord(finding) &&
    Array.isArray(finding.related) &&
    !finding.related.every(one => isRecord(one) && uris.has(String(one.uri)))
  )
    return '`related` of a finding must be a list of ranges in the compared files';
  return findingFault(finding, Number.MAX_SAFE_INTEGER);
}

function isFix(fix: unknown, length: number): boolean {
  if (!isRecord(fix) || typeof fix.title !== 'string' || !Array.isArray(fix.edits)) return false;
  return fix.edits.every(one => isRecord(one) && typeof one.newText === 'string' && isRange(one.range, length));
}

function isRange(range: unknown, length: number): boolean {
  if (!isRecord(range)) return false;
  const { start, end } = range;
  if (!Number.isInteger(start) || !Number.isInteger(end)) return false;
  return 0 <= Number(start) && Number(start) <= Number(end) && Number(end) <= length;
}

/**
 * Returns the fixes to offer for a finding. A safe fix that would delete a comment becomes a suggestion, unless the finding is about that
 * comment; a fix that would delete or move an anchor that an alias refers to is not offered.
 */
function offeredFixes(
  { range, fixes }: Pick<LintFinding, 'range' | 'fixes'>,
  file: Pick<LintedFile, 'source' | 'comments'>,
): readonly Fix[] | undefined {
  const kept = fixes?.filter(fix => !breaksAlias(fix, file.source.text));
  return kept?.map(fix =>
    fix.applicability === 'safe' && losesComment(fix, range, file) ? { ...fix, applicability: 'suggestion' } : fix,
  );
}

/** Names of anchors or aliases, also some that only look like them, such as in a pattern: then a fix is withheld in vain. */
const ANCHORS = /(?<=^|[\s[{,:-])&([^\s,[\]{}]+)/g;
const ALIASES = /(?<=^|[\s[{,:-])\*([^\s,[\]{}]+)/g;

function breaksAlias({ edits }: Fix, text: string): boolean {
  if (!text.includes('*') || !text.includes('&')) return false;
  const removed = edits.map(({ range }) => text.slice(range.start, range.end));
  const anchors = new Set(removed.flatMap(one => Array.from(one.matchAll(ANCHORS), ([, name]) => name)));
  if (anchors.size === 0) return false;
  const aliases = Array.from(text.matchAll(ALIASES));
  return aliases.some(
    ({ index, 1: name }) => anchors.has(name) && !edits.some(({ range }) => range.start <= index && index < range.end),
  );
}

function losesComment(
  { edits }: Fix,
  about: Range,
  { source: { text }, comments }: Pick<LintedFile, 'source' | 'comments'>,
): boolean {
  const written = edits.map(one => one.newText).join('\n');
  return edits.some(({ range }) => {
    const own = commentsTouched(range, comments).filter(one => one.start > about.start || one.end < about.end);
    const lost = own.map(one => text.slice(one.start, one.end).trimEnd());
    return [...lost, ...expressionComments(text, range)].some(one => !written.includes(one));
  });
}

function commentsTouched({ start, end }: TextEdit['range'], comments: readonly Range[]): readonly Range[] {
  const found: Range[] = [];
  const before = firstFrom(comments, start) - 1;
  for (let at = Math.max(before, 0); at < comments.length && comments[at]!.start < end; at += 1)
    if (comments[at]!.end > start) found.push(comments[at]!);
  return found;
}

/** Matches CEL comments, also in double-quoted scalars, where a line break is `\n`. URLs do not count. */
function expressionComments(text: string, { start, end }: Range): readonly string[] {
  const removed = text.slice(start, end);
  if (!removed.includes('//')) return [];
  return Array.from(removed.matchAll(/(?<!:)\/\/(?:(?!\\n)[^\r\n])*/g), ([comment]) => comment.trimEnd());
}
