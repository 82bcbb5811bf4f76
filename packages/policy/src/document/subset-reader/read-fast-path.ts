import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode } from '../model/document-node.ts';
import { type Cursor, skipToContent } from './cursor.ts';
import { readBlockNode } from './read-block.ts';

/** What a well-formed document, or a part of one, holds. */
export interface DirectDocument {
  readonly root: DocumentNode;
  /** From `#` to the end of the line, in order. */
  readonly comments: readonly Range[];
  /** How many values there are. */
  readonly nodes: number;
}

/** Bounds, as those of documents. */
export interface DirectLimits {
  readonly maxDocumentDepth: number;
  readonly maxDocumentNodes: number;
}

/**
 * What is left to the YAML library wherever it stands: other blanks and line breaks, characters that may not be there,
 * markers of documents, directives, a byte order mark.
 */
const UNSUPPORTED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|^(?:---|\.\.\.|%)/m;

/**
 * Reads YAML (and JSON) that is well-formed beyond doubt and needs neither anchors nor tags; undefined for anything else, which is
 * then for the YAML library to read, or to complain of. What it gives is what `readByLibrary` gives, about ten
 * times as fast.
 *
 * @param part read this stretch as if it were a document; positions are those of the whole
 */
export function readDirectly(text: string, limits: DirectLimits, part?: Range): DirectDocument | undefined {
  const { start, end } = part ?? { start: 0, end: text.length };
  if (UNSUPPORTED.test(part ? text.slice(start, end) : text)) return undefined;
  const cursor: Cursor = {
    text,
    end,
    at: start,
    lineStart: start,
    depthLeft: limits.maxDocumentDepth,
    nodesLeft: limits.maxDocumentNodes,
    comments: [],
  };
  if (!skipToContent(cursor)) return undefined;
  const root = readBlockNode(cursor, -1);
  if (!root || cursor.nodesLeft < 0 || skipToContent(cursor)) return undefined;
  return { root, comments: cursor.comments, nodes: limits.maxDocumentNodes - cursor.nodesLeft };
}
