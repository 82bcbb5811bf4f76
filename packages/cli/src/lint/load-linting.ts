// The linters of a project: its settings, those that they extend, and its own rules.

import { dirname, join, resolve } from 'node:path';
import { nearest } from '@tollgate/cel/tooling';
import { type Diagnostic, ExternalError, type SourceText } from '@tollgate/diagnostics';
import {
  type JoinedSettings,
  LINT_RULES,
  type LintRule,
  type LintSettings,
  readLintSettings,
  ruleFaults,
} from '@tollgate/lint';
import { type DocumentNode, LINT_PRESETS, rangeAt } from '@tollgate/policy';
import type { SettingsOptions } from '../input/input-options.ts';
import { type LoadedSettings, loadSettings, type SettingsScope, skippedByRequest } from '../input/load-settings.ts';
import { readSource } from '../input/read-source.ts';
import type { Terminal } from '../process/terminal.ts';
import { PROJECT_FILE } from '../trust/confinement.ts';
import type { ModuleLoading } from '../trust/load-module.ts';
import { createTimeout } from '../trust/run-with-timeout.ts';
import { searchUpward } from '../trust/trusted-directories.ts';
import { generationQuery, type LoadedModules } from './loaded-modules.ts';

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
  const runWithTimeout = generation === 0 ? createTimeout(options.ruleTimeout) : undefined;
  const loading = {
    ...skippedByRequest(terminal),
    ...options,
    env: terminal.env,
    runWithTimeout,
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
  const { loadModule } = await import('../trust/load-module.ts');
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

/** A settings file with its `lint` section. */
interface LintFile {
  readonly path: string;
  readonly source: SourceText;
  readonly lint: LintSettings;
}

/** The settings files, each after those that it extends. */
interface ExtendedSettings {
  readonly files: readonly LintFile[];
  /** All presets in any of the files; undefined if no file names presets. */
  readonly presets: readonly string[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly ExternalError[];
}

/** Reads the `lint` section of a settings file and everything it extends. Names of lint rules are checked later. */
async function loadExtended(project: Pick<LintFile, 'path' | 'source'>, terminal: Terminal): Promise<ExtendedSettings> {
  const loading = new Loading(terminal);
  await loading.add(project, []);
  const { files, diagnostics, failures, presets } = loading;
  return { files, diagnostics, failures, presets: presets.size > 0 || loading.isSaid ? [...presets] : undefined };
}

class Loading {
  readonly files: LintFile[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly failures: ExternalError[] = [];
  readonly presets = new Set<string>();
  /** True if a file names presets. */
  isSaid = false;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** A file that several others extend counts at its first position. */
  async add({ path, source }: Pick<LintFile, 'path' | 'source'>, trail: readonly string[]): Promise<void> {
    if (this.files.some(file => file.path === path)) return;
    const { value, root, diagnostics } = readLintSettings(source, undefined);
    this.diagnostics.push(...diagnostics);
    if (value === undefined) return;
    this.isSaid ||= value.extends !== undefined;
    for (const [index, name] of (value.extends ?? []).entries()) {
      const fault = await this.#extend(name, path, [...trail, path]);
      if (fault !== undefined && root) this.#report({ source, root, index }, fault);
    }
    this.files.push({ path, source, lint: value });
  }

  /** Returns the problem with a name, if any. */
  async #extend(name: string, from: string, trail: readonly string[]): Promise<SettingsFault | undefined> {
    if (LINT_PRESETS.some(preset => preset === name)) {
      this.presets.add(name);
      return undefined;
    }
    const path = pathOf(name, dirname(from));
    if (path === undefined) return { code: 'settings/unknown-name', message: unknown(name) };
    const at = trail.indexOf(path);
    if (at >= 0) {
      const circle = [...trail.slice(at), path].map(one => `\`${one}\``).join(', which extends ');
      return { code: 'settings/invalid', message: `circular \`extends\`: ${circle}` };
    }
    const source = await readSource(path, this.#terminal, { repositoryOf: dirname(from) });
    if (source instanceof Error) this.failures.push(source);
    else await this.add({ path, source }, trail);
    return undefined;
  }

  #report(
    { source, root, index }: { readonly source: SourceText; readonly root: DocumentNode; readonly index: number },
    { code, message }: SettingsFault,
  ): void {
    const range = rangeAt(root, { path: ['lint', 'extends', index] });
    this.diagnostics.push({ code, severity: 'error', message, uri: source.uri, range, args: {} });
  }
}

interface SettingsFault {
  readonly code: string;
  readonly message: string;
}

/** Returns the path of a name; undefined for a package that is not installed. */
function pathOf(name: string, directory: string): string | undefined {
  if (/^(?:\.{0,2}\/|[A-Za-z]:)/.test(name)) return resolve(directory, name);
  const file = /\.(?:ya?ml|json)$/.test(name) ? name : join(name, PROJECT_FILE);
  return searchUpward(join('node_modules', file), directory);
}

function unknown(name: string): string {
  const preset = nearest(name, LINT_PRESETS);
  const hint = preset === undefined ? '; to name a file, begin with `./`' : `; did you mean \`${preset}\`?`;
  return `no preset or installed package \`${name}\`${hint}`;
}
