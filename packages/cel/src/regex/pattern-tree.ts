import { parsePattern } from './pattern/parse-pattern.ts';
import type { PatternNode } from './pattern/pattern.ts';
import { hasBoundedBacktracking } from './safety/bounded-backtracking.ts';
import { trimEdges } from './trim-edges.ts';

/** A pattern to be written in the syntax of another engine. */
export interface PatternTree {
  /** Without what does not affect whether part of a string matches. */
  readonly node: PatternNode;
  /** As written, captures aside. */
  readonly whole: PatternNode;
  /** Whether engines that backtrack need at most a polynomial of low degree in the length of the input. */
  readonly boundedBacktracking: boolean;
}

/** Parses a pattern in RE2 syntax of any size; undefined for a bad one. */
export function patternTree(pattern: string): PatternTree | undefined {
  const parsed = parsePattern(pattern);
  if ('fault' in parsed) return undefined;
  const node = trimEdges(parsed);
  return { node, whole: parsed, boundedBacktracking: hasBoundedBacktracking(node) };
}
