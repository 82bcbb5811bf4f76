/** The type of a setting. */
export type SettingType =
  | { readonly kind: 'text'; readonly form?: RegExp; readonly expected?: string }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'list'; readonly form?: RegExp; readonly expected?: string }
  | { readonly kind: 'choice'; readonly of: readonly string[] };

/** The value of a setting. */
export type SettingValue = string | number | boolean | readonly string[];

/** A parsed value, or what was expected instead. */
export type ParsedSetting = { readonly value: SettingValue } | { readonly expected: string };

/** Parses a value from the command line or the environment. List items are separated by commas. */
export function parseSetting(type: SettingType, text: string): ParsedSetting {
  switch (type.kind) {
    case 'integer':
      return validateSetting(type, /^-?\d+$/.test(text) ? Number(text) : text);
    case 'boolean':
      return validateSetting(type, text === 'true' ? true : text === 'false' ? false : text);
    case 'list':
      return validateSetting(type, text === '' ? [] : text.split(',').map(item => item.trim()));
    case 'text':
    case 'choice':
      return validateSetting(type, text);
  }
}

/** Validates a value from a settings file. */
export function validateSetting(type: SettingType, value: unknown): ParsedSetting {
  const isValid = fits(type, value);
  return isValid ? { value: value as SettingValue } : { expected: describeType(type) };
}

/** Describes the values of a type, for messages and help. */
export function describeType(type: SettingType): string {
  switch (type.kind) {
    case 'integer':
      return `a whole number from ${type.min} to ${type.max}`;
    case 'boolean':
      return '`true` or `false`';
    case 'list':
      return `a list of ${type.expected ?? 'strings'}`;
    case 'text':
      return type.expected ?? 'a string';
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
