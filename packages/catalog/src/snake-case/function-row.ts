import type { Example, FunctionFact } from '../schema/fact.ts';

/** The parts of a function overload that differ within a table. */
export interface FunctionRow {
  readonly name: string;
  readonly id: string;
  readonly params: FunctionFact['params'];
  readonly result: string;
  readonly doc: string;
  readonly body?: string;
  readonly opaque?: string;
  readonly member?: boolean;
  /** Expressions with their values. */
  readonly examples: readonly Example[];
}

/** The parameters of a function that takes one string. */
export const STRING_PARAMS = [{ name: 'text', type: 'string' }] as const;
