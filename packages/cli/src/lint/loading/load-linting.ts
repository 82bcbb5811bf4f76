import { dirname, resolve } from 'node:path';
import { type Diagnostic, ExternalError } from '@tollgate/diagnostics';
import { type JoinedSettings, LINT_RULES, type LintRule, readLintSettings, ruleFaults } from '@tollgate/lint';
import type { Terminal } from '../../process/terminal.ts';
import {
  type LoadedSettings,
  loadSettings,
  type SettingsScope,
  skippedByRequest,
} from '../../settings/load-settings.ts';
import type { SettingsOptions } from '../../settings/settings-options.ts';
import { createFence } from '../../user-code/fence.ts';
import type { ModuleLoading } from '../../user-code/load-module.ts';
import { type ExtendedSettings, type LintFile, loadExtended } from './load-extended.ts';
import type { LoadedModules } from './loaded-modules.ts';
import { generationQuery } from './own-packages.ts';

/** All lint settings. */
export interface LintSetup extends LoadedSettings {
  /** Built-in and custom lint rules. */
  readonly rules: readonly LintRule[];
  readonly lint: JoinedSettings;
  /** The directory that file patterns are relative to. */
  readonly directory: string;
  /** The loaded modules. */
  readonly modules: LoadedModules;
}

const NO_SETTINGS: JoinedSettings = { presets: undefined, layers: [], ignore: [] };

/**
 * Loads the project settings, the settings that they extend, and the modules with custom lint rules; then validates the lint settings.
 */
export async function loadLinting(
  options: SettingsOptions & SettingsScope & { readonly ruleTimeout?: number },
  terminal: Terminal,
  modules: LoadedModules,
): Promise<LintSetup> {
  const loaded = await loadSettings(options, terminal);
  const directory = loaded.project ? dirname(loaded.project.path) : (options.directory ?? process.cwd());
  const nothing = { ...loaded, rules: LINT_RULES, lint: NO_SETTINGS, directory, modules };
  if (!loaded.project || loaded.diagnostics.length > 0) return nothing;
  const extended = await loadExtended(loaded.project, terminal);
  const failures = [...loaded.failures, ...extended.failures];
  const { generation } = modules;
  const fence = generation === 0 ? createFence(options.ruleTimeout) : undefined;
  const loading = {
    ...skippedByRequest(terminal),
    ...options,
    env: terminal.env,
    fence,
    query: generationQuery(generation),
  };
  const { added, isComplete } = await loadRules(namedModules(extended.files), loading, failures);
  const rules = [...LINT_RULES, ...added];
  failures.push(...duplicateRules(rules));
  const sources = [...loaded.sources, ...extended.files.slice(0, -1).map(({ source }) => source)];
  const diagnostics =
    extended.diagnostics.length > 0 || !isComplete ? extended.diagnostics : wrongNames(extended.files, rules, failures);
  return { ...loaded, sources, rules, lint: joined(extended), directory, modules, failures, diagnostics };
}

function joined({ files, presets }: ExtendedSettings): JoinedSettings {
  const layers = files.map(({ lint }) => lint);
  return { presets, layers, ignore: layers.flatMap(({ ignore = [] }) => ignore) };
}

/** Returns no diagnostics if a module failed to load, since the names of its lint rules are then unknown. */
function wrongNames(
  files: readonly LintFile[],
  rules: readonly LintRule[],
  failures: readonly ExternalError[],
): readonly Diagnostic[] {
  return failures.length > 0 ? [] : files.flatMap(({ source }) => readLintSettings(source, rules).diagnostics);
}

/** Returns the modules that the settings load, and which settings file names each first. */
function namedModules(files: readonly LintFile[]): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  for (const { path, lint } of files) {
    for (const module of (lint.load ?? []).map(one => resolve(dirname(path), one))) {
      if (!named.has(module)) named.set(module, path);
    }
  }
  return named;
}

/** The lint rules of modules. */
interface AddedRules {
  readonly added: readonly LintRule[];
  /** False if some modules are skipped because they are not trusted. */
  readonly isComplete: boolean;
}

/** A module exports lint rules, one by one or in lists. */
async function loadRules(
  modules: ReadonlyMap<string, string>,
  loading: Omit<ModuleLoading, 'namedIn'>,
  failures: ExternalError[],
): Promise<AddedRules> {
  const added: LintRule[] = [];
  let isComplete = true;
  if (modules.size === 0) return { added, isComplete };
  const { loadModule } = await import('../../user-code/load-module.ts');
  for (const [path, namedIn] of modules) {
    try {
      const exported = await loadModule(path, { ...loading, namedIn });
      if (exported === undefined) isComplete = false;
      else added.push(...rulesOf(path, exported, failures));
    } catch (error) {
      if (!(error instanceof ExternalError)) throw error;
      failures.push(error);
    }
  }
  return { added, isComplete };
}

function rulesOf(path: string, exported: Readonly<Record<string, unknown>>, failures: ExternalError[]): LintRule[] {
  const values = Object.values(exported).flat();
  if (values.length === 0) failures.push(new ExternalError('settings/invalid', `\`${path}\` exports no lint rules`));
  return values.filter((value): value is LintRule => {
    const faults = ruleFaults(value);
    for (const fault of faults) failures.push(new ExternalError('settings/invalid', `\`${path}\`: ${fault}`));
    return faults.length === 0;
  });
}

function duplicateRules(rules: readonly LintRule[]): readonly ExternalError[] {
  const ids = rules.map(rule => rule.id);
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [...repeated].map(id => new ExternalError('settings/invalid', `duplicate lint rule \`${id}\``));
}
