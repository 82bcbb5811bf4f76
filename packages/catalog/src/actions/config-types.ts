import type { ConfigField, ConfigType } from '../schema/action-fact.ts';

export const STRING = { kind: 'string' } as const satisfies ConfigType;
export const NON_EMPTY = { kind: 'string', nonEmpty: true } as const satisfies ConfigType;
export const URL = { kind: 'url' } as const satisfies ConfigType;
export const BOOL = { kind: 'bool' } as const satisfies ConfigType;
export const STRINGS = { kind: 'list', of: NON_EMPTY } as const satisfies ConfigType;

export const HEADERS = { kind: 'map', key: 'header-name', value: STRING, max: 10 } as const satisfies ConfigType;

export const ENFORCE = {
  name: 'enforce',
  type: BOOL,
  default: true,
  doc: 'Whether to refuse traffic, or only record what would be refused.',
} as const satisfies ConfigField;

export const ON_ERROR = { kind: 'choice', values: ['halt', 'continue'] } as const satisfies ConfigType;

/** A duration between `min` and `max` seconds. */
export function duration(min: number, max: number): ConfigType {
  return { kind: 'duration', min, max };
}
