import {
  createLinter,
  knownIds,
  type Linter,
  type LintRule,
  type LintSettings,
  type RuleSettings,
  resolveRules,
} from '@tollgate/lint';
import { isMeantBy } from '../settings/file-patterns.ts';

/** What says which lint rules run where. */
export interface LinterChoice {
  readonly rules: readonly LintRule[];
  readonly lint: LintSettings;
  readonly directory: string;
  /** Presets of the command line, which take the place of those in the settings. */
  readonly presets: readonly string[] | undefined;
  /** Settings of the command line, which win over all others. */
  readonly settings: RuleSettings;
}

/** Gives the linter of a file, by its path; undefined for files that are not linted. Linters are made once. */
export function createLinterChoice(choice: LinterChoice): (path: string) => Linter | undefined {
  const { lint, directory, rules } = choice;
  const made = new Map<string, Linter>();
  const known = knownIds(rules);
  return path => {
    if (lint.ignore && isMeantBy(lint.ignore, path, directory)) return undefined;
    const applied = (lint.overrides ?? []).filter(({ files }) => isMeantBy(files, path, directory));
    const key = applied.map(one => lint.overrides!.indexOf(one)).join(' ');
    const linter = made.get(key) ?? make([lint.rules ?? {}, ...applied.map(one => one.rules), choice.settings]);
    made.set(key, linter);
    return linter;
  };

  function make(layers: readonly RuleSettings[]): Linter {
    const { active, adjust } = resolveRules(rules, choice.presets ?? lint.extends, layers);
    return createLinter(active, { known, adjust });
  }
}
