import type { SourceText } from '@tollgate/diagnostics';
import { readJson } from './json/read-json.ts';
import type { DocumentLimits } from './model/document-limits.ts';
import { reportLimit } from './model/report-limit.ts';
import type { Reporter } from './model/reporter.ts';
import { readDirectly } from './subset-reader/read-fast-path.ts';
import { type ReadText, readByLibrary } from './yaml-library/read-with-yaml-library.ts';

/** How a text is to be read. */
export interface TextReading {
  readonly limits: DocumentLimits;
  readonly reporter: Reporter;
}

const NOTHING: ReadText = { documents: [], comments: [] };

/**
 * Reads a text into nodes with places: JSON by the letter where the uri ends with `.json`, otherwise YAML. Everything that is wrong is reported, and nothing given when nothing can be made
 * of it. Never throws, and takes time linear in the size of the text.
 */
export function readText({ text, uri }: SourceText, { limits, reporter }: TextReading): ReadText {
  if (text.length > limits.maxDocumentSize) {
    reportLimit(reporter, 'maxDocumentSize', limits);
    return NOTHING;
  }
  if (/\.json$/i.test(uri)) return readJson(text, limits, reporter) ?? NOTHING;
  const direct = readDirectly(text, limits);
  if (direct) return { documents: [direct.root], comments: direct.comments, size: { nodes: direct.nodes, tokens: 0 } };
  return readByLibrary(text, limits, reporter) ?? NOTHING;
}
