import { NonValue, toHost, type Value } from '@tollgate/cel';
import { withResults } from '../../state/traffic-state.ts';
import { entriesOf, fieldOf } from '../model/config.ts';
import type { ActionConfig, ActionContext, Note, PrepareAction } from '../model/effect.ts';
import { prepareValue } from '../model/fill-text.ts';
import type { Filling } from '../model/filling.ts';

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
