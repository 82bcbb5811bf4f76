import { type Environment, inlineBodies, type TypedAst } from '@tollgate/cel';
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

/** Reads an expression of the same environment. */
export function readCondition(typed: TypedAst, context: ConditionContext): Condition {
  const inlined = inlineBodies(typed, context.environment);
  const reading: Reading = { ...context, typed: inlined, bindings: new Map() };
  return translate(reading, inlined.ast.root);
}
