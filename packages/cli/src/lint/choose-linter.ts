import type { Severity } from '@tollgate/diagnostics';
import {
  type ActiveRule,
  createLinter,
  type Fence,
  type JoinedSettings,
  knownIds,
  type Linter,
  type LintRule,
  mayReport,
  type RuleSettings,
  resolveRules,
} from '@tollgate/lint';
import { isMeantBy } from '../settings/file-patterns.ts';

/** What says which lint rules run where. */
export interface LinterChoice {
  readonly rules: readonly LintRule[];
  readonly lint: JoinedSettings;
  readonly directory: string;
  /** Presets of the command line, which take the place of those in the settings. */
  readonly presets: readonly string[] | undefined;
  /** Settings of the command line, which win over all others. */
  readonly settings: RuleSettings;
  /** Nothing is seen of findings that are less grave; undefined where something may be. */
  readonly minimumSeverity: Severity | undefined;
  /** Around the lint rules that modules add. */
  readonly fence: Fence;
}

/** Gives the linter of a file, by its path; undefined for files that are not linted. Linters are made once. */
export function createLinterChoice(choice: LinterChoice): (path: string) => Linter | undefined {
  const { lint, directory, rules } = choice;
  const made = new Map<string, Linter>();
  const known = knownIds(rules);
  return path => {
    if (isMeantBy(lint.ignore, path, directory)) return undefined;
    const applied = lint.layers.flatMap(({ rules: general = {}, overrides = [] }) => [
      { rules: general, isMeant: true },
      ...overrides.map(one => ({ rules: one.rules, isMeant: isMeantBy(one.files, path, directory) })),
    ]);
    const key = applied.map(({ isMeant }) => Number(isMeant)).join('');
    const linter =
      made.get(key) ?? make([...applied.flatMap(one => (one.isMeant ? [one.rules] : [])), choice.settings]);
    made.set(key, linter);
    return linter;
  };

  function make(layers: readonly RuleSettings[]): Linter {
    const { active, adjust } = resolveRules(rules, choice.presets ?? lint.presets, layers);
    return createLinter(seenOf(active, choice.minimumSeverity), { known, adjust, fence: choice.fence });
  }
}

/** Those that may find something that is seen: all of them where one does that looks at what the others find. */
function seenOf(active: readonly ActiveRule[], least: Severity | undefined): readonly ActiveRule[] {
  if (least === undefined) return active;
  const seen = active.filter(one => mayReport(one, least));
  return seen.some(one => one.rule.check.suppressions) ? active : seen;
}
