import type { ConfigField, Sample } from '@tollgate/catalog';
import type { ActionConfig, ActionContext } from './effect.ts';

// Configurations are checked before they run, so a value of another type is treated as missing: null means the default.

/** Returns a number in the configuration, or its default in the catalog. */
export function numberIn(config: ActionConfig, context: ActionContext, name: string): number {
  const written = config[name];
  const otherwise = fieldOf(context, name)?.default;
  return typeof written === 'number' ? written : Number(otherwise ?? 0);
}

/** Returns a boolean in the configuration, or its default in the catalog. */
export function isSet(config: ActionConfig, context: ActionContext, name: string): boolean {
  const written = config[name];
  return typeof written === 'boolean' ? written : fieldOf(context, name)?.default === true;
}

/** Returns a string in the configuration, or its default in the catalog. */
export function stringIn(config: ActionConfig, context: ActionContext, name: string): string {
  return stringOr(config[name], stringOr(fieldOf(context, name)?.default, ''));
}

/** Returns the catalog's description of a key. */
export function fieldOf({ fact }: Pick<ActionContext, 'fact'>, name: string): ConfigField | undefined {
  return fact.config.find(field => field.name === name);
}

export function stringOr(value: Sample | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

export function stringsOf(value: Sample | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter(member => typeof member === 'string') : [];
}

export function entriesOf(value: Sample | undefined): readonly (readonly [string, Sample])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** Returns the value at a path of keys; undefined if there is none. */
export function valueAt(value: Sample | undefined, ...keys: readonly string[]): Sample | undefined {
  let at = value;
  for (const key of keys) at = new Map(entriesOf(at)).get(key);
  return at;
}
