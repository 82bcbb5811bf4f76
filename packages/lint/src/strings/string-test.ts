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
