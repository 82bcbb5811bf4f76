// Files for the server in a worker, which has none: it asks the editor. In a browser, the files of a workspace have a scheme of their own; to the server
// they are files.

import { FileType, RelativePattern, Uri, workspace } from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';

/** A request about a file or a directory, by its path. */
interface AboutPath {
  readonly path: string;
}

/** Files larger than this are no policies. */
const MAX_BYTES = 5_000_000;

/** The most policies and tests of a workspace that are looked for. */
const MAX_FILES = 1000;

/** Answers what the server asks. */
export function answerFileRequests(client: BaseLanguageClient): void {
  client.onRequest('tollgate/readFile', async ({ path }: AboutPath) => {
    const uri = uriOf(path);
    try {
      const { type, size } = await workspace.fs.stat(uri);
      if ((type & FileType.File) === 0 || size > MAX_BYTES) return null;
      return new TextDecoder().decode(await workspace.fs.readFile(uri));
    } catch {
      return null;
    }
  });
  client.onRequest('tollgate/findFiles', async ({ path }: AboutPath) => {
    const pattern = new RelativePattern(uriOf(path), '**/*.{yaml,yml,json}');
    const found = await workspace.findFiles(pattern, '**/node_modules/**', MAX_FILES);
    return found.map(one => one.path).toSorted();
  });
}

function uriOf(path: string): Uri {
  return uriConverters.protocol2Code(Uri.file(path).toString());
}

/** Between the URIs of the first folder's file system and those of files. */
export const uriConverters = {
  code2Protocol: (uri: Uri): string => {
    const root = workspace.workspaceFolders?.[0]?.uri;
    const isOurs = uri.scheme === root?.scheme && uri.authority === root.authority;
    return (isOurs ? uri.with({ scheme: 'file', authority: '' }) : uri).toString();
  },
  protocol2Code: (value: string): Uri => {
    const uri = Uri.parse(value);
    const root = workspace.workspaceFolders?.[0]?.uri;
    return uri.scheme === 'file' && root ? uri.with({ scheme: root.scheme, authority: root.authority }) : uri;
  },
};
