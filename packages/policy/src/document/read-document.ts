import { EDGE_V2 } from '@tollgate/catalog';
import type { SourceText } from '@tollgate/diagnostics';
import {
  type DocumentLimits,
  type DocumentNode,
  documentLimits,
  type PlainValue,
  plainValue,
  Reporter,
  reportLimit,
} from './document-node.ts';
import { readJson } from './read-json.ts';
import { readFastPath } from './read-subset.ts';
import { type ReadDocuments, readWithYamlLibrary } from './read-with-yaml-library.ts';
import { type PartPath, selectParts } from './select-part.ts';

/** Limits for reading, and where to report errors. */
interface DocumentReadOptions {
  readonly limits: DocumentLimits;
  readonly reporter: Reporter;
}

const NOTHING: ReadDocuments = { documents: [], comments: [] };

/**
 * Reads source text into nodes with ranges: strict JSON if the uri ends with `.json`, otherwise YAML. Reports every
 * error, and returns no documents if a limit is exceeded. Never throws, and takes time linear in the size of the text.
 */
export function readDocuments({ text, uri }: SourceText, { limits, reporter }: DocumentReadOptions): ReadDocuments {
  if (text.length > limits.maxDocumentSize) {
    reportLimit(reporter, 'maxDocumentSize', limits);
    return NOTHING;
  }
  if (/\.json$/i.test(uri)) return readJson(text, limits, reporter) ?? NOTHING;
  const direct = readFastPath(text, limits);
  if (direct) return { documents: [direct.root], comments: direct.comments, size: { nodes: direct.nodes, tokens: 0 } };
  return readWithYamlLibrary(text, limits, reporter) ?? NOTHING;
}

/** Reads as much of the documents as can be read, and ignores errors. */
export function parseDocuments(source: SourceText): readonly DocumentNode[] {
  return readDocuments(source, { limits: documentLimits(EDGE_V2), reporter: new Reporter(source.uri, 1) }).documents;
}

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
