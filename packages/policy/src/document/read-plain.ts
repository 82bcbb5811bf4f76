import { EDGE_V2 } from '@tollgate/catalog';
import type { SourceText } from '@tollgate/diagnostics';
import { documentLimits } from './model/document-limits.ts';
import { type PlainValue, plainValue } from './model/document-node.ts';
import { Reporter } from './model/reporter.ts';
import { type PartPath, selectParts } from './model/select-part.ts';
import { readDocuments } from './read-document.ts';

/** Returns the only document of a file, or the part at the path, as a value. Undefined if it has errors, or if there is not exactly one. */
export function readPlain(source: SourceText, part?: PartPath): PlainValue | undefined {
  const reporter = new Reporter(source.uri, 1);
  const { documents } = readDocuments(source, { limits: documentLimits(EDGE_V2), reporter });
  const nodes = part ? selectParts(documents, part, reporter) : documents;
  const [node, second] = nodes;
  return node === undefined || second || !reporter.isEmpty ? undefined : plainValue(node);
}
