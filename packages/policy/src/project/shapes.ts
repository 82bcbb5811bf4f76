import {
  type ConfigField,
  type ConfigType,
  type LimitFact,
  PROFILES,
  SWITCHES,
  type SwitchFact,
  TERMINATIONS,
  VALUE_ROLES,
} from '@tollgate/catalog';
import { SEVERITIES } from '@tollgate/diagnostics';
import { TEMPLATE_KINDS } from '../embedded/placeholders.ts';

const NAME = { kind: 'string', nonEmpty: true } as const satisfies ConfigType;
export const NAMES = { kind: 'list', of: NAME } as const satisfies ConfigType;
const BOOL = { kind: 'bool' } as const satisfies ConfigType;

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

/** The names of the lint presets. */
export const LINT_PRESETS = ['recommended', 'security', 'strict', 'style', 'all'] as const;

const RULES = { kind: 'map', value: { kind: 'any' } } as const satisfies ConfigType;

/** The keys of the `lint` section of a project file. The linter checks the ids and options of lint rules. */
const LINT_FIELDS: readonly ConfigField[] = [
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

const STRING = { kind: 'string' } as const satisfies ConfigType;

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

/** The keys of one invariant. */
const INVARIANT_FIELDS: readonly ConfigField[] = [
  { name: 'name', type: NAME, required: true, doc: 'A sentence that is true if the invariant holds.' },
  { name: 'never', type: NAME, doc: 'Expression over request and decision that is true for no request.' },
  {
    name: 'always',
    type: NAME,
    doc: 'Expression over request and decision that is true for each request.',
  },
  { name: 'when', type: NAME, doc: 'With `implies`: expression that selects requests.' },
  { name: 'implies', type: NAME, doc: 'With `when`: expression that is true for each selected request.' },
  { name: 'unreachable', type: NAME, doc: 'Rule that matches no request: its name, or its phase and number.' },
  {
    name: 'never_fails',
    type: NAME,
    doc: 'Rule that no evaluation error skips: its name, or its phase and number.',
  },
];

/** The keys of a file of invariants. */
export const INVARIANTS_FIELDS: readonly ConfigField[] = [
  {
    name: 'policy',
    type: NAME,
    required: true,
    doc: 'The policy that they are about, relative to this file; `FILE#/spec/policy` for a part of a file; or an edge, in the form that the API returns.',
  },
  {
    name: 'profile',
    type: unionOf(PROFILES.map(one => one.name)),
    doc: 'Profile of the policy. By default it is detected from its keys and names.',
  },
  { name: 'endpoint', type: unionOf(PROFILES.flatMap(one => one.endpoints)), doc: 'Endpoint kind of the policy.' },
  {
    name: 'enabled',
    type: { kind: 'bool' },
    doc: 'Whether the policy is treated as enabled. By default what it says itself; a disabled policy does nothing.',
  },
  {
    name: 'invariants',
    type: { kind: 'list', of: { kind: 'object', fields: INVARIANT_FIELDS }, min: 1 },
    required: true,
    doc: 'What must hold for all traffic.',
  },
];

/** The keys of an invariant in a project file. */
const PROJECT_INVARIANT_FIELDS: readonly ConfigField[] = [
  {
    name: 'files',
    type: NAMES,
    required: true,
    doc: 'Patterns of the policies that it is about, relative to the project file.',
  },
  ...INVARIANT_FIELDS,
];

function object(fields: readonly ConfigField[]): ConfigType {
  return { kind: 'object', fields };
}

const SECRET = object([
  { name: 'env', type: NAME, doc: 'Environment variable that contains it.' },
  { name: 'file', type: NAME, doc: 'File that contains it, relative to the project file.' },
  {
    name: 'command',
    type: { kind: 'list', of: NAME, min: 1 },
    doc: 'Program that prints it, with its arguments. Runs only in trusted directories.',
  },
]);

const ENVIRONMENT: readonly ConfigField[] = [
  { name: 'url', type: NAME, required: true, doc: 'Base URL of the Edge Configuration API.' },
  { name: 'apiKey', type: SECRET, required: true, doc: 'Where the API key comes from.' },
  { name: 'versionHeader', type: NAME, doc: 'Header that selects the version of the API.' },
  {
    name: 'headers',
    type: { kind: 'map', value: { kind: 'string' } },
    doc: 'Extra headers of each request.',
  },
  {
    name: 'caFile',
    type: NAME,
    doc: 'Certificates in PEM format to trust in addition, relative to the project file.',
  },
  {
    name: 'concurrency',
    type: { kind: 'int', min: 1, max: 64 },
    default: 4,
    doc: 'Number of records that are written at the same time.',
  },
  {
    name: 'timeout',
    type: { kind: 'number', min: 0.01, max: 600 },
    default: 30,
    doc: 'Seconds to wait for a response.',
  },
  {
    name: 'requestsPerMinute',
    type: { kind: 'int', min: 1, max: 10_000_000 },
    doc: 'Maximum number of requests in any 60 seconds. By default, the server decides: after 429, requests are sent more slowly.',
  },
];

const PLACE_AND_MODULES: readonly ConfigField[] = [
  { name: 'policy', type: NAME, doc: 'Policy file, or `FILE#/spec/policy` for one part of a file.' },
  {
    name: 'route',
    type: object([
      { name: 'edge', type: NAME, required: true, doc: 'Id of the HTTPS edge, or one of its hostports.' },
      { name: 'id', type: NAME, doc: 'Id of the route.' },
      { name: 'match', type: NAME, doc: 'Path or host that the route matches, instead of its id.' },
      {
        name: 'matchType',
        type: unionOf(['exact_path', 'path_prefix']),
        doc: 'How the route matches. Needed only if two routes have the same `match`.',
      },
    ]),
    doc: 'HTTPS route to publish to.',
  },
  { name: 'tlsEdge', type: NAME, doc: 'TLS edge to publish to: its id, or one of its hostports.' },
  { name: 'tcpEdge', type: NAME, doc: 'TCP edge to publish to: its id, or one of its hostports.' },
  {
    name: 'webhookVerification',
    type: object([
      { name: 'provider', type: NAME, required: true, doc: 'Provider that signs the webhooks.' },
      { name: 'secret', type: SECRET, doc: 'Where the secret comes from.' },
      { name: 'enabled', type: BOOL, default: true, doc: 'Whether the module is enabled.' },
    ]),
    doc: 'Webhook verification of the route. Omitted: left as it is.',
  },
  {
    name: 'ipRestriction',
    type: object([
      { name: 'ipPolicies', type: { ...NAMES, min: 1 }, required: true, doc: 'Ids of IP policies.' },
      { name: 'enabled', type: BOOL, default: true, doc: 'Whether the module is enabled.' },
    ]),
    doc: 'IP restriction of the route or edge. Omitted: left as it is.',
  },
  {
    name: 'allowErase',
    type: BOOL,
    default: false,
    doc: 'Whether to remove live rules that neither the file nor the last apply contains, and more than a third of the live rules.',
  },
];

/** A day of the calendar, in the extended format of ISO 8601. Leap years are not checked: the order of days does not depend on them. */
const DAY = {
  kind: 'shape',
  patterns: [
    '^\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|[12]\\d))$',
  ],
  expected: 'a day such as `2027-01-31`',
} as const satisfies ConfigType;

const TARGET: readonly ConfigField[] = [
  ...PLACE_AND_MODULES,
  {
    name: 'acceptedDrift',
    type: object([
      { name: 'reason', type: NAME, required: true, doc: 'Why the difference is acceptable.' },
      { name: 'until', type: DAY, required: true, doc: 'Last day on which it is accepted, such as `2027-01-31`.' },
    ]),
    doc: 'A known difference that `tollgate drift` does not report until a certain day.',
  },
  {
    name: 'environments',
    type: { kind: 'map', value: object(PLACE_AND_MODULES) },
    doc: 'Other values for some environments, by name.',
  },
];

const GATES: readonly ConfigField[] = [
  {
    name: 'lint',
    type: unionOf([...SEVERITIES, 'off']),
    default: 'error',
    doc: 'Lowest severity of a finding in a policy file that prevents publishing.',
  },
  { name: 'tests', type: NAMES, doc: 'Policy tests that must pass: files, directories or glob patterns.' },
  {
    name: 'impact',
    type: object([
      { name: 'traffic', type: { ...NAMES, min: 1 }, required: true, doc: 'Recorded traffic to replay.' },
      {
        name: 'mapping',
        type: NAME,
        doc: 'Path of a file that maps fields, as for `tollgate replay --mapping`, relative to the project file.',
      },
      {
        name: 'maxChanged',
        type: { kind: 'number', min: 0, max: 100 },
        required: true,
        doc: 'Maximum percentage of exchanges whose decision may change, for each target.',
      },
    ]),
    doc: 'How many decisions a publication may change.',
  },
];

/** The keys of a project file that are about publishing. */
const PUBLISH_FIELDS: readonly ConfigField[] = [
  {
    name: 'environments',
    type: { kind: 'map', value: object(ENVIRONMENT) },
    doc: 'Edge Configuration APIs to publish to, by name.',
  },
  {
    name: 'targets',
    type: { kind: 'map', value: object(TARGET) },
    doc: 'What is published where, by name.',
  },
  { name: 'gates', type: object(GATES), doc: 'Checks that must pass before anything is written.' },
  {
    name: 'history',
    type: object([
      {
        name: 'path',
        type: NAME,
        default: '.tollgate/history.jsonl',
        doc: 'Path of the journal, relative to the project file.',
      },
    ]),
    doc: 'The journal of what was published.',
  },
];

const PERCENT = { kind: 'number', min: 0, max: 100 } as const satisfies ConfigType;

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
    name: 'embedded',
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
  {
    name: 'quotes',
    type: { kind: 'choice', values: ['double', 'single'] },
    default: 'double',
    doc: 'The quotes that `tollgate fmt` prefers, as the option `--single-quote` of Prettier.',
  },
  {
    name: 'coverage',
    type: object([
      { name: 'failUnder', type: PERCENT, doc: 'Least percentage of goals that the tests of a policy must reach.' },
      {
        name: 'overrides',
        type: {
          kind: 'list',
          of: object([
            { name: 'files', type: NAMES, required: true, doc: 'Patterns of policies, relative to the project file.' },
            { name: 'failUnder', type: PERCENT, required: true, doc: 'Their percentage.' },
          ]),
        },
        doc: 'Other percentages for some policies; later ones win.',
      },
    ]),
    doc: 'How much of each policy `tollgate test --coverage` must find tested.',
  },
  ...PUBLISH_FIELDS,
];
