import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Diagnostic, type SourceText, WorldError } from '@tollgate/diagnostics';
import { LINT_RULES, type LintRule, type LintSettings, readLintSettings, ruleFaults } from '@tollgate/lint';
import { type LoadedSettings, loadSettings } from '../settings/load-settings.ts';
import type { SettingsOptions } from '../settings/settings-options.ts';
import type { Terminal } from '../terminal.ts';
import { provideOwnPackages } from './own-packages.ts';

/** Everything that settings say about linting. */
export interface Linting extends LoadedSettings {
  /** Those that come with Tollgate, and those that modules add. */
  readonly rules: readonly LintRule[];
  readonly lint: LintSettings;
  /** What patterns of files are relative to. */
  readonly directory: string;
  /** The modules that were loaded, by their paths. */
  readonly modules: readonly string[];
}

/** Reads the settings as every command does, then loads modules with lint rules, then reads what is said about lint rules. */
export async function loadLinting(options: SettingsOptions, terminal: Terminal): Promise<Linting> {
  const loaded = await loadSettings(options, terminal);
  const directory = loaded.project ? dirname(loaded.project.path) : process.cwd();
  const nothing = { ...loaded, rules: LINT_RULES, lint: {}, directory, modules: [] };
  if (!loaded.project || loaded.diagnostics.length > 0) return nothing;
  const { load = [] } = readLintSettings(loaded.project.source, undefined).value ?? {};
  const modules = load.map(name => resolve(directory, name));
  const added: LintRule[] = [];
  const failures = [...loaded.failures];
  if (modules.length > 0) provideOwnPackages();
  for (const path of modules) await loadModule(path, added, failures);
  const rules = [...LINT_RULES, ...added];
  failures.push(...twice(rules));
  const { value, diagnostics } = settingsOf(loaded.project.source, rules, failures);
  return { ...loaded, rules, lint: value ?? {}, directory, modules, failures, diagnostics };
}

/** Where a module could not be loaded, names of its lint rules would only seem to be wrong. */
function settingsOf(source: SourceText, rules: readonly LintRule[], failures: readonly WorldError[]) {
  const none: { value: LintSettings | undefined; diagnostics: readonly Diagnostic[] } = { value: {}, diagnostics: [] };
  return failures.length > 0 ? none : readLintSettings(source, rules);
}

/** A module gives lint rules as what it exports, one by one or in lists. */
async function loadModule(path: string, added: LintRule[], failures: WorldError[]): Promise<void> {
  try {
    const exported = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
    const values = Object.values(exported).flat();
    if (values.length === 0) failures.push(new WorldError('settings/invalid', `\`${path}\` exports no lint rule`));
    for (const value of values) {
      const faults = ruleFaults(value);
      for (const fault of faults) failures.push(new WorldError('settings/invalid', `\`${path}\`: ${fault}`));
      if (faults.length === 0) added.push(value as LintRule);
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    failures.push(new WorldError('settings/module', `cannot load \`${path}\`: ${reason}`, { cause }));
  }
}

function twice(rules: readonly LintRule[]): readonly WorldError[] {
  const ids = rules.map(rule => rule.id);
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [...repeated].map(id => new WorldError('settings/invalid', `there are two lint rules \`${id}\``));
}
