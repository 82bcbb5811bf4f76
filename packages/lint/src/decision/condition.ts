import { type Environment, inlineBodies, type TypedAst } from '@tollgate/cel';
import type { Formula } from './formula.ts';
import type { Outcomes } from './outcomes.ts';
import type { Condition } from './questions.ts';
import type { NameFacts, Reading } from './reading.ts';
import { translate } from './translate.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What conditions are read with. Those that are compared must have been read with the same. */
export interface ConditionContext {
  readonly environment: Environment;
  readonly facts: NameFacts;
  readonly vocabulary: Vocabulary;
}

/** A condition and the parts that it is made of. */
export class ReadCondition implements Condition {
  /** By the id of an operator (`&&`, `||`, `!`, `?:`), what its operands are. None inside of loops. */
  readonly operands: ReadonlyMap<number, readonly Condition[]>;
  /** The expression with calls of functions replaced by their bodies. */
  readonly inlined: TypedAst;
  readonly #whole: Condition;

  constructor(whole: Condition, operands: ReadCondition['operands'], inlined: TypedAst) {
    this.operands = operands;
    this.inlined = inlined;
    this.#whole = whole;
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

  get joint(): Outcomes['joint'] {
    return this.#whole.joint;
  }

  get test(): Outcomes['test'] {
    return this.#whole.test;
  }

  get size(): number {
    return this.#whole.size;
  }
}

/** Reads an expression of the same environment. */
export function readCondition(typed: TypedAst, context: ConditionContext): ReadCondition {
  const inlined = inlineBodies(typed, context.environment);
  const operands = new Map<number, readonly Condition[]>();
  const reading: Reading = { ...context, typed: inlined, bindings: new Map(), operands };
  return new ReadCondition(translate(reading, inlined.ast.root), operands, inlined);
}
