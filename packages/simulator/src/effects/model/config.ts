import type { ConfigField, Sample } from '@tollgate/catalog';
import type { ActionConfig, ActionContext } from './effect.ts';

// Configurations are checked before they are run, so that a value of another type is one that is not there: null means the default.

/** A number of the configuration, or the default of the catalog. */
export function numberIn(config: ActionConfig, context: ActionContext, name: string): number {
  const written = config[name];
  const otherwise = fieldOf(context, name)?.default;
  return typeof written === 'number' ? written : Number(otherwise ?? 0);
}

/** A truth value of the configuration, or the default of the catalog. */
export function isSet(config: ActionConfig, context: ActionContext, name: string): boolean {
  const written = config[name];
  return typeof written === 'boolean' ? written : fieldOf(context, name)?.default === true;
}

/** A text of the configuration, or the default of the catalog. */
export function textIn(config: ActionConfig, context: ActionContext, name: string): string {
  return textOr(config[name], textOr(fieldOf(context, name)?.default, ''));
}

/** What the catalog says of a key. */
export function fieldOf({ fact }: Pick<ActionContext, 'fact'>, name: string): ConfigField | undefined {
  return fact.config.find(field => field.name === name);
}

export function textOr(value: Sample | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

export function textsOf(value: Sample | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter(member => typeof member === 'string') : [];
}

export function entriesOf(value: Sample | undefined): readonly (readonly [string, Sample])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** The value at a path of keys; undefined when there is none. */
export function valueAt(value: Sample | undefined, ...keys: readonly string[]): Sample | undefined {
  let at = value;
  for (const key of keys) at = new Map(entriesOf(at)).get(key);
  return at;
}
