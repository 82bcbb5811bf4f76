import { EDGE_V2 } from '@tollgate/catalog';
import type { SourceText } from '@tollgate/diagnostics';
import { readJson } from './json/read-json.ts';
import { type DocumentLimits, documentLimits } from './model/document-limits.ts';
import type { DocumentNode } from './model/document-node.ts';
import { reportLimit } from './model/report-limit.ts';
import { Reporter } from './model/reporter.ts';
import { readFastPath } from './subset-reader/read-fast-path.ts';
import { type ReadDocuments, readWithYamlLibrary } from './yaml-library/read-with-yaml-library.ts';

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
