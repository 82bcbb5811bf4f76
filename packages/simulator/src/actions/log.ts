/** Actions that change nothing of the traffic: `log` and `set-vars`. */
import { NonValue, toHost, type Value } from '@tollgate/cel';
import { type NamedValues, withResults } from '../exchange-state/traffic-state.ts';
import { type ActionConfig, type ActionContext, entriesOf, fieldOf, type Note, type PrepareAction } from './effect.ts';
import { type Filling, prepareValue } from './fill-text.ts';

/** Logs metadata; the traffic does not change. */
export const log: PrepareAction = (config, context) => {
  const metadataOf = prepareMetadata(config, context);
  const { prefix } = context.results;
  return state => {
    const filling: Filling = { state, notes: [] };
    const metadata = metadataOf(filling);
    const notes: Note[] = [{ kind: 'logged', metadata: plain(metadata) }, ...filling.notes];
    return { kind: 'continues', state: withResults(state, prefix, { metadata }), notes };
  };
};

function prepareMetadata(config: ActionConfig, context: ActionContext): (filling: Filling) => Value {
  const isFilled = fieldOf(context, 'metadata')?.interpolation !== undefined;
  const entries = entriesOf(config.metadata);
  if (!isFilled) {
    const metadata = Object.fromEntries(entries) as Value;
    return () => metadata;
  }
  const members = entries.map(([key, value]) => [key, prepareValue(value, context)] as const);
  return filling => Object.fromEntries(members.map(([key, member]) => [key, member(filling)])) as Value;
}

/** Converts to plain JavaScript; unknown values and errors stay what they are. */
function plain(value: unknown): unknown {
  return value instanceof NonValue ? value : toHost(value as Value);
}

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
