import type { ConfigField, ConfigType } from '@tollgate/catalog';
import { unreachable } from '@tollgate/diagnostics';
import { DURATION_PATTERN } from '../config/duration-text.ts';
import { HEADER_NAME_PATTERN } from '../config/header-name.ts';
import { CIDR_PATTERN } from './address-pattern.ts';
import { described, type JsonSchema, orNull } from './json-schema.ts';

/** The schema of a map with these keys and no others. */
export function fieldsSchema(fields: readonly ConfigField[]): JsonSchema {
  const required = fields.filter(field => field.required).map(field => field.name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field.name, fieldSchema(field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function fieldSchema(field: ConfigField): JsonSchema {
  const schema = typeSchema(field.type);
  return {
    ...described(field.doc),
    ...(field.required ? schema : orNull(schema)),
    ...(field.default !== undefined && { default: field.default }),
  };
}

/**
 * The schema of a configuration value. Says what the checks of values say, but for what no schema can: whether a pattern
 * is one of RE2, and the bounds of durations.
 */
function typeSchema(type: ConfigType): JsonSchema {
  switch (type.kind) {
    case 'any':
      return {};
    case 'bool':
      return { type: 'boolean' };
    case 'int':
      return { type: 'integer', minimum: type.min, maximum: type.max };
    case 'list':
      return {
        type: 'array',
        items: typeSchema(type.of),
        ...(type.min !== undefined && { minItems: type.min }),
        ...(type.max !== undefined && { maxItems: type.max }),
      };
    case 'map':
      return {
        type: 'object',
        ...(type.key && { propertyNames: { pattern: HEADER_NAME_PATTERN } }),
        additionalProperties: typeSchema(type.value),
      };
    case 'object':
      return fieldsSchema(type.fields);
    default:
      return { type: 'string', ...textSchema(type) };
  }
}

function textSchema(
  type: Exclude<ConfigType, { kind: 'any' | 'bool' | 'int' | 'list' | 'map' | 'object' }>,
): JsonSchema {
  switch (type.kind) {
    case 'string':
      return type.nonEmpty ? { minLength: 1 } : {};
    case 'choice':
      return { enum: type.values };
    case 'shape':
      return { pattern: type.patterns.map(pattern => `(?:${pattern})`).join('|') };
    case 'regex':
      return {};
    case 'duration':
      return { pattern: DURATION_PATTERN };
    case 'cidr':
      return { pattern: CIDR_PATTERN };
    case 'header-name':
      return { pattern: HEADER_NAME_PATTERN };
    default:
      return unreachable(type);
  }
}
