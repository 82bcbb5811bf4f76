import type { Environment, TypedAst } from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import type { Condition } from '../formula/condition.ts';
import type { Formula } from '../formula/formula.ts';
import type { Term, Vocabulary } from '../values/vocabulary.ts';
import { mayCallBody } from './inlined-part.ts';
import type { NameMetadata, ReaderContext } from './reader-context.ts';
import { translate } from './translate.ts';

/** The context of conditions. Only conditions read with the same one can be compared. */
export interface ConditionContext {
  readonly environment: Environment;
  readonly facts: NameMetadata;
  readonly vocabulary: Vocabulary;
}

/** A condition and its operands. */
export class ReadCondition implements Condition {
  readonly typed: TypedAst;
  /** The operands of `&&`, `||`, `!` and `?:` by operator id, except inside of loops. */
  readonly operands: ReadonlyMap<number, readonly Condition[]>;
  readonly #whole: Condition;
  readonly #environment: Environment;
  #inlined: TypedAst | undefined;

  constructor(whole: Condition, { typed, environment, operands }: Required<Omit<ReaderContext, 'repeats'>>) {
    this.typed = typed;
    this.operands = operands;
    this.#whole = whole;
    this.#environment = environment;
  }

  /** The expression with function calls replaced by bodies. */
  get inlined(): TypedAst {
    this.#inlined ??= inlineBodies(this.typed, this.#environment);
    return this.#inlined;
  }

  get whenTrue(): Formula {
    return this.#whole.whenTrue;
  }

  get whenFalse(): Formula {
    return this.#whole.whenFalse;
  }

  get whenUntrue(): Formula {
    return this.#whole.whenUntrue;
  }

  get compound(): Condition['compound'] {
    return this.#whole.compound;
  }

  get test(): Condition['test'] {
    return this.#whole.test;
  }

  get size(): number {
    return this.#whole.size;
  }

  get freeTerms(): readonly Term[] | undefined {
    return this.#whole.freeTerms;
  }
}

/** Reads an expression of the environment. */
export function readCondition(typed: TypedAst, context: ConditionContext): ReadCondition {
  const reader = { ...context, typed, bindings: new Map(), operands: new Map(), isInlined: !mayCallBody(typed) };
  return new ReadCondition(translate(reader, typed.ast.root), reader);
}
