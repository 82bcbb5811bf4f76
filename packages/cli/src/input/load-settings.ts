// `tollgate.yaml` of the project that a file belongs to.

import { dirname, matchesGlob, relative, resolve, sep } from 'node:path';
import { type Extension, extendProfile, PROFILES } from '@tollgate/catalog';
import { type Settings, settingsSaying, type WhatFor } from '@tollgate/core/targeting';
import { type Diagnostic, ExternalError, type Report, type SourceText, textReport } from '@tollgate/diagnostics';
import {
  type EmbeddedSettings,
  extensionFaults,
  isMarkdown,
  type Project,
  parsePartPath,
  readExtension,
  readProject,
  type TemplateKind,
} from '@tollgate/policy';
import { EXIT, type ExitCode, type UsageError } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { type NamedBy, PROJECT_FILE } from '../trust/confinement.ts';
import { searchUpward } from '../trust/trusted-directories.ts';
import type { SettingsOptions } from './input-options.ts';
import { readSource } from './read-source.ts';

/** The settings of a run, or why they could not be loaded. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** Returns where policies are in a file, as far as that cannot be detected. */
  readonly embeddedSettings: EmbeddedSettingsOf;
  /** The settings files that were read. */
  readonly sources: readonly SourceText[];
  /** Problems in them. If there are any, no policy is checked. */
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly ExternalError[];
  /** The project file, if there is a readable one. */
  readonly project: { readonly path: string; readonly source: SourceText; readonly value: Project } | undefined;
}

/** Why settings could not be loaded. */
type SettingsProblems = Pick<LoadedSettings, 'sources' | 'diagnostics' | 'failures'>;

/** Where settings are looked for, and which code may run. */
export interface SettingsScope {
  /** By default the working directory. */
  readonly directory?: string;
  /** True if no module that settings name may run, trusted or not. */
  readonly runsNoCode?: true;
  /** Called for each module that may not run, which is then skipped. By default, loading fails. */
  readonly onUntrusted?: (error: UsageError, module: string, namedIn: string | undefined) => void;
}

/** Combines the options, the project file in the directory or above, and the extensions that either names. */
export async function loadSettings(
  given: SettingsOptions & SettingsScope,
  terminal: Terminal,
): Promise<LoadedSettings> {
  const options = { ...skippedByRequest(terminal), ...given };
  const loading = new Loading(terminal, options);
  const path = searchUpward(PROJECT_FILE, options.directory ?? process.cwd());
  const project: Project =
    (path === undefined ? undefined : await loading.read(path, readProject, { repositoryOf: dirname(path) })) ?? {};
  const named = (project.env ?? []).map(name => resolve(dirname(path ?? ''), name));
  const extensions: Extension[] = [
    {
      ...(project.switches && { switches: project.switches }),
      ...(project.limits && { limits: project.limits }),
      openTypes: project.openTypes ?? 'open',
    },
  ];
  for (const file of named) extensions.push((await loading.readEnv(file, path)) ?? {});
  for (const file of options.env ?? []) extensions.push((await loading.readEnv(file)) ?? {});
  const ofProject: Settings = {
    ...overridesOf(project),
    ofFile: file => overridesOf(overrideFor(file, project, dirname(path ?? ''))),
    adapt: one => extensions.reduce(extendProfile, one),
    ...(project.quotes && { quotes: project.quotes }),
  };
  const settings = settingsSaying(ofProject, overridesOf(options));
  const [source] = path === undefined ? [] : loading.sources;
  return {
    settings,
    embeddedSettings: createEmbeddedSettings(project, dirname(path ?? ''), options.templates),
    sources: loading.sources,
    diagnostics: loading.diagnostics,
    failures: loading.failures,
    project: path !== undefined && source?.uri === path ? { path, source, value: project } : undefined,
  };
}

/** With `--no-trust`, modules are skipped with a message instead of ending the run. */
export function skippedByRequest(terminal: Terminal): Pick<SettingsScope, 'onUntrusted'> {
  if (terminal.env.TOLLGATE_TRUST !== 'skip') return {};
  return { onUntrusted: error => printMessage(terminal, error.message) };
}

function overridesOf({ profile, endpoint }: Pick<Project, 'profile' | 'endpoint'>): WhatFor {
  return { profile: PROFILES.find(one => one.name === profile), endpoint };
}

function overrideFor(
  file: string,
  { overrides = [] }: Project,
  directory: string,
): Pick<Project, 'profile' | 'endpoint'> {
  return Object.assign({}, ...overrides.filter(({ files }) => matchesPatterns(files, file, directory)));
}

/** Returns the percentage that the coverage of a policy file must reach; undefined if none is set. */
export function coverageThreshold({ project }: Pick<LoadedSettings, 'project'>, file: string): number | undefined {
  const { failUnder, overrides = [] } = project?.value.coverage ?? {};
  const own = overrides.findLast(({ files }) => matchesPatterns(files, file, dirname(project!.path)));
  return own?.failUnder ?? failUnder;
}

/** Returns the report of settings that could not be loaded. It lists files only for their diagnostics, since no policy was checked. */
export function settingsReport({ sources, diagnostics, failures }: SettingsProblems): Report {
  return { sources: diagnostics.length > 0 ? sources : [], diagnostics, failures };
}

/** Reports why settings could not be loaded, for commands whose output is not a report. */
export function reportSettings({ sources, diagnostics, failures }: SettingsProblems, terminal: Terminal): ExitCode {
  if (diagnostics.length > 0) terminal.writeError(textReport({ sources, diagnostics }, reportStyle(terminal)));
  for (const failure of failures) printMessage(terminal, failure.message);
  return failures.length > 0 ? EXIT.external : EXIT.findings;
}

/** Reads settings files and collects their problems. */
class Loading {
  readonly sources: SourceText[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly failures: ExternalError[] = [];
  readonly #terminal: Terminal;
  readonly #scope: SettingsScope;

  constructor(terminal: Terminal, scope: SettingsScope) {
    this.#terminal = terminal;
    this.#scope = scope;
  }

  async read<T>(
    path: string,
    reader: (source: SourceText) => { readonly value: T | undefined; readonly diagnostics: readonly Diagnostic[] },
    by: NamedBy,
  ): Promise<T | undefined> {
    const source = await readSource(path, this.#terminal, by);
    if (source instanceof Error) {
      this.failures.push(source);
      return undefined;
    }
    const { value, diagnostics } = reader(source);
    this.sources.push(source);
    this.diagnostics.push(...diagnostics);
    return value;
  }

  /** @param namedIn the settings file that names it; undefined if the command line does */
  async readEnv(path: string, namedIn?: string): Promise<Extension | undefined> {
    if (!/\.[cm]?[jt]s$/.test(path))
      return await this.read(path, readExtension, namedIn === undefined ? 'user' : { repositoryOf: dirname(namedIn) });
    try {
      return await this.#readModule(path, namedIn);
    } catch (error) {
      if (!(error instanceof ExternalError)) throw error;
      this.failures.push(error);
      return undefined;
    }
  }

  /** A module exports the extension as its default export or as `env`. */
  async #readModule(path: string, namedIn: string | undefined): Promise<Extension | undefined> {
    const { loadModule } = await import('../trust/load-module.ts');
    const { createTimeout } = await import('../trust/run-with-timeout.ts');
    const trust = { ...this.#scope, env: this.#terminal.env, namedIn };
    const exported = await loadModule(path, { ...trust, runWithTimeout: createTimeout() });
    if (exported === undefined) return undefined;
    const { default: value, env } = exported;
    const faults = extensionFaults(value ?? env);
    for (const fault of faults) this.failures.push(new ExternalError('settings/invalid', `\`${path}\`: ${fault}`));
    return faults.length > 0 ? undefined : ((value ?? env) as Extension);
  }
}

/** Combines the settings of a project and the template language of the command line. */
function createEmbeddedSettings(
  { embedded = [], templates = [] }: Project,
  directory: string,
  language: TemplateKind | undefined,
): EmbeddedSettingsOf {
  return async file => ({
    addresses: embedded.flatMap(({ files, kind, path }) => {
      const part = parsePartPath(path);
      if (!part || (files && !matchesPatterns(files, file, directory))) return [];
      return [{ ...(kind !== undefined && { kind }), path: part.steps }];
    }),
    templates: language ?? templates.findLast(one => matchesPatterns(one.files, file, directory))?.language,
    ...(isMarkdown(file) && { fences: (await import('@tollgate/policy/markdown')).codeFences }),
  });
}

/** Returns how to find the policies in a file. The reader of Markdown is loaded on demand. */
export type EmbeddedSettingsOf = (path: string) => Promise<EmbeddedSettings>;

/** Returns true if a file matches one of the patterns, which are relative to a directory. */
export function matchesPatterns(patterns: readonly string[], path: string, directory: string): boolean {
  if (patterns.length === 0) return false;
  const name = relative(directory, resolve(path)).split(sep).join('/');
  return patterns.some(pattern => matchesGlob(name, pattern));
}

/** Returns the absolute paths of the extensions and lint rules that a project file names. */
export function modulesOf(project: LoadedSettings['project']): readonly string[] {
  if (!project) return [];
  const values: Readonly<Record<string, unknown>> = { ...project.value };
  const { lint } = values;
  const load = typeof lint === 'object' && lint !== null && 'load' in lint ? lint.load : undefined;
  const named = [values.env, load].flatMap(list => (Array.isArray(list) ? list : []));
  return named.filter(one => typeof one === 'string').map(name => resolve(dirname(project.path), name));
}
