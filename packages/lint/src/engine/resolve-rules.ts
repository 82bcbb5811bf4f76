// Which rules are active, with which severity and options: presets and settings.

import { type Diagnostic, ownValue, type Severity } from '@tollgate/diagnostics';
import type { LintRule } from '../rule-api/lint-rule.ts';
import { CODES_BY_ID, LOWERABLE } from './known-ids.ts';

/** The lint rules that run, and their severities. */
interface ResolvedRules {
  readonly active: readonly ActiveRule[];
  /** Returns a diagnostic of the analysis with the configured severity; undefined if it is off. */
  readonly adjust: (diagnostic: Diagnostic) => Diagnostic | undefined;
}

/** Applies settings to lint rules: presets first, then each layer of settings. */
export function resolveRules(
  rules: readonly LintRule[],
  presets: readonly string[] | undefined,
  layers: readonly RuleSettings[],
): ResolvedRules {
  const named = layers.map(settingsById);
  return {
    active: rules.flatMap(rule => activeRule(rule, presets ?? ['recommended'], named) ?? []),
    adjust: diagnostic => adjusted(diagnostic, severityOf(diagnostic.code, named)),
  };
}

/** Expands alternative names of codes. */
function settingsById(settings: RuleSettings): ReadonlyMap<string, RuleSetting> {
  const all = Object.entries(settings).flatMap(([id, setting]) =>
    (ownValue(CODES_BY_ID, id) ?? [id]).map(code => [code, setting] as const),
  );
  // An exact id wins over an alternative name.
  return new Map([...all, ...Object.entries(settings)]);
}

type SettingsById = readonly ReadonlyMap<string, RuleSetting>[];

function activeRule(rule: LintRule, presets: readonly string[], layers: SettingsById): ActiveRule | undefined {
  const isInPreset =
    (presets.includes('all') && rule.isInAll !== false) ||
    rule.presets.some(preset => presets.includes(preset)) ||
    isAdded(rule);
  const set = severityOf(rule.id, layers);
  const own = rule.severity === 'off' ? 'info' : rule.severity;
  const severity = set === 'on' ? own : (set ?? (isInPreset ? own : 'off'));
  if (severity === 'off') return undefined;
  const isFixedSeverity = set !== undefined && set !== 'on';
  return { rule, severity, isFixedSeverity, options: { ...defaultsOf(rule), ...optionsOf(rule.id, layers) } };
}

/** Lint rules of users are in no preset; they run unless they are off by default. */
function isAdded({ presets, severity }: LintRule): boolean {
  return presets.length === 0 && severity !== 'off';
}

/** Returns the severity in the last layer that names the id or its category. */
function severityOf(id: string, layers: SettingsById): Severity | 'off' | 'on' | undefined {
  const category = `${id.slice(0, id.indexOf('/'))}/*`;
  for (const layer of layers.toReversed()) {
    const severity = ownSeverity(layer.get(id)) ?? ownSeverity(layer.get(category));
    if (severity !== undefined) return severity;
  }
  return undefined;
}

function ownSeverity(setting: RuleSetting | undefined): Severity | 'off' | 'on' | undefined {
  return typeof setting === 'object' ? (setting.severity ?? 'on') : setting;
}

function optionsOf(id: string, layers: SettingsById): Readonly<Record<string, unknown>> {
  const given = layers.flatMap(layer => {
    const setting = layer.get(id);
    return typeof setting === 'object' ? Object.entries(setting) : [];
  });
  return Object.fromEntries(given.filter(([name]) => name !== 'severity'));
}

/** Errors of the analysis stay errors, except for those that settings may lower. */
function adjusted(diagnostic: Diagnostic, severity: Severity | 'off' | 'on' | undefined): Diagnostic | undefined {
  if (severity === undefined || severity === 'on') return diagnostic;
  if (diagnostic.severity === 'error' && !LOWERABLE.has(diagnostic.code)) return diagnostic;
  return severity === 'off' ? undefined : { ...diagnostic, severity };
}

/** A lint rule that runs, with its configuration. */
export interface ActiveRule {
  readonly rule: LintRule;
  readonly severity: Severity;
  /** True if settings fix the severity, so that findings cannot change it. */
  readonly isFixedSeverity: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Returns a lint rule with its defaults; one that is off becomes `info`. */
export function activate(rule: LintRule, options: Readonly<Record<string, unknown>> = {}): ActiveRule {
  const severity = rule.severity === 'off' ? 'info' : rule.severity;
  return { rule, severity, isFixedSeverity: false, options: { ...defaultsOf(rule), ...options } };
}

/** Returns the default options of a lint rule. */
function defaultsOf({ options = [] }: LintRule): Readonly<Record<string, unknown>> {
  return Object.fromEntries(options.map(field => [field.name, field.default]));
}

/** The setting of a lint rule: a severity, `on` for the default severity, or either with options. */
type RuleSetting = Severity | 'off' | 'on' | RuleSettingWithOptions;

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
