import type { Severity } from '@tollgate/diagnostics';

/** The setting of a lint rule: a severity, `on` for the default severity, or either with options. */
export type RuleSetting = Severity | 'off' | 'on' | RuleSettingWithOptions;

/** Options are keys next to the severity. */
interface RuleSettingWithOptions {
  readonly severity?: Severity | 'off' | 'on';
  readonly [option: string]: unknown;
}

/** Settings of lint rules by id, by code of the analysis, or by category (`http/*`). An exact id overrides its category. */
export type RuleSettings = Readonly<Record<string, RuleSetting>>;

/** Settings for some files; later overrides win. */
interface SettingsOverride {
  /** Path patterns, relative to the settings file. */
  readonly files: readonly string[];
  readonly rules: RuleSettings;
}

/** The `lint` section of a project file. */
export interface LintSettings {
  /** Presets, and files and packages with settings; `recommended` when absent. With an empty list, only the lint rules in `rules` run. */
  readonly extends?: readonly string[];
  readonly rules?: RuleSettings;
  readonly overrides?: readonly SettingsOverride[];
  /** Modules with lint rules, relative to the settings file. */
  readonly load?: readonly string[];
  /** Path patterns of files that are not linted, relative to the settings file. */
  readonly ignore?: readonly string[];
}

/** Settings merged from several files. */
export interface JoinedSettings {
  /** `recommended` when undefined. */
  readonly presets: readonly string[] | undefined;
  /** In the order of the files; later ones win. */
  readonly layers: readonly Pick<LintSettings, 'rules' | 'overrides'>[];
  readonly ignore: readonly string[];
}

/** Severities in settings. */
export const SETTING_SEVERITIES = ['error', 'warning', 'info', 'hint', 'off', 'on'] as const;
