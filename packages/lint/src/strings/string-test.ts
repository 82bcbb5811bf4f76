import { EvaluationError } from '@tollgate/cel';
import { compilePattern } from '@tollgate/cel/tooling';
import type { TestKind } from '../expressions/value-tests.ts';

/** Returns true if a string passes a test against a literal; undefined for orderings and for invalid patterns. */
export function passes(kind: TestKind, literal: string, text: string): boolean | undefined {
  switch (kind) {
    case '==':
    case 'in':
      return text === literal;
    case 'startsWith':
      return text.startsWith(literal);
    case 'endsWith':
      return text.endsWith(literal);
    case 'contains':
      return text.includes(literal);
    case 'matches': {
      const pattern = compilePattern(literal);
      return pattern instanceof EvaluationError ? undefined : pattern.test(text);
    }
    default:
      return undefined;
  }
}

/** A path prefix that ends inside a segment; one that ends in `/`, `-`, `.` or `=` is open on purpose. */
const INSIDE_NAME = /\/[\w.~%-]*[A-Za-z0-9]$/;

/** Returns the path prefix that a test is for, if it ends in the middle of a segment: `/api` for `startsWith('/api')` and `matches('^/api')`. */
export function openPrefixOf(kind: TestKind, literal: string): string | undefined {
  const pattern = kind === 'matches' ? compilePattern(literal) : undefined;
  const isPrefix = pattern && !(pattern instanceof EvaluationError) && pattern.kind === 'prefix';
  const prefix = isPrefix ? pattern.text : kind === 'startsWith' ? literal : undefined;
  return prefix !== undefined && INSIDE_NAME.test(prefix) ? prefix : undefined;
}
