import type { Diagnostic } from '@tollgate/diagnostics';
import type { PlainValue } from '@tollgate/policy';
import type { FileSummary } from '../rule-api/lint-rule.ts';
import { isOwnRule } from '../rules/lint-rules.ts';
import type { ActiveRule } from './resolve-rules.ts';
import { failureFinding, type RuleFailure, workspaceFault } from './rule-run.ts';
import { type Dispatch, type RuleOutcome, type RunWithTimeout, WITHOUT_TIMEOUT } from './rule-runner.ts';

/** Summaries of a file, by id of lint rule. */
export type Summaries = Readonly<Record<string, PlainValue>>;

/** Returns the summaries of the last file for lint rules that compare files. */
export function summarize({ runs }: Dispatch): Summaries {
  const found = runs.flatMap(run => {
    const summary = run.summarize();
    return summary === undefined ? [] : [[run.active.rule.id, summary] as const];
  });
  return Object.fromEntries(found);
}

/** A file of a run, with its summaries. */
interface SummarizedFile {
  readonly uri: string;
  readonly summaries: Summaries;
}

/** Compares the files of a run. Lint rules of users run under a timeout. Free if no lint rule compares files. */
export function lintWorkspace(
  files: readonly SummarizedFile[],
  active: readonly ActiveRule[],
  runWithTimeout: RunWithTimeout = WITHOUT_TIMEOUT,
): Omit<RuleOutcome, 'undecided'> {
  const outcomes = active.map(one => compare(files, one, isOwnRule(one.rule) ? WITHOUT_TIMEOUT : runWithTimeout));
  return {
    found: outcomes.flatMap(one => one.found),
    failures: outcomes.flatMap(one => one.failures),
  };
}

function compare(
  files: readonly SummarizedFile[],
  active: ActiveRule,
  runWithTimeout: RunWithTimeout,
): Omit<RuleOutcome, 'undecided'> {
  const { id } = active.rule;
  const isOwn = isOwnRule(active.rule);
  const own = files.flatMap(({ uri, summaries }): FileSummary[] => {
    const summary = summaries[id];
    return summary === undefined ? [] : [{ uri, summary }];
  });
  const fail = (kind: RuleFailure['kind'], error?: unknown): Omit<RuleOutcome, 'undecided'> => {
    const failure: RuleFailure = { id, kind, isOwn, error };
    return { found: own.slice(0, 1).map(({ uri }) => failureFinding(failure, uri)), failures: [failure] };
  };
  try {
    const outcome = runWithTimeout(() => comparisons(own, active, isOwn));
    return outcome.isFinished ? { found: outcome.value, failures: [] } : fail('stopped');
  } catch (error) {
    return fail('threw', error);
  }
}

function comparisons(
  files: readonly FileSummary[],
  { rule, severity, isFixedSeverity }: ActiveRule,
  isOwn: boolean,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const uris = new Set(files.map(({ uri }) => uri));
  rule.workspace?.compare(files, (uri, finding) => {
    const fault = isOwn ? undefined : workspaceFault(uri, finding, uris);
    if (fault !== undefined) throw new TypeError(fault);
    const { severity: override, ...rest } = finding;
    const ownSeverity = isFixedSeverity ? severity : (override ?? severity);
    found.push({ args: {}, ...rest, code: rule.id, severity: ownSeverity, uri });
  });
  return found;
}
