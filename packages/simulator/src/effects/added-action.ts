import type { ActionFact } from '@tollgate/catalog';
import { type PrepareAction, refusal } from './effect.ts';

/** Opaque: of an action that an extension added, only whether it may end the evaluation is known. */
export function addedAction({ type, terminates }: ActionFact): PrepareAction {
  if (terminates === 'never') return () => state => ({ kind: 'continues', state });
  return (_, context) => {
    const outcome = refusal({ kind: 'refused', status: undefined, action: type }, context);
    if (terminates === 'always') return () => ({ kind: 'ends', outcome });
    return state => ({ kind: 'may-end', outcome, state, needs: [`what \`${type}\` does`] });
  };
}
