import type { TypedAst } from '@tollgate/cel';
import { type Comparison, comparisonsIn } from './comparisons.ts';
import { type HeaderRead, headerReadsIn } from './header-reads.ts';
import { writtenNodes } from './written-nodes.ts';

/** What several lint rules ask of an expression; each part is found out when it is first asked for, and once. */
export interface ExpressionFacts {
  /** Comparisons of something with a literal, in the order of the source. */
  readonly comparisons: readonly Comparison[];
  /** Values of headers that are read by a constant name. */
  readonly headerReads: readonly HeaderRead[];
}

/** The facts of an expression; costs nothing until asked. */
export function factsOf(typed: TypedAst): ExpressionFacts {
  return new LazyFacts(typed);
}

class LazyFacts implements ExpressionFacts {
  readonly #typed: TypedAst;
  #comparisons: readonly Comparison[] | undefined;
  #headerReads: readonly HeaderRead[] | undefined;

  constructor(typed: TypedAst) {
    this.#typed = typed;
  }

  get comparisons(): readonly Comparison[] {
    this.#comparisons ??= comparisonsIn(this.#typed, writtenNodes(this.#typed.ast));
    return this.#comparisons;
  }

  get headerReads(): readonly HeaderRead[] {
    this.#headerReads ??= headerReadsIn(this.#typed, writtenNodes(this.#typed.ast));
    return this.#headerReads;
  }
}
