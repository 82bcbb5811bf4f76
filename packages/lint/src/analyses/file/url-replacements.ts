import type { Action } from '@tollgate/policy';
import { type Replacement, replacementOf } from '../../actions/replacements.ts';
import type { PatternTrees } from '../../regex/pattern-trees.ts';

/** What several lint rules ask of the actions of a file; found out when it is first asked for, and once an action. */
export class ActionFacts {
  readonly #replacements = new Map<Action, Replacement | undefined>();
  readonly #patterns: PatternTrees;

  constructor(patterns: PatternTrees) {
    this.#patterns = patterns;
  }

  replacement(action: Action): Replacement | undefined {
    if (!this.#replacements.has(action)) this.#replacements.set(action, replacementOf(action, this.#patterns));
    return this.#replacements.get(action);
  }
}
