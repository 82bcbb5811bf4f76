import type { ConfigField, ConfigType } from '@tollgate/catalog';
import { shapeFaults } from '@tollgate/policy';

const TEXT = { kind: 'string', nonEmpty: true } as const satisfies ConfigType;
const EXAMPLE: ConfigType = {
  kind: 'object',
  fields: [
    { name: 'policy', type: TEXT, required: true, doc: '' },
    { name: 'profile', type: TEXT, doc: '' },
    { name: 'endpoint', type: TEXT, doc: '' },
    { name: 'options', type: { kind: 'map', value: { kind: 'any' } }, doc: '' },
    { name: 'tests', type: TEXT, doc: '' },
    { name: 'coverage', type: { kind: 'list', of: { kind: 'any' } }, doc: '' },
    { name: 'isEdge', type: { kind: 'bool' }, doc: '' },
  ],
};

/** What modules with lint rules must export. Whether functions are functions is checked separately. */
const FIELDS: readonly ConfigField[] = [
  { name: 'id', type: TEXT, required: true, doc: '' },
  {
    name: 'severity',
    type: { kind: 'choice', values: ['error', 'warning', 'info', 'hint', 'off'] },
    required: true,
    doc: '',
  },
  { name: 'maxSeverity', type: { kind: 'choice', values: ['error', 'warning', 'info', 'hint'] }, doc: '' },
  { name: 'summary', type: TEXT, required: true, doc: '' },
  { name: 'rationale', type: TEXT, required: true, doc: '' },
  { name: 'bad', type: EXAMPLE, required: true, doc: '' },
  { name: 'good', type: EXAMPLE, required: true, doc: '' },
  { name: 'cost', type: { kind: 'choice', values: ['fast', 'slow'] }, required: true, doc: '' },
  {
    name: 'fixable',
    type: { kind: 'choice', values: ['no', 'safe', 'unsafe', 'suggestion'] },
    required: true,
    doc: '',
  },
  { name: 'presets', type: { kind: 'list', of: TEXT }, required: true, doc: '' },
  { name: 'options', type: { kind: 'list', of: { kind: 'map', value: { kind: 'any' } } }, doc: '' },
  { name: 'check', type: { kind: 'map', value: { kind: 'any' } }, required: true, doc: '' },
  { name: 'workspace', type: { kind: 'map', value: { kind: 'any' } }, doc: '' },
];

const VISITOR_FUNCTIONS = [
  'file',
  'policy',
  'rule',
  'action',
  'configString',
  'expression',
  'tests',
  'suppressions',
  'nodes',
  'calls',
];

/** Returns the reasons why an exported value is not a lint rule. */
export function ruleFaults(value: unknown): readonly string[] {
  const shape = shapeFaults(value, FIELDS).map(({ path, message }) =>
    path.length === 0 ? message : `\`${path.join('.')}\`: ${message}`,
  );
  return shape.length > 0 ? shape : meaningFaults(value as RuleModule);
}

interface RuleModule {
  readonly id: string;
  readonly check: object;
  readonly workspace?: object;
}

function meaningFaults({ id, check, workspace }: RuleModule): readonly string[] {
  const names = Object.keys(check);
  const unknown = names.filter(name => !VISITOR_FUNCTIONS.includes(name));
  return [
    ...(/^[a-z][a-z0-9]*\/[a-z0-9-]+$/.test(id) ? [] : [`\`id\`: expected \`category/name\`, found \`${id}\``]),
    ...(names.length === 0 && !workspace
      ? ['`check`: expected at least one visitor function, found an empty map']
      : []),
    ...unknown.map(
      name => `\`check\`: unknown visitor function \`${name}\`; expected one of ${VISITOR_FUNCTIONS.join(', ')}`,
    ),
  ];
}
