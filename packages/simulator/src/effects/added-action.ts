import { terminationOf } from '@tollgate/catalog';
import { answered } from './model/answer.ts';
import type { PrepareAction } from './model/effect.ts';

/** Opaque: of an action that an extension adds, only its termination is known. */
export const addedAction: PrepareAction = (config, context) => {
  const { fact } = context;
  const { type } = fact;
  const termination = terminationOf({ fact, config });
  if (termination === 'never') return state => ({ kind: 'continues', state });
  const answer = { kind: 'refused', status: undefined, action: type } as const;
  if (termination === 'always') return state => ({ kind: 'ends', ending: answered(state, answer, context) });
  const needs = [`what \`${type}\` does`];
  const notes = [{ kind: 'opaque', reason: 'an extension adds it' }] as const;
  return state => ({ kind: 'may-end', ending: answered(state, answer, context), state, needs, notes });
};
