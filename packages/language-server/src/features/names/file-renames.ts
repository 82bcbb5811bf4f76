import { dirname, relative, sep } from 'node:path';
import type { WorkspaceEdit } from 'vscode-languageserver-types';
import { occurrencesIn } from '../../navigation/occurrences.ts';
import { toRange } from '../../protocol/ranges.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** A file or directory that gets a new path. */
interface FileRename {
  readonly from: string;
  readonly to: string;
}

/** Returns the edits that keep the paths in tests and settings correct when files are renamed. */
export function fileRenames(documents: readonly Snapshot[], renames: readonly FileRename[]): WorkspaceEdit {
  const changes = documents.flatMap(({ uri, source, path, ...rest }) => {
    const edits = occurrencesIn({ uri, source, path, ...rest }).flatMap(({ kind, file, range }) => {
      if (kind !== 'file' || !file) return [];
      const moved = newPath(file.path, renames);
      if (moved === undefined) return [];
      const name = relative(dirname(newPath(path, renames) ?? path), moved)
        .split(sep)
        .join('/');
      const isMarked = source.text.slice(range.start, range.end).startsWith('./');
      const suffix = /#.*$/.exec(source.text.slice(range.start, range.end))?.[0] ?? '';
      return [
        { range: toRange(source, range), newText: `${isMarked && !name.startsWith('.') ? './' : ''}${name}${suffix}` },
      ];
    });
    return edits.length === 0 ? [] : [[uri, edits] as const];
  });
  return { changes: Object.fromEntries(changes) };
}

function newPath(path: string, renames: readonly FileRename[]): string | undefined {
  const renamed = renames.find(({ from }) => path === from || path.startsWith(`${from}/`));
  return renamed && renamed.to + path.slice(renamed.from.length);
}
