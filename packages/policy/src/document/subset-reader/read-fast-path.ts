import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode } from '../model/document-node.ts';
import { type Cursor, skipToContent } from './cursor.ts';
import { readBlockNode } from './read-block.ts';

/** The contents of a well-formed document, or of a part of one. */
interface SubsetDocument {
  readonly root: DocumentNode;
  /** Each from `#` to the end of its line, in order. */
  readonly comments: readonly Range[];
  /** Number of values. */
  readonly nodes: number;
}

/** The limits that apply to well-formed documents. */
interface SubsetLimits {
  readonly maxDocumentDepth: number;
  readonly maxDocumentNodes: number;
}

/**
 * Anything that always needs the YAML library: tabs, carriage returns that do not belong to a line break, other line breaks, forbidden
 * characters, document markers, directives, a byte order mark.
 */
const UNSUPPORTED =
  /\r(?!\n)|[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|^(?:---|\.\.\.|%)/m;

/**
 * Reads YAML (and JSON) that is certainly well-formed and has no anchors or tags; undefined for anything else, which
 * the YAML library reads or rejects. Returns the same nodes as `readWithYamlLibrary`, about ten
 * times as fast.
 *
 * @param part a range to read as if it were a document; offsets stay those of the whole text
 */
export function readFastPath(text: string, limits: SubsetLimits, part?: Range): SubsetDocument | undefined {
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
