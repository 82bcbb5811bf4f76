// The worker of the language server in a browser: the same server as everywhere, with the files that the editor reads for it.

import { contentKind } from '@tollgate/core/documents';
import { ExternalError, SourceText } from '@tollgate/diagnostics';
import { type AskClient, type Host, type Project, startServer } from '@tollgate/language-server';
import { workerTransport } from '@tollgate/language-server/browser';
import { hostProject, PROJECT_FILE } from '@tollgate/playground/project';
import { readProject } from '@tollgate/policy';

/** The build writes it here. */
declare const TOLLGATE_VERSION: string;

const setup = {
  version: TOLLGATE_VERSION,
  runsCommands: false,
  loadHost: async (ask: AskClient) => createHost(ask),
};
// An error of the worker, which the editor logs.
startServer(setup, workerTransport(self)).catch(reportError);

type ReadFile = (path: string) => Promise<SourceText | undefined>;

/** Returns access to the files that the editor can read. */
function createHost(ask: AskClient): Host {
  const read: ReadFile = async path => {
    const text = await ask('tollgate/readFile', { path });
    return typeof text === 'string' ? new SourceText(path, text) : undefined;
  };
  return {
    directory: '/',
    loadProject: directory => loadProject(directory, read),
    readFile: async path =>
      (await read(path)) ?? new ExternalError('file/not-found', `cannot read \`${path}\`: no such file`),
    findFiles: async path => {
      const found = await ask('tollgate/findFiles', { path });
      return Array.isArray(found) ? found.filter(one => !one.endsWith(`/${PROJECT_FILE}`)) : [];
    },
    kindOf: contentKind,
    today: () => new Date().toISOString().slice(0, 'yyyy-mm-dd'.length),
  };
}

/** Loads the settings of a directory or of the nearest one above it that has some. Modules do not run here. */
async function loadProject(directory: string, read: ReadFile): Promise<Project> {
  for (let at = directory.replace(/\/+$/, ''); ; at = at.slice(0, at.lastIndexOf('/'))) {
    const file = await read(`${at}/${PROJECT_FILE}`);
    const files = file ? [file, ...(await extensionsOf(file, at, read))] : [];
    if (file !== undefined || at === '') {
      const sources = new Map(files.map((one): [string, SourceText] => [one.uri, one]));
      return hostProject(directory, { reader: 'the editor in a browser', directory: `${at}/`, sources, profile: '' });
    }
  }
}

async function extensionsOf(file: SourceText, directory: string, read: ReadFile): Promise<readonly SourceText[]> {
  const names = readProject(file).value?.env ?? [];
  const found = await Promise.all(names.map(name => read(`${directory}/${name.replace(/^\.\//, '')}`)));
  return found.flatMap(one => one ?? []);
}
