import { type ConfigField, type LimitFact, PROFILES, SWITCHES, type SwitchFact } from '@tollgate/catalog';
import { NAMES, unionOf } from './extension-shape.ts';
import { LINT_FIELDS } from './lint-shape.ts';

/** The keys of a project file. */
export const PROJECT_FIELDS: readonly ConfigField[] = [
  {
    name: 'profile',
    type: unionOf(PROFILES.map(one => one.name)),
    doc: 'The dialect of the policies. Without it each document tells its own, by its keys and names.',
  },
  {
    name: 'endpoint',
    type: unionOf(PROFILES.flatMap(one => one.endpoints)),
    doc: 'What the policies are for. Without it the first that the profile has.',
  },
  {
    name: 'overrides',
    type: {
      kind: 'list',
      of: {
        kind: 'object',
        fields: [
          { name: 'files', type: NAMES, required: true, doc: 'Patterns of files, relative to the project file.' },
          { name: 'profile', type: unionOf(PROFILES.map(one => one.name)), doc: 'Their dialect.' },
          { name: 'endpoint', type: unionOf(PROFILES.flatMap(one => one.endpoints)), doc: 'What they are for.' },
        ],
      },
    },
    doc: 'What some files are for instead; later ones win. The command line wins over all.',
  },
  { name: 'env', type: NAMES, doc: 'Extension files, relative to the project file.' },
  { name: 'lint', type: { kind: 'object', fields: LINT_FIELDS }, doc: 'How policies are linted.' },
  {
    name: 'openTypes',
    type: unionOf(['open', 'closed']),
    default: 'open',
    doc: "Whether values of open types may be compared with values of the other type, as in `res.status_code == '300'`.",
  },
  {
    name: 'switches',
    type: { kind: 'object', fields: Object.entries<SwitchFact>(SWITCHES).map(switchField) },
    doc: 'Answers to open questions about what a policy means. Those that are left out have the answer of the profile.',
  },
  {
    name: 'limits',
    type: { kind: 'object', fields: allLimits().map(limitField) },
    doc: 'Sizes of policies. Those that are left out are as the profile has them.',
  },
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
