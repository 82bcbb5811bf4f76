import { type ConfigField, type LimitFact, PROFILES, SWITCHES, type SwitchFact } from '@tollgate/catalog';
import { TEMPLATE_KINDS } from '../carriers/placeholders/mask-template.ts';
import { NAMES, unionOf } from './extension-shape.ts';
import { PROJECT_INVARIANT_FIELDS } from './invariants-shape.ts';
import { LINT_FIELDS } from './lint-shape.ts';
import { PUBLISH_FIELDS } from './publish-shape.ts';

/** The keys of a project file. */
export const PROJECT_FIELDS: readonly ConfigField[] = [
  {
    name: 'profile',
    type: unionOf(PROFILES.map(one => one.name)),
    doc: 'Profile of the policies. By default it is detected from the keys and names in each document.',
  },
  {
    name: 'endpoint',
    type: unionOf(PROFILES.flatMap(one => one.endpoints)),
    doc: 'Endpoint kind of the policies. By default the first of the profile.',
  },
  {
    name: 'overrides',
    type: {
      kind: 'list',
      of: {
        kind: 'object',
        fields: [
          { name: 'files', type: NAMES, required: true, doc: 'Patterns of files, relative to the project file.' },
          { name: 'profile', type: unionOf(PROFILES.map(one => one.name)), doc: 'Their profile.' },
          { name: 'endpoint', type: unionOf(PROFILES.flatMap(one => one.endpoints)), doc: 'Their endpoint kind.' },
        ],
      },
    },
    doc: 'Other profiles and endpoint kinds for some files; later ones override earlier ones, the command line overrides all.',
  },
  {
    name: 'carriers',
    type: {
      kind: 'list',
      of: {
        kind: 'object',
        fields: [
          { name: 'files', type: NAMES, doc: 'Patterns of files, relative to the project file. By default all files.' },
          {
            name: 'kind',
            type: { kind: 'string' },
            doc: 'Kind of the Kubernetes resources. By default all documents that have the path.',
          },
          {
            name: 'path',
            type: { kind: 'string' },
            required: true,
            doc: 'Path of the policy, such as `/spec/rules/*/policy`; `*` stands for any key or index.',
          },
        ],
      },
    },
    doc: 'Where policies are in other files. Most are found without it: by their content, or by the kind of a known resource.',
  },
  {
    name: 'templates',
    type: {
      kind: 'list',
      of: {
        kind: 'object',
        fields: [
          { name: 'files', type: NAMES, required: true, doc: 'Patterns of files, relative to the project file.' },
          {
            name: 'language',
            type: unionOf(TEMPLATE_KINDS),
            required: true,
            doc: 'Template language: `$VAR` and `${VAR}` for `envsubst`, otherwise what is in braces.',
          },
        ],
      },
    },
    doc: 'Files with placeholders, whose values are unknown. Helm is detected. The last pattern that matches wins, `--templates` overrides all.',
  },
  {
    name: 'invariants',
    type: { kind: 'list', of: { kind: 'object', fields: PROJECT_INVARIANT_FIELDS } },
    doc: 'What must hold for all traffic of some policies. `tollgate prove` proves it or finds a request that refutes it.',
  },
  {
    name: 'upstreams',
    type: NAMES,
    doc: 'What serves the requests: `nginx`, `express`, `go`, `tomcat`, `iis`. `tollgate bypass` looks for requests that they read differently.',
  },
  { name: 'env', type: NAMES, doc: 'Extension files, relative to the project file.' },
  { name: 'lint', type: { kind: 'object', fields: LINT_FIELDS }, doc: 'Settings of the linter.' },
  {
    name: 'openTypes',
    type: unionOf(['open', 'closed']),
    default: 'open',
    doc: "Whether values of open types may be compared with values of the other type, as in `res.status_code == '300'`.",
  },
  {
    name: 'switches',
    type: { kind: 'object', fields: Object.entries<SwitchFact>(SWITCHES).map(switchField) },
    doc: 'Choices where the meaning of a policy is not documented. By default those of the profile.',
  },
  {
    name: 'limits',
    type: { kind: 'object', fields: allLimits().map(limitField) },
    doc: 'Limits on the size of policies. By default those of the profile.',
  },
  ...PUBLISH_FIELDS,
];

function switchField([name, { doc, values }]: readonly [string, SwitchFact]): ConfigField {
  const answers = Object.entries(values).map(([value, meaning]) => `\`${value}\`: ${meaning}`);
  return { name, type: unionOf(Object.keys(values)), doc: `${doc} ${answers.join('; ')}.` };
}

function allLimits(): readonly LimitFact[] {
  return [...new Map(PROFILES.flatMap(profile => profile.limits).map(limit => [limit.name, limit])).values()];
}

function limitField({ name, value, most, doc }: LimitFact): ConfigField {
  return { name, type: { kind: 'int', min: 1, max: most }, default: value, doc };
}
