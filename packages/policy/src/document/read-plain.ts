import { EDGE_V2 } from '@tollgate/catalog';
import type { SourceText } from '@tollgate/diagnostics';
import { documentLimits } from './model/document-limits.ts';
import { type DocumentNode, type PlainValue, plainValue } from './model/document-node.ts';
import { Reporter } from './model/reporter.ts';
import { type PartPath, selectParts } from './model/select-part.ts';
import { readDocuments } from './read-document.ts';

/** Returns the only document of a file, or the part at the path, as a value. Undefined if it has errors, or if there is not exactly one. */
export function readPlain(source: SourceText, part?: PartPath): PlainValue | undefined {
  const node = readOnly(source, part);
  return node && plainValue(node);
}

/** Returns the only document of a file, or the part at the path. Undefined if it has errors, or if there is not exactly one. */
export function readOnly(source: SourceText, part?: PartPath): DocumentNode | undefined {
  const reporter = new Reporter(source.uri, 1);
  const { documents } = readDocuments(source, { limits: documentLimits(EDGE_V2), reporter });
  const [node, second] = part ? selectParts(documents, part, reporter) : documents;
  return second || !reporter.isEmpty ? undefined : node;
}
