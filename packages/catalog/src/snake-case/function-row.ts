import type { Example, FunctionFact } from '../schema/fact.ts';

/** One signature, written short. */
export interface FunctionRow {
  readonly name: string;
  readonly id: string;
  readonly params: FunctionFact['params'];
  readonly result: string;
  readonly doc: string;
  readonly body?: string;
  readonly opaque?: string;
  readonly member?: boolean;
  /** Expression and value, in turn. */
  readonly examples: readonly Example[];
}

/** The parameters of a function of one text. */
export const TEXT = [{ name: 'text', type: 'string' }] as const;
