import { type ConfigField, type ConfigType, PROFILES, TERMINATIONS, VALUE_ROLES } from '@tollgate/catalog';

const STRING = { kind: 'string' } as const satisfies ConfigType;
const NAME = { kind: 'string', nonEmpty: true } as const satisfies ConfigType;
export const NAMES = { kind: 'list', of: NAME } as const satisfies ConfigType;
const BOOL = { kind: 'bool' } as const satisfies ConfigType;

/** Returns the type of one of these strings, without duplicates. */
export function unionOf(values: readonly string[]): ConfigType {
  return { kind: 'choice', values: [...new Set(values)] };
}

const PLACES: readonly ConfigField[] = [
  {
    name: 'phases',
    type: { kind: 'list', of: unionOf(PROFILES.flatMap(one => one.phases)) },
    doc: 'Phases in which it exists.',
  },
  {
    name: 'endpoints',
    type: { kind: 'list', of: unionOf(PROFILES.flatMap(one => one.endpoints)) },
    doc: 'Endpoint kinds on which it exists.',
  },
  { name: 'doc', type: STRING, doc: 'Description.' },
];

const KINDS = 'any bool int number string choice shape regex duration cidr header-name expression list map object';
const INTERPOLATIONS = 'captures-and-request path-templates expressions captures-and-expressions';

const TYPED: readonly ConfigField[] = [
  { name: 'name', type: NAME, required: true, doc: 'Its name.' },
  { name: 'type', type: NAME, required: true, doc: 'Its type: `string`, `list(int)`.' },
  { name: 'doc', type: STRING, doc: 'Description.' },
];

const CONFIG_FIELD: readonly ConfigField[] = [
  { name: 'name', type: NAME, required: true, doc: 'The key.' },
  { name: 'type', type: { kind: 'map', value: { kind: 'any' } }, required: true, doc: `\`kind\` is one of ${KINDS}.` },
  { name: 'doc', type: STRING, doc: 'Description.' },
  { name: 'required', type: BOOL, doc: 'Whether it is required.' },
  { name: 'default', type: { kind: 'any' }, doc: 'Value if it is omitted.' },
  { name: 'interpolation', type: unionOf(INTERPOLATIONS.split(' ')), doc: 'How its strings are interpolated.' },
];

function listOf(fields: readonly ConfigField[]): ConfigType {
  return { kind: 'list', of: { kind: 'object', fields } };
}

/** The keys of an extension file. */
export const EXTENSION_FIELDS: readonly ConfigField[] = [
  {
    name: 'variables',
    type: listOf([
      { name: 'path', type: NAME, required: true, doc: 'Its name, with dots: `req.tenant`.' },
      { name: 'type', type: NAME, required: true, doc: 'Its type: `string`, `list(int)`.' },
      { name: 'sample', type: { kind: 'any' }, doc: 'Sample value.' },
      { name: 'role', type: unionOf(VALUE_ROLES), doc: 'What the value means.' },
      ...PLACES,
    ]),
    doc: 'Variables for expressions.',
  },
  {
    name: 'objects',
    type: listOf([
      { name: 'name', type: NAME, required: true, doc: 'Its name.' },
      { name: 'doc', type: STRING, doc: 'Description.' },
      { name: 'fields', type: listOf(TYPED), doc: 'Its fields.' },
    ]),
    doc: 'Object types.',
  },
  {
    name: 'functions',
    type: listOf([
      { name: 'name', type: NAME, required: true, doc: 'Its name.' },
      { name: 'params', type: listOf(TYPED), required: true, doc: 'Its parameters.' },
      { name: 'result', type: NAME, required: true, doc: 'The type of its result.' },
      { name: 'member', type: BOOL, doc: 'Whether it is called as a method of its first parameter.' },
      { name: 'body', type: NAME, doc: 'Implementation as a CEL expression.' },
      { name: 'opaque', type: NAME, doc: 'Why its result is never known in a replay.' },
      { name: 'implementation', type: { kind: 'any' }, doc: 'JavaScript implementation, in modules only.' },
      ...PLACES,
    ]),
    doc: 'Functions.',
  },
  {
    name: 'actions',
    type: listOf([
      { name: 'type', type: NAME, required: true, doc: 'Its type.' },
      {
        name: 'terminates',
        type: unionOf(Object.keys(TERMINATIONS)),
        doc: 'When the action ends the policy.',
      },
      { name: 'config', type: listOf(CONFIG_FIELD), doc: 'The keys of its configuration.' },
      ...PLACES,
    ]),
    doc: 'Actions.',
  },
  {
    name: 'remove',
    type: {
      kind: 'object',
      fields: ['variables', 'functions', 'actions'].map(name => ({ name, type: NAMES, doc: 'By name.' })),
    },
    doc: 'Names to remove from the catalog.',
  },
];
