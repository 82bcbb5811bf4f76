import { answerFields, type RequestMode, requestFields, shapeOf } from '../contract/shape-of.ts';
import type { Field, FieldType, NumberType, TextType } from '../definition/field.ts';
import { RECORD_KINDS, type RecordKindName } from '../definition/record-kinds.ts';
import { componentName } from './component-name.ts';

/** A JSON Schema in the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type Use = 'answer' | RequestMode;

/** Returns the schema of an object. Responses require every field, requests only the required ones. */
export function objectSchema(name: string, use: Use): JsonSchema {
  const shape = shapeOf(name);
  const fields = use === 'answer' ? answerFields(shape) : requestFields(shape, use);
  const required = fields.filter(([, field]) => use === 'answer' || (use === 'whole' && field.required !== undefined));
  return {
    type: 'object',
    description: shape.doc,
    properties: Object.fromEntries(fields.map(([key, field]) => [key, fieldSchema(field, use)])),
    ...(required.length > 0 ? { required: required.map(([key]) => key) } : {}),
    additionalProperties: false,
    ...(shape.extension ? { 'x-extension': true } : {}),
  };
}

function fieldSchema(field: Field, use: Use): JsonSchema {
  const isHidden = use === 'answer' && field.secret === 'write-only' && field.type.kind === 'map';
  const schema = isHidden ? NULL_VALUES : typeSchema(field.type, use === 'answer' ? 'answer' : 'whole');
  const nullable = use === 'answer' ? field.nullable === true : use === 'update' || field.required === undefined;
  const facts = {
    description: field.doc,
    ...(use === 'whole' && field.default !== undefined ? { default: field.default } : {}),
    ...(field.extension ? { 'x-extension': true } : {}),
    ...(field.secret ? { 'x-secret': field.secret } : {}),
  };
  return { ...(nullable ? orNull(schema) : schema), ...facts };
}

/** A map whose values are secrets. */
const NULL_VALUES: JsonSchema = { type: 'object', additionalProperties: { type: 'null' } };

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

function typeSchema(type: FieldType, use: 'answer' | 'whole'): JsonSchema {
  switch (type.kind) {
    case 'text':
      return { type: 'string', ...textFacts(type, use) };
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
    case 'number':
      return { type: type.kind, ...numberBounds(type) };
    case 'list':
      return {
        type: 'array',
        items: typeSchema(type.of, use),
        ...(type.min ? { minItems: type.min.limit } : {}),
        ...(type.max ? { maxItems: type.max.limit } : {}),
        ...(type.unique && use === 'whole' ? { uniqueItems: true } : {}),
      };
    case 'map':
      return {
        type: 'object',
        additionalProperties: typeSchema(type.of, use),
        ...(type.max ? { maxProperties: type.max.limit } : {}),
        ...(type.keys.reference ? { propertyNames: { pattern: identifierPattern(type.keys.reference.kinds) } } : {}),
      };
    case 'shape': {
      const name =
        use === 'answer' ? componentName(type.name, 'answer') : componentName(type.request ?? type.name, 'whole');
      return { $ref: `#/components/schemas/${name}` };
    }
    case 'json':
      return { type: 'object', additionalProperties: true };
  }
}

function numberBounds({ min, max, zeroIsNone }: NumberType): JsonSchema {
  return {
    ...(min ? { minimum: zeroIsNone ? 0 : min.limit } : {}),
    ...(max ? { maximum: max.limit } : {}),
  };
}

/** JSON Schema counts characters and the contract bytes. A string within the byte limit is also within the same limit in characters. */
function textFacts({ maxBytes, oneOf, formats, reference }: TextType, use: 'answer' | 'whole'): JsonSchema {
  const timestamp = formats?.some(({ format }) => format === 'timestamp');
  if (timestamp) return { format: 'date-time' };
  if (oneOf !== undefined && !oneOf.ignoreCase) return { enum: oneOf.values };
  if (reference !== undefined) return { pattern: identifierPattern(reference.kinds) };
  return {
    ...(maxBytes === undefined ? {} : { maxLength: maxBytes.limit }),
    ...(formats?.some(({ format }) => format === 'not-empty') && use === 'whole' ? { minLength: 1 } : {}),
  };
}

function identifierPattern(kinds: readonly string[]): string {
  const prefixes = kinds.map(kind => RECORD_KINDS[kind as RecordKindName].prefix);
  return `^(${prefixes.join('|')})_[0-9A-Za-z]{27}$`;
}
