import type { ConfigField, ConfigType, Interpolation } from '@tollgate/catalog';
import { unreachable } from '@tollgate/diagnostics';
import { DURATION_PATTERN } from '../config/duration-text.ts';
import { HEADER_NAME_PATTERN } from '../config/header-name.ts';
import { CIDR_PATTERN } from './address-pattern.ts';
import { described, type JsonSchema, orNull } from './json-schema.ts';

/**
 * The schema of a map with these keys and no others.
 * @param outer of the field that the map is the value of
 */
export function fieldsSchema(fields: readonly ConfigField[], outer?: Interpolation): JsonSchema {
  const required = fields.filter(field => field.required).map(field => field.name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field.name, fieldSchema(field, outer)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function fieldSchema(field: ConfigField, outer: Interpolation | undefined): JsonSchema {
  const schema = typeSchema(field.type, field.interpolation ?? outer);
  return {
    ...described(docOf(field)),
    ...(field.required ? schema : orNull(schema)),
    ...(field.default !== undefined && { default: field.default }),
    ...(field.deprecated && { deprecationMessage: insteadOf(field.deprecated) }),
  };
}

function docOf({ doc, deprecated }: ConfigField): string {
  return deprecated ? `${doc} Deprecated: ${insteadOf(deprecated)}.` : doc;
}

function insteadOf({ use }: NonNullable<ConfigField['deprecated']>): string {
  return use === undefined ? 'it is not needed any more' : `use \`${use}\``;
}

/**
 * The schema of a configuration value. Says what the checks of values say, but for what no schema can: whether a pattern
 * is one of RE2, whether an expression is right, and the bounds of durations.
 */
function typeSchema(type: ConfigType, filledIn: Interpolation | undefined): JsonSchema {
  switch (type.kind) {
    case 'any':
      return {};
    case 'bool':
      return { type: 'boolean' };
    case 'int':
      if (type.values) return { type: 'integer', enum: type.values };
      return { type: 'integer', minimum: type.min, maximum: type.max };
    case 'number':
      return { type: 'number', minimum: type.min, maximum: type.max };
    case 'list':
      return listSchema(type, filledIn);
    case 'map':
      return mapSchema(type, filledIn);
    case 'object':
      return fieldsSchema(type.fields, filledIn);
    default:
      return { type: 'string', ...(filledIn?.endsWith('expressions') ? orFilled(textSchema(type)) : textSchema(type)) };
  }
}

function listSchema(type: Extract<ConfigType, { kind: 'list' }>, filledIn: Interpolation | undefined): JsonSchema {
  return {
    type: 'array',
    items: typeSchema(type.of, filledIn),
    ...(type.min !== undefined && { minItems: type.min }),
    ...(type.max !== undefined && { maxItems: type.max }),
    ...(type.unique && { uniqueItems: true }),
  };
}

function mapSchema(type: Extract<ConfigType, { kind: 'map' }>, filledIn: Interpolation | undefined): JsonSchema {
  return {
    type: 'object',
    ...(type.key && { propertyNames: { pattern: HEADER_NAME_PATTERN } }),
    additionalProperties: typeSchema(type.value, filledIn),
    ...(type.min !== undefined && { minProperties: type.min }),
    ...(type.max !== undefined && { maxProperties: type.max }),
  };
}

/** What a text will look like is not known where there is an expression in it. */
function orFilled(schema: JsonSchema): JsonSchema {
  return schema.pattern === undefined ? schema : { pattern: `${schema.pattern}|\\$\\{` };
}

type TextType = Exclude<ConfigType, { kind: 'any' | 'bool' | 'int' | 'number' | 'list' | 'map' | 'object' }>;

function textSchema(type: TextType): JsonSchema {
  switch (type.kind) {
    case 'string':
      return { ...(type.nonEmpty && { minLength: 1 }), ...(type.max !== undefined && { maxLength: type.max }) };
    case 'choice':
      return { enum: type.values };
    case 'shape':
      return { pattern: type.patterns.map(pattern => `(?:${pattern})`).join('|') };
    case 'regex':
    case 'expression':
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
