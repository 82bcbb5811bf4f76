import { Lexer } from 'yaml';
import type { DocumentLimits } from '../model/document-limits.ts';

/** A limit that the document exceeds, and where. */
interface ExceededBound {
  readonly limit: 'maxDocumentDepth' | 'maxDocumentNodes' | 'maxDocumentTokens';
  readonly at: number;
}

/** The number of tokens, up to the limit that is exceeded. */
interface ScannedText {
  readonly tokens: number;
  readonly exceeded: ExceededBound | undefined;
}

/** Lexer output that is not source text: start of a document, start of a scalar, error in brackets. */
const MARKS: ReadonlySet<string> = new Set(['\u0002', '\u001f', '\u0018']);
const SCALAR = '\u001f';

/**
 * Finds documents that would take too much time or memory to parse. Uses the YAML library's lexer, which retains
 * nothing. Documents that pass are nested at most `maxDocumentDepth` deep in brackets and on any single line.
 */
export function scanBounds(text: string, limits: DocumentLimits): ScannedText {
  let at = 0;
  let tokens = 0;
  let scalars = 0;
  let brackets = 0;
  let onLine = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!isScalar && MARKS.has(lexeme)) {
      isScalar = lexeme === SCALAR;
      continue;
    }
    if (!isScalar) {
      brackets = Math.max(brackets + (BRACKETS[lexeme] ?? 0), 0);
      if (lexeme.endsWith('\n')) onLine = 0;
      else if (brackets === 0 && OPENERS.has(lexeme)) onLine += 1;
    }
    if (isScalar || QUOTE.test(lexeme)) scalars += 1;
    isScalar = false;
    tokens += 1;
    if (brackets > limits.maxDocumentDepth || onLine > limits.maxDocumentDepth + 1)
      return { tokens, exceeded: { limit: 'maxDocumentDepth', at } };
    if (scalars > 2 * limits.maxDocumentNodes) return { tokens, exceeded: { limit: 'maxDocumentNodes', at } };
    if (tokens > limits.maxDocumentTokens) return { tokens, exceeded: { limit: 'maxDocumentTokens', at } };
    at += lexeme.length;
  }
  return { tokens, exceeded: undefined };
}

const BRACKETS: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** Indicators that can each open another nested list or map on the same line. */
const OPENERS: ReadonlySet<string> = new Set(['-', '?', ':']);
const QUOTE = /^["']/;
