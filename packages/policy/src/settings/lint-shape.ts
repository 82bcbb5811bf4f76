import type { ConfigField, ConfigType } from '@tollgate/catalog';

/** What sets of lint rules are called. */
export const LINT_PRESETS = ['recommended', 'security', 'strict', 'style', 'all'] as const;

const NAMES = { kind: 'list', of: { kind: 'string', nonEmpty: true } } as const satisfies ConfigType;
const RULES = { kind: 'map', value: { kind: 'any' } } as const satisfies ConfigType;

/** The keys of the section `lint` of a project file. What lint rules are called, and their options, the linter checks. */
export const LINT_FIELDS: readonly ConfigField[] = [
  {
    name: 'extends',
    type: NAMES,
    default: ['recommended'],
    doc: `What settings begin with: the presets ${LINT_PRESETS.map(name => `\`${name}\``).join(', ')}; files, as \`./base.yaml\`; packages, of which \`tollgate.yaml\` is taken, or another file as in \`@acme/policies/strict.yaml\`. Later ones win.`,
  },
  {
    name: 'rules',
    type: RULES,
    doc: 'By id, or `category/*`: `error`, `warning`, `info`, `hint`, `off`, `on`, or a map of `severity` and options.',
  },
  {
    name: 'overrides',
    type: {
      kind: 'list',
      of: {
        kind: 'object',
        fields: [
          { name: 'files', type: NAMES, required: true, doc: 'Patterns of files, relative to the project file.' },
          { name: 'rules', type: RULES, required: true, doc: 'As above, for these files.' },
        ],
      },
    },
    doc: 'Settings for some files; later ones win.',
  },
  { name: 'load', type: NAMES, doc: 'Modules with lint rules, relative to the project file.' },
  { name: 'ignore', type: NAMES, doc: 'Patterns of files that are not linted, relative to the project file.' },
];
