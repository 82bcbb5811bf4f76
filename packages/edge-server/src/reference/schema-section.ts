import type { JsonSchema } from '@tollgate/edge-api';
import { isMembers, type Members, stringAt } from '../api/members.ts';
import { escaped, prose } from './html.ts';

/** Returns the section of an object, with a row per field. */
export function schemaSection(name: string, schema: JsonSchema): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(isMembers(schema.properties) ? schema.properties : {});
  const rows = fields.map(([field, value]) => row(field, isMembers(value) ? value : {}, required.includes(field)));
  const head = '<tr><th>field</th><th>type</th><th>meaning</th></tr>';
  const table = rows.length > 0 ? `<table>${head}${rows.join('')}</table>` : '<p>No fields.</p>';
  const text = prose(stringAt(schema, 'description') ?? '');
  return `<section id="${schemaAnchor(name)}"><h3>${escaped(name)}</h3><p>${text}</p>${table}</section>`;
}

/** Returns the anchor of an object's section. */
export function schemaAnchor(name: string): string {
  return `object-${name}`;
}

/** Formats the type of a value, with links to objects. */
export function typeHtml(schema: Members): string {
  const ref = stringAt(schema, '$ref');
  if (ref !== undefined) {
    const name = ref.slice(ref.lastIndexOf('/') + 1);
    return `<a href="#${schemaAnchor(name)}">${escaped(name)}</a>`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return choices.map(choice => typeHtml(isMembers(choice) ? choice : {})).join(' or ');
  const types = Array.isArray(schema.type) ? schema.type.map(String) : [stringAt(schema, 'type') ?? 'any value'];
  return types.map(type => namedType(type, schema)).join(' or ');
}

function namedType(type: string, { items, additionalProperties }: Members): string {
  if (type === 'array') return `list of ${typeHtml(isMembers(items) ? items : {})}`;
  if (type === 'object' && isMembers(additionalProperties)) return `map of text to ${typeHtml(additionalProperties)}`;
  return escaped(type === 'string' ? 'text' : type);
}

const BOUNDS: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  maxLength: 'length at most',
  minItems: 'entries at least',
  maxItems: 'entries at most',
  maxProperties: 'entries at most',
  default: 'default',
};

function row(name: string, schema: Members, isRequired: boolean): string {
  const facts = Object.entries(BOUNDS)
    .filter(([key]) => schema[key] !== undefined)
    .map(([key, words]) => `${words} <code>${escaped(JSON.stringify(schema[key]))}</code>`);
  if (Array.isArray(schema.enum))
    facts.push(`one of ${schema.enum.map(one => `<code>${escaped(String(one))}</code>`).join(', ')}`);
  const notes = facts.length > 0 ? `<div class="facts">${facts.join('; ')}</div>` : '';
  const mark = schema['x-extension'] === true ? ' <span class="mark">extension</span>' : '';
  const must = isRequired ? ' <span class="mark">always</span>' : '';
  const meaning = prose(stringAt(schema, 'description') ?? '');
  return `<tr><td><code>${escaped(name)}</code>${must}${mark}</td><td>${typeHtml(schema)}</td><td>${meaning}${notes}</td></tr>`;
}
