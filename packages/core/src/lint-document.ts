import type { Severity } from '@tollgate/diagnostics';
import {
  type ActiveRule,
  createLinter,
  type JoinedSettings,
  knownIds,
  type Linter,
  type LintRule,
  type LintTextOptions,
  lintText,
  mayReport,
  type RuleSettings,
  type RunWithTimeout,
  resolveRules,
} from '@tollgate/lint';
import type { PolicyDocument } from './documents.ts';

/** Runs a linter on a document: the findings of the analysis and of lint rules, and what the lint rules summarize. */
export function lintDocument(
  { source, target, part }: PolicyDocument,
  linter: Linter,
  options: Omit<LintTextOptions, 'profile' | 'endpoint' | 'environments' | 'part'> = {},
): ReturnType<typeof lintText> {
  return lintText(source, { ...target, ...(part && { part }), ...options }, linter);
}

/** What determines the lint rules for each file. */
export interface LinterChoice {
  readonly rules: readonly LintRule[];
  readonly lint: JoinedSettings;
  /** Whether the path of a file matches one of the patterns of settings. */
  readonly matches: (patterns: readonly string[], path: string) => boolean;
  /** Presets of the command line; they replace those in the settings. */
  readonly presets: readonly string[] | undefined;
  /** Severities from the command line; they override all others. */
  readonly settings: RuleSettings;
  /** The lowest severity that is reported; undefined if all are. */
  readonly minimumSeverity: Severity | undefined;
  /** Interrupts custom lint rules that take too long. */
  readonly runWithTimeout?: RunWithTimeout;
  /** Selects from the active lint rules; by default all run. */
  readonly isChosen?: (rule: LintRule) => boolean;
}

/** Returns a function from paths to linters; undefined for an ignored file. Each linter is created once. */
export function createLinterChoice(choice: LinterChoice): (path: string) => Linter | undefined {
  const { lint, matches, rules } = choice;
  const linters = new Map<string, Linter>();
  const known = knownIds(rules);
  return path => {
    if (matches(lint.ignore, path)) return undefined;
    const applied = lint.layers.flatMap(({ rules: general = {}, overrides = [] }) => [
      { rules: general, isMeant: true },
      ...overrides.map(override => ({
        rules: override.rules,
        isMeant: matches(override.files, path),
      })),
    ]);
    const key = applied.map(({ isMeant }) => Number(isMeant)).join('');
    const linter =
      linters.get(key) ?? make([...applied.flatMap(one => (one.isMeant ? [one.rules] : [])), choice.settings]);
    linters.set(key, linter);
    return linter;
  };

  function make(layers: readonly RuleSettings[]): Linter {
    const { active, adjust } = resolveRules(rules, choice.presets ?? lint.presets, layers);
    const { isChosen = () => true, minimumSeverity, runWithTimeout } = choice;
    const chosen = active.filter(one => isChosen(one.rule));
    return createLinter(reportableRules(chosen, minimumSeverity), {
      known,
      adjust,
      ...(runWithTimeout && { runWithTimeout }),
    });
  }
}

/** Returns the lint rules whose findings can be reported; all of them if one looks at the findings of the others. */
function reportableRules(active: readonly ActiveRule[], least: Severity | undefined): readonly ActiveRule[] {
  if (least === undefined) return active;
  const reportable = active.filter(one => mayReport(one, least));
  return reportable.some(one => one.rule.check.suppressions) ? active : reportable;
}
