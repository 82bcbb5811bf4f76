import { type NamedValues, withResults } from '../../state/traffic-state.ts';
import { entriesOf } from '../model/config.ts';
import type { PrepareAction } from '../model/effect.ts';
import { prepareValue } from '../model/fill-text.ts';
import type { Filling } from '../model/filling.ts';

/** Sets variables in order: a later one may read an earlier one. */
export const setVars: PrepareAction = (config, context) => {
  const listed = Array.isArray(config.vars) ? config.vars : [];
  const settings = listed.flatMap(entriesOf).map(([name, value]) => ({ name, compute: prepareValue(value, context) }));
  return state => {
    const filling: Filling = { state, notes: [] };
    let set = state;
    for (const { name, compute } of settings) {
      const vars: NamedValues = { ...set.vars, [name]: compute({ ...filling, state: set }) };
      set = { ...set, vars };
    }
    return { kind: 'continues', state: withResults(set, context.results.prefix, {}), notes: filling.notes };
  };
};
