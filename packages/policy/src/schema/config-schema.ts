import type { ConfigField, ConfigType, Interpolation } from '@tollgate/catalog';
import { unreachable } from '@tollgate/diagnostics';
import { DOMAIN_PATTERN } from '../config/domain.ts';
import { DURATION_PATTERN } from '../config/duration.ts';
import { HEADER_NAME_PATTERN } from '../expression/header-name.ts';
import { CIDR_PATTERN } from './address-pattern.ts';
import { described, type JsonSchema, orNull } from './json-schema.ts';

/**
 * Returns the schema of a map with these keys and no others.
 * @param outer the interpolation of the field whose value is the map
 */
export function fieldsSchema(fields: readonly ConfigField[], outer?: Interpolation, open = false): JsonSchema {
  const required = fields.filter(field => field.required).map(field => field.name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field.name, fieldSchema(field, outer)])),
    ...(required.length > 0 && { required }),
    ...(!open && { additionalProperties: false }),
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
  return use === undefined ? 'remove it' : `use \`${use}\``;
}

/**
 * Returns the schema of a configuration value. It accepts what the checks accept, except for what no schema can express:
 * RE2 syntax, expressions, and the bounds of durations.
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
      return fieldsSchema(type.fields, filledIn, type.open);
    default:
      if (type.kind === 'string' && type.orScalar)
        return { type: ['string', 'number', 'boolean'], ...textSchema(type) };
      return { type: 'string', ...(filledIn?.endsWith('expressions') ? orFilled(textSchema(type)) : textSchema(type)) };
  }
}

function listSchema(type: Extract<ConfigType, { kind: 'list' }>, filledIn: Interpolation | undefined): JsonSchema {
  const item = typeSchema(type.of, filledIn);
  const list = {
    type: 'array',
    items: item,
    ...(type.min !== undefined && { minItems: type.min }),
    ...(type.max !== undefined && { maxItems: type.max }),
    ...(type.unique && { uniqueItems: true }),
  };
  return type.orOne ? { anyOf: [item, list] } : list;
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

/** Also accepts strings with an interpolated expression, whose value is unknown. */
function orFilled(schema: JsonSchema): JsonSchema {
  return schema.pattern === undefined ? schema : { pattern: `${schema.pattern}|\\$\\{` };
}

/** What every URL has; the checks are stricter. */
const URL_PATTERN = '^[a-zA-Z][a-zA-Z0-9+.-]*://[^/?#]';

type StringType = Exclude<ConfigType, { kind: 'any' | 'bool' | 'int' | 'number' | 'list' | 'map' | 'object' }>;

function textSchema(type: StringType): JsonSchema {
  switch (type.kind) {
    case 'string':
      return { ...(type.nonEmpty && { minLength: 1 }), ...(type.max !== undefined && { maxLength: type.max }) };
    case 'choice':
      return { enum: type.values };
    case 'shape':
      return { pattern: type.patterns.map(pattern => `(?:${pattern})`).join('|') };
    case 'credentials':
      return { pattern: `^[^:\\u0000-\\u001f\\u007f]*:[^\\u0000-\\u001f\\u007f]{${type.min},${type.max}}$` };
    case 'url':
      return { pattern: URL_PATTERN };
    case 'domain':
      return { pattern: DOMAIN_PATTERN };
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
