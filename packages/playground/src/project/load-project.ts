// The settings of the playground's files: those of its `tollgate.yaml`, as the command would load them in a directory with these files.

import { type Extension, extendProfile, PROFILES } from '@tollgate/catalog';
import { createLinterChoice } from '@tollgate/core/linting';
import { createTargeting, type Settings, type WhatFor } from '@tollgate/core/targeting';
import type { Diagnostic, SourceText } from '@tollgate/diagnostics';
import {
  type JoinedSettings,
  LINT_RULES,
  type Linter,
  type LintRule,
  type LintSettings,
  readLintSettings,
} from '@tollgate/lint';
import {
  type DocumentNode,
  type EmbeddedSettings,
  isMarkdown,
  LINT_PRESETS,
  type Project,
  parsePartPath,
  rangeAt,
  readExtension,
  readProject,
} from '@tollgate/policy';
import { codeFences } from '@tollgate/policy/markdown';
import { minimatch } from 'minimatch';

/** The name of the file with the settings. */
export const PROJECT_FILE = 'tollgate.yaml';

/** Settings and what they name, all below one directory. */
export interface ProjectFiles {
  /** What reads them, for messages, such as `the playground`. */
  readonly reader: string;
  /** What stands before the names in the paths of files: empty, or a directory with `/` at its end. */
  readonly directory: string;
  /** By path. */
  readonly sources: ReadonlyMap<string, SourceText>;
  /** The profile where the settings name none; empty if it is detected. */
  readonly profile: string;
}

/** The settings that apply to the files. */
export interface LoadedProject {
  /** Undefined if there is no project file, or if it has errors. */
  readonly value: Project | undefined;
  /** The document of that file. */
  readonly root: DocumentNode | undefined;
  readonly settings: Settings;
  readonly embeddedSettingsOf: (path: string) => EmbeddedSettings;
  /** Returns whether the path of a file matches one of the patterns of the settings. */
  readonly matches: (patterns: readonly string[], path: string) => boolean;
  /** Returns the linter of a file with the chosen lint rules; undefined for a file that the settings ignore. */
  readonly linterOf: (isChosen?: (rule: LintRule) => boolean) => (path: string) => Linter | undefined;
  /** The settings files that were read. */
  readonly sources: readonly SourceText[];
  /** Problems in them. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads the settings of the files. */
export function loadProject({ reader, directory, sources, profile }: ProjectFiles): LoadedProject {
  const file = sources.get(`${directory}${PROJECT_FILE}`);
  const read = file && readProject(file);
  const project: Project = read?.value ?? {};
  const matches = (patterns: readonly string[], path: string) =>
    patterns.some(pattern => minimatch(path.slice(directory.length), pattern, GLOB));
  const named = (project.env ?? []).map((name, index) =>
    readNamed({ reader, directory, sources }, { name, index, file, root: read?.root }),
  );
  const own: Extension = {
    ...(project.switches && { switches: project.switches }),
    ...(project.limits && { limits: project.limits }),
    openTypes: project.openTypes ?? 'open',
  };
  const extensions = [own, ...named.flatMap(({ extension }) => extension ?? [])];
  const chosen = whatFor({
    profile: project.profile ?? profile,
    ...(project.endpoint && { endpoint: project.endpoint }),
  });
  const settings: Settings = {
    ...chosen,
    ofFile: path => {
      const overrides = (project.overrides ?? []).filter(one => matches(one.files, path));
      return whatFor(Object.assign({}, ...overrides));
    },
    adapt: one => extensions.reduce(extendProfile, one),
    ...(project.quotes && { quotes: project.quotes }),
  };
  const lint = file && lintSettings(file, reader);
  return {
    value: read?.value,
    root: read?.root,
    settings,
    embeddedSettingsOf: path => embeddedSettingsOf(project, path, matches),
    matches,
    linterOf: isChosen =>
      createLinterChoice({
        rules: LINT_RULES,
        lint: lint?.joined ?? { presets: undefined, layers: [], ignore: [] },
        matches,
        presets: undefined,
        settings: {},
        minimumSeverity: undefined,
        ...(isChosen && { isChosen }),
      }),
    sources: [...(file ? [file] : []), ...named.flatMap(({ source }) => source ?? [])],
    diagnostics: [...(read?.diagnostics ?? []), ...(lint?.diagnostics ?? []), ...named.flatMap(one => one.diagnostics)],
  };
}

/** As `path.matchesGlob` of Node, with which the command compares. */
const GLOB = { nonegate: true, nocomment: true, windowsPathsNoEscape: true, optimizationLevel: 2 } as const;

function whatFor({ profile, endpoint }: Pick<Project, 'profile' | 'endpoint'>): WhatFor {
  return { profile: PROFILES.find(one => one.name === profile), endpoint };
}

/** Returns the function from documents to profiles and environments. */
export function targetingOf({ settings }: LoadedProject): ReturnType<typeof createTargeting> {
  return createTargeting(settings);
}

function embeddedSettingsOf(
  { embedded = [], templates = [] }: Project,
  path: string,
  matches: LoadedProject['matches'],
): EmbeddedSettings {
  return {
    addresses: embedded.flatMap(({ files, kind, path: place }) => {
      const part = parsePartPath(place);
      if (!part || (files && !matches(files, path))) return [];
      return [{ ...(kind !== undefined && { kind }), path: part.steps }];
    }),
    templates: templates.findLast(one => matches(one.files, path))?.language,
    ...(isMarkdown(path) && { fences: codeFences }),
  };
}

interface NamedFile {
  readonly name: string;
  /** Its place in the list `env`. */
  readonly index: number;
  readonly file: SourceText | undefined;
  readonly root: DocumentNode | undefined;
}

interface ReadNamed {
  readonly extension?: Extension | undefined;
  readonly source?: SourceText;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads an extension that the settings name. Modules do not run: whoever sends a link must not decide what runs. */
function readNamed(
  { reader, directory, sources }: Pick<ProjectFiles, 'reader' | 'directory' | 'sources'>,
  { name, index, file, root }: NamedFile,
): ReadNamed {
  const source = sources.get(`${directory}${name.replace(/^\.\//, '')}`);
  const isModule = /\.[cm]?[jt]s$/.test(name);
  if (source !== undefined && !isModule) {
    const { value, diagnostics } = readExtension(source);
    return { extension: value, source, diagnostics };
  }
  if (!file || !root) return { diagnostics: [] };
  const message = isModule
    ? `\`${name}\` is not loaded; ${reader} runs no modules`
    : `no file \`${name}\`; add it, or remove its name`;
  return { diagnostics: [faultAt({ file, root, path: ['env', index] }, isModule ? 'warning' : 'error', message)] };
}

interface Place {
  readonly file: SourceText;
  readonly root: DocumentNode;
  readonly path: readonly (string | number)[];
}

function faultAt({ file, root, path }: Place, severity: Diagnostic['severity'], message: string): Diagnostic {
  const code = severity === 'warning' ? 'settings/untrusted-module' : 'settings/invalid';
  return { code, severity, message, uri: file.uri, range: rangeAt(root, { path }), args: {} };
}

/** Reads the section `lint`. It may extend presets: other files of settings are for repositories. */
function lintSettings(
  file: SourceText,
  reader: string,
): { readonly joined: JoinedSettings; readonly diagnostics: readonly Diagnostic[] } {
  const { value, root, diagnostics } = readLintSettings(file, LINT_RULES);
  if (value === undefined || root === undefined)
    return { joined: { presets: undefined, layers: [], ignore: [] }, diagnostics };
  const names = value.extends ?? [];
  const unknown = names.flatMap((name, index) =>
    LINT_PRESETS.some(preset => preset === name)
      ? []
      : [
          faultAt(
            { file, root, path: ['lint', 'extends', index] },
            'error',
            `\`${name}\` is not a preset; ${reader} extends presets only: ${LINT_PRESETS.map(one => `\`${one}\``).join(', ')}`,
          ),
        ],
  );
  return {
    joined: {
      presets: value.extends === undefined ? undefined : names.filter(name => LINT_PRESETS.some(one => one === name)),
      layers: [value],
      ignore: value.ignore ?? [],
    },
    diagnostics: [...diagnostics, ...unknown, ...modulesIn(value, { file, root, reader })],
  };
}

function modulesIn(
  { load = [] }: LintSettings,
  { file, root, reader }: Pick<Place, 'file' | 'root'> & Pick<ProjectFiles, 'reader'>,
): readonly Diagnostic[] {
  return load.map((name, index) => {
    const message = `\`${name}\` is not loaded; ${reader} runs no modules`;
    return faultAt({ file, root, path: ['lint', 'load', index] }, 'warning', message);
  });
}
