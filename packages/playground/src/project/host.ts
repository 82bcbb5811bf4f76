// What the language server needs of the playground, and of editors in a browser: files, settings and linters.

import { contentKind } from '@tollgate/core/documents';
import { createTargeting } from '@tollgate/core/targeting';
import { ExternalError, SourceText } from '@tollgate/diagnostics';
import type { Host, Project } from '@tollgate/language-server';
import { LINT_RULES } from '@tollgate/lint';
import { type LoadedProject, loadProject, PROJECT_FILE, type ProjectFiles } from './load-project.ts';

export { PROJECT_FILE };

/** Where the language server believes the files to be. */
const DIRECTORY = '/play/';

/** What the page shows, as it tells the workers. */
export interface ShownFiles {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** The profile where settings name none; empty if it is detected. */
  readonly profile: string;
}

/** Returns the files as a project in a directory. */
export function projectFiles({ files, profile }: ShownFiles, directory: string): ProjectFiles {
  const sources = files.map(({ name, text }): [string, SourceText] => {
    const path = `${directory}${name}`;
    return [path, new SourceText(path, text)];
  });
  return { reader: 'the playground', directory, sources: new Map(sources), profile };
}

/** Returns access to the files that a page shows at the moment of each question. */
export function createHost(shown: () => ShownFiles): Host {
  return {
    directory: DIRECTORY.slice(0, -1),
    loadProject: async directory => hostProject(directory, projectFiles(shown(), DIRECTORY)),
    readFile: async path => {
      const source = projectFiles(shown(), DIRECTORY).sources.get(path);
      return source ?? new ExternalError('file/not-found', `cannot read \`${path}\`: no such file`);
    },
    findFiles: async () =>
      shown()
        .files.map(({ name }) => `${DIRECTORY}${name}`)
        .filter(path => !path.endsWith(`/${PROJECT_FILE}`))
        .sort(),
    kindOf: contentKind,
    today: () => new Date().toISOString().slice(0, 'yyyy-mm-dd'.length),
  };
}

type LinterOf = ReturnType<LoadedProject['linterOf']>;

/** Returns the settings of files as the language server needs them, for a directory. */
export function hostProject(directory: string, files: ProjectFiles): Project {
  const project = loadProject(files);
  // Made when they are needed: what the checker finds is shown before lint rules are loaded.
  let linters: { readonly fast: LinterOf; readonly all: LinterOf } | undefined;
  const file = `${files.directory}${PROJECT_FILE}`;
  return {
    directory,
    file: files.sources.has(file) ? file : undefined,
    targetOf: createTargeting(project.settings),
    lintersOf: path => {
      linters ??= { fast: project.linterOf(({ cost }) => cost === 'fast'), all: project.linterOf() };
      const [ofFast, ofAll] = [linters.fast(path), linters.all(path)];
      return ofFast && ofAll && { fast: ofFast, all: ofAll };
    },
    embeddedSettingsOf: project.embeddedSettingsOf,
    rules: () => LINT_RULES,
    diagnostics: project.diagnostics,
    failures: [],
    sources: project.sources,
  };
}
