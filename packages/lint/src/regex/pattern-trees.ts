import { type PatternTree, patternTree } from './pattern-tree.ts';

/** The trees of the patterns of a file: several lint rules look at each, and the same pattern stands in several places. */
export class PatternTrees {
  readonly #known = new Map<string, PatternTree | undefined>();

  /** As {@link patternTree}. */
  of(pattern: string): PatternTree | undefined {
    if (!this.#known.has(pattern)) this.#known.set(pattern, patternTree(pattern));
    return this.#known.get(pattern);
  }
}
