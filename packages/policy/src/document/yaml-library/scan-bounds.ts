import { Lexer } from 'yaml';
import type { DocumentLimits } from '../model/document-limits.ts';

/** A bound that a text exceeds, and where. */
export interface ExceededBound {
  readonly limit: 'maxDocumentDepth' | 'maxDocumentNodes' | 'maxDocumentTokens';
  readonly at: number;
}

/** How many signs and texts were met, up to the bound that is exceeded. */
export interface ScannedText {
  readonly tokens: number;
  readonly exceeded: ExceededBound | undefined;
}

/** What the lexer gives beside stretches of the text: the beginning of a document, that of a scalar, an error in brackets. */
const MARKS: ReadonlySet<string> = new Set(['\u0002', '\u001f', '\u0018']);
const SCALAR = '\u001f';

/**
 * Looks for what would take too long, or too much memory, to be made into tokens and a tree, by the lexer of the YAML library, which keeps
 * nothing of what it has given. What passes is at most `maxDocumentDepth` deep in brackets and on any one line.
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

/** Indicators of which each on a line may open a list or a map inside of the one before. */
const OPENERS: ReadonlySet<string> = new Set(['-', '?', ':']);
const QUOTE = /^["']/;
