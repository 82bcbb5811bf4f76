import type { DocumentLink } from 'vscode-languageserver-types';
import { occurrencesIn } from '../navigation/occurrences.ts';
import { pageOf } from '../protocol/diagnostics.ts';
import { toRange } from '../protocol/ranges.ts';
import { uriOfPath } from '../protocol/uris.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Returns links to the files that a document names, and to the pages of lint rules. */
export function documentLinks(snapshot: Snapshot): readonly DocumentLink[] {
  return occurrencesIn(snapshot).flatMap(({ kind, file, name, range }): readonly DocumentLink[] => {
    if (kind === 'file' && file) return [{ range: toRange(snapshot.source, range), target: uriOfPath(file.path) }];
    return kind === 'lint-rule'
      ? [{ range: toRange(snapshot.source, range), target: pageOf(name), tooltip: name }]
      : [];
  });
}
