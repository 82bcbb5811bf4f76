import { memoizeByKey } from '../../primitives/memoize.ts';
import { type PatternTree, patternTree } from '../../regex/pattern-tree.ts';
import type { FileAnalysis, LintedFile } from '../../rule-api/lint-context.ts';

/** Pattern trees by pattern: several lint rules need each, and a pattern often occurs several times in a file. */
export const PATTERN_TREES: FileAnalysis<(pattern: string) => PatternTree | undefined> = {
  compute: () => memoizeByKey(patternTree),
};

/** Returns the tree of a pattern as {@link patternTree} does, parsed once for each file. */
export function patternTreeOf(pattern: string, file: LintedFile): PatternTree | undefined {
  return file.resultOf(PATTERN_TREES)(pattern);
}
