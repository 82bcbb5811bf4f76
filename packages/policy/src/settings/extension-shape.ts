import { type ConfigField, type ConfigType, PROFILES, TERMINATIONS, VALUE_ROLES } from '@tollgate/catalog';

const TEXT = { kind: 'string' } as const satisfies ConfigType;
const NAME = { kind: 'string', nonEmpty: true } as const satisfies ConfigType;
export const NAMES = { kind: 'list', of: NAME } as const satisfies ConfigType;
const BOOL = { kind: 'bool' } as const satisfies ConfigType;

/** One of these, each once. */
export function unionOf(values: readonly string[]): ConfigType {
  return { kind: 'choice', values: [...new Set(values)] };
}

const PLACES: readonly ConfigField[] = [
  { name: 'phases', type: { kind: 'list', of: unionOf(PROFILES.flatMap(one => one.phases)) }, doc: 'Where it exists.' },
  {
    name: 'endpoints',
    type: { kind: 'list', of: unionOf(PROFILES.flatMap(one => one.endpoints)) },
    doc: 'Where it exists.',
  },
  { name: 'doc', type: TEXT, doc: 'What it is.' },
];

const KINDS = 'any bool int number string choice shape regex duration cidr header-name expression list map object';
const INTERPOLATIONS = 'captures-and-request path-templates expressions captures-and-expressions';

const TYPED: readonly ConfigField[] = [
  { name: 'name', type: NAME, required: true, doc: 'Its name.' },
  { name: 'type', type: NAME, required: true, doc: 'Its type: `string`, `list(int)`.' },
  { name: 'doc', type: TEXT, doc: 'What it is.' },
];

const CONFIG_FIELD: readonly ConfigField[] = [
  { name: 'name', type: NAME, required: true, doc: 'The key.' },
  { name: 'type', type: { kind: 'map', value: { kind: 'any' } }, required: true, doc: `\`kind\` is one of ${KINDS}.` },
  { name: 'doc', type: TEXT, doc: 'What it is.' },
  { name: 'required', type: BOOL, doc: 'It must be there.' },
  { name: 'default', type: { kind: 'any' }, doc: 'What it is when it is not there.' },
  { name: 'interpolation', type: unionOf(INTERPOLATIONS.split(' ')), doc: 'What is filled in.' },
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
      { name: 'sample', type: { kind: 'any' }, doc: 'A value of it.' },
      { name: 'role', type: unionOf(VALUE_ROLES), doc: 'What it stands for.' },
      ...PLACES,
    ]),
    doc: 'Inputs of expressions.',
  },
  {
    name: 'objects',
    type: listOf([
      { name: 'name', type: NAME, required: true, doc: 'Its name.' },
      { name: 'doc', type: TEXT, doc: 'What it is.' },
      { name: 'fields', type: listOf(TYPED), doc: 'Its fields.' },
    ]),
    doc: 'Types with fields.',
  },
  {
    name: 'functions',
    type: listOf([
      { name: 'name', type: NAME, required: true, doc: 'Its name.' },
      { name: 'params', type: listOf(TYPED), required: true, doc: 'Its parameters.' },
      { name: 'result', type: NAME, required: true, doc: 'The type of its result.' },
      { name: 'member', type: BOOL, doc: 'Called on its first parameter.' },
      { name: 'body', type: NAME, doc: 'What a call stands for, in CEL.' },
      { name: 'opaque', type: NAME, doc: 'Why no run can have its value.' },
      { name: 'implementation', type: { kind: 'any' }, doc: 'A function of JavaScript, in modules.' },
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
        doc: 'When it ends the policy.',
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
    doc: 'What there is not.',
  },
];
