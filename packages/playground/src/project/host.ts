// What the language server needs of the playground: files, settings and linters.

import { contentKind } from '@tollgate/core/documents';
import { createTargeting } from '@tollgate/core/targeting';
import { ExternalError, SourceText } from '@tollgate/diagnostics';
import type { Host, Project } from '@tollgate/language-server';
import { LINT_RULES } from '@tollgate/lint';
import { loadProject, PROJECT_FILE, type ProjectFiles } from './load-project.ts';

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
  return { directory, sources: new Map(sources), profile };
}

/** Returns access to the files that a page shows at the moment of each question. */
export function createHost(shown: () => ShownFiles): Host {
  return {
    directory: DIRECTORY.slice(0, -1),
    loadProject: async directory => hostProject(directory, shown()),
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

function hostProject(directory: string, shown: ShownFiles): Project {
  const files = projectFiles(shown, DIRECTORY);
  const project = loadProject(files);
  const fast = project.linterOf(({ cost }) => cost === 'fast');
  const all = project.linterOf();
  const file = `${DIRECTORY}${PROJECT_FILE}`;
  return {
    directory,
    file: files.sources.has(file) ? file : undefined,
    targetOf: createTargeting(project.settings),
    lintersOf: path => {
      const [ofFast, ofAll] = [fast(path), all(path)];
      return ofFast && ofAll && { fast: ofFast, all: ofAll };
    },
    carriersOf: project.carriersOf,
    // Read when it is needed: lint rules are loaded last.
    get rules() {
      return LINT_RULES;
    },
    diagnostics: project.diagnostics,
    failures: [],
    sources: project.sources,
  };
}
