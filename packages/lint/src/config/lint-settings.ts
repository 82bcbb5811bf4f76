import type { Severity } from '@tollgate/diagnostics';

/** How a lint rule is to be: its severity, `on` for the one that it has by itself, or that with options. */
export type RuleSetting = Severity | 'off' | 'on' | RuleSettingWithOptions;

/** Options of a lint rule stand beside its severity. */
export interface RuleSettingWithOptions {
  readonly severity?: Severity | 'off' | 'on';
  readonly [option: string]: unknown;
}

/** By id of lint rule, code of the analysis, or `category/*`. Exact ids win over categories. */
export type RuleSettings = Readonly<Record<string, RuleSetting>>;

/** Settings for some files; later ones win over earlier ones. */
export interface SettingsOverride {
  /** Patterns of paths, relative to the file of settings. */
  readonly files: readonly string[];
  readonly rules: RuleSettings;
}

/** What the section `lint` of a project file says. */
export interface LintSettings {
  /**
   * Presets, files and packages of settings; `recommended` when absent. An empty list leaves every lint rule off that `rules` does not
   * name.
   */
  readonly extends?: readonly string[];
  readonly rules?: RuleSettings;
  readonly overrides?: readonly SettingsOverride[];
  /** Modules with lint rules, relative to the file of settings. */
  readonly load?: readonly string[];
  /** Patterns of files that are not linted, relative to the file of settings. */
  readonly ignore?: readonly string[];
}

/** Settings that have been put together from several files. */
export interface JoinedSettings {
  /** `recommended` when undefined. */
  readonly presets: readonly string[] | undefined;
  /** In the order of the files; later ones win. */
  readonly layers: readonly Pick<LintSettings, 'rules' | 'overrides'>[];
  readonly ignore: readonly string[];
}

/** What a severity may be called in settings. */
export const SETTING_SEVERITIES = ['error', 'warning', 'info', 'hint', 'off', 'on'] as const;
