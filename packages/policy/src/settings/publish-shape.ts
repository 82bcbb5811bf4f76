import type { ConfigField, ConfigType } from '@tollgate/catalog';
import { SEVERITIES } from '@tollgate/diagnostics';
import { NAMES, unionOf } from './extension-shape.ts';

const NAME = { kind: 'string', nonEmpty: true } as const satisfies ConfigType;
const BOOL = { kind: 'bool' } as const satisfies ConfigType;
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
export const PUBLISH_FIELDS: readonly ConfigField[] = [
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
