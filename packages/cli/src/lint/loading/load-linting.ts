import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Diagnostic, ExternalError } from '@tollgate/diagnostics';
import {
  type Fence,
  type JoinedSettings,
  LINT_RULES,
  type LintRule,
  readLintSettings,
  ruleFaults,
} from '@tollgate/lint';
import type { Terminal } from '../../process/terminal.ts';
import { type LoadedSettings, loadSettings, type SettingsScope } from '../../settings/load-settings.ts';
import type { SettingsOptions } from '../../settings/settings-options.ts';
import { type ExtendedSettings, type LintFile, loadExtended } from './load-extended.ts';
import type { LoadedModules } from './loaded-modules.ts';
import { generationQuery } from './own-packages.ts';
import { createRuleFence } from './rule-fence.ts';

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
  const { paths, isComplete } = await trustedModules(extended.files, terminal, options);
  const fence = createRuleFence(options.ruleTimeout);
  const added = await loadModules(paths, { generation: modules.generation, failures, fence });
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

/** The modules to load. */
interface TrustedModules {
  readonly paths: readonly string[];
  /** False if some are skipped because they are not trusted. */
  readonly isComplete: boolean;
}

/** Returns the modules that the settings load. Throws a `UsageError` if one is not trusted, unless such modules are to be skipped. */
async function trustedModules(
  files: readonly LintFile[],
  { env }: Terminal,
  scope: SettingsScope,
): Promise<TrustedModules> {
  const named = files.flatMap(({ path, lint }) =>
    (lint.load ?? []).map(one => ({ module: resolve(dirname(path), one), namedIn: path })),
  );
  if (named.length === 0) return { paths: [], isComplete: true };
  const { mayRun } = await import('../../trust/may-run.ts');
  const trusted = named.filter(({ module, namedIn }) => mayRun(module, { ...scope, env, namedIn }));
  return { paths: [...new Set(trusted.map(({ module }) => module))], isComplete: trusted.length === named.length };
}

async function loadModules(
  paths: readonly string[],
  loading: Omit<ModuleLoading, 'added'>,
): Promise<readonly LintRule[]> {
  const added: LintRule[] = [];
  for (const path of paths) await loadModule(path, { ...loading, added });
  return added;
}

interface ModuleLoading {
  readonly generation: number;
  readonly added: LintRule[];
  readonly failures: ExternalError[];
  readonly fence: Fence;
}

/** A module exports lint rules, one by one or in lists. */
async function loadModule(path: string, { generation, added, failures, fence }: ModuleLoading): Promise<void> {
  if (generation === 0 && !loadsWithinLimit(path, fence)) {
    const reason = 'the module did not finish loading in time, and was stopped';
    failures.push(new ExternalError('settings/module', `cannot load \`${path}\`: ${reason}`));
    return;
  }
  try {
    const exported = (await import(pathToFileURL(path).href + generationQuery(generation))) as Record<string, unknown>;
    const values = Object.values(exported).flat();
    if (values.length === 0) failures.push(new ExternalError('settings/invalid', `\`${path}\` exports no lint rules`));
    for (const value of values) {
      const faults = ruleFaults(value);
      for (const fault of faults) failures.push(new ExternalError('settings/invalid', `\`${path}\`: ${fault}`));
      if (faults.length === 0) added.push(value as LintRule);
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    failures.push(new ExternalError('settings/module', `cannot load \`${path}\`: ${reason}`, { cause }));
  }
}

/** Loads a module with `require`, which can be interrupted; `import` then finds it loaded, or reports what is wrong with it. */
function loadsWithinLimit(path: string, fence: Fence): boolean {
  const require = createRequire(import.meta.url);
  try {
    return fence(() => require(path)).isFinished;
  } catch {
    return true;
  }
}

function duplicateRules(rules: readonly LintRule[]): readonly ExternalError[] {
  const ids = rules.map(rule => rule.id);
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [...repeated].map(id => new ExternalError('settings/invalid', `duplicate lint rule \`${id}\``));
}
