/** What a setting may be, in every place that it can be given. */
export type SettingType =
  | { readonly kind: 'text'; readonly form?: RegExp; readonly expected?: string }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'list'; readonly form?: RegExp; readonly expected?: string }
  | { readonly kind: 'choice'; readonly of: readonly string[] };

/** What a setting holds. */
export type SettingValue = string | number | boolean | readonly string[];

/** A value of the type, or what was expected instead. */
export type SettingReading = { readonly value: SettingValue } | { readonly expected: string };

/** Reads a value as the command line and the environment have it: text. Lists are separated by commas. */
export function readSettingText(type: SettingType, text: string): SettingReading {
  switch (type.kind) {
    case 'integer':
      return readSettingValue(type, /^-?\d+$/.test(text) ? Number(text) : text);
    case 'boolean':
      return readSettingValue(type, text === 'true' ? true : text === 'false' ? false : text);
    case 'list':
      return readSettingValue(type, text === '' ? [] : text.split(',').map(item => item.trim()));
    case 'text':
    case 'choice':
      return readSettingValue(type, text);
  }
}

/** Reads a value as a settings file has it. */
export function readSettingValue(type: SettingType, value: unknown): SettingReading {
  const isValid = fits(type, value);
  return isValid ? { value: value as SettingValue } : { expected: describeType(type) };
}

/** What a value of the type looks like, for messages and help. */
export function describeType(type: SettingType): string {
  switch (type.kind) {
    case 'integer':
      return `a whole number from ${type.min} to ${type.max}`;
    case 'boolean':
      return '`true` or `false`';
    case 'list':
      return `a list of ${type.expected ?? 'texts'}`;
    case 'text':
      return type.expected ?? 'a text';
    case 'choice':
      return `one of ${type.of.map(one => `\`${one}\``).join(', ')}`;
  }
}

function fits(type: SettingType, value: unknown): boolean {
  switch (type.kind) {
    case 'integer':
      return Number.isInteger(value) && Number(value) >= type.min && Number(value) <= type.max;
    case 'boolean':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value) && value.every(item => isText(item, type.form));
    case 'text':
      return isText(value, type.form);
    case 'choice':
      return typeof value === 'string' && type.of.includes(value);
  }
}

function isText(value: unknown, form = /./): boolean {
  return typeof value === 'string' && form.test(value);
}
