import type { Range } from '@tollgate/diagnostics';
import type { DocumentLimits } from './document-limits.ts';
import type { Reporter } from './reporter.ts';

const CODES = {
  maxDocumentSize: 'limit/document-size',
  maxDocumentDepth: 'limit/document-depth',
  maxDocumentNodes: 'limit/document-nodes',
  maxDocumentTokens: 'limit/document-tokens',
} as const;

const MESSAGES = {
  maxDocumentSize: 'the document is longer than the limit of',
  maxDocumentDepth: 'lists and maps are nested deeper than',
  maxDocumentNodes: 'the document, with its aliases expanded, has more values than',
  maxDocumentTokens: 'the document has more YAML tokens than',
} as const;

/** Reports that a document exceeds one of its limits. */
export function reportLimit(
  reporter: Reporter,
  limit: keyof DocumentLimits,
  limits: DocumentLimits,
  range: Range = { start: 0, end: 0 },
): void {
  const message = `${MESSAGES[limit]} ${limits[limit]} (${limit})`;
  reporter.report({ code: CODES[limit], message, range, args: { limit, value: limits[limit] } });
}
