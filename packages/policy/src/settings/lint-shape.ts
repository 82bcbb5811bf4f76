import type { ConfigField, ConfigType } from '@tollgate/catalog';

/** The names of the lint presets. */
export const LINT_PRESETS = ['recommended', 'security', 'strict', 'style', 'all'] as const;

const NAMES = { kind: 'list', of: { kind: 'string', nonEmpty: true } } as const satisfies ConfigType;
const RULES = { kind: 'map', value: { kind: 'any' } } as const satisfies ConfigType;

/** The keys of the `lint` section of a project file. The linter checks the ids and options of lint rules. */
export const LINT_FIELDS: readonly ConfigField[] = [
  {
    name: 'extends',
    type: NAMES,
    default: ['recommended'],
    doc: `Settings to extend: the presets ${LINT_PRESETS.map(name => `\`${name}\``).join(', ')}; files, such as \`./base.yaml\`; packages, whose \`tollgate.yaml\` is used, or another file of one, such as \`@acme/policies/strict.yaml\`. Later ones override earlier ones.`,
  },
  {
    name: 'rules',
    type: RULES,
    doc: 'By id, or `category/*`: `error`, `warning`, `info`, `hint`, `off`, `on`, or a map with `severity` and options.',
  },
  {
    name: 'overrides',
    type: {
      kind: 'list',
      of: {
        kind: 'object',
        fields: [
          { name: 'files', type: NAMES, required: true, doc: 'Patterns of files, relative to the project file.' },
          { name: 'rules', type: RULES, required: true, doc: 'Lint rules for these files, as above.' },
        ],
      },
    },
    doc: 'Settings for some files; later ones override earlier ones.',
  },
  { name: 'load', type: NAMES, doc: 'Modules with lint rules, relative to the project file.' },
  { name: 'ignore', type: NAMES, doc: 'Patterns of files that are not linted, relative to the project file.' },
];
