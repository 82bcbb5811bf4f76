// The keys of files of policy tests, which the reader checks and the reference and JSON Schema list.

import { type ConfigField, type ConfigType, PROFILES } from '@tollgate/catalog';
import { OUTCOMES, RULE_STATUSES } from './policy-tests.ts';
import { NAMES, unionOf } from './shapes.ts';

const STRING = { kind: 'string' } as const satisfies ConfigType;
const NAME = { kind: 'string', nonEmpty: true } as const satisfies ConfigType;
const BOOL = { kind: 'bool' } as const satisfies ConfigType;
const STATUS = { kind: 'int', min: 100, max: 999 } as const satisfies ConfigType;
const HEADERS = { kind: 'map', value: { kind: 'any' } } as const satisfies ConfigType;

/** Maximum of `times` and `repeat`, so that tests terminate. */
const MAX_TIMES = 10_000;

const MESSAGE_HEADERS: readonly ConfigField[] = [
  {
    name: 'headers',
    type: HEADERS,
    doc: 'By name: a string, a list of strings, or null for an absent one. All others are unknown.',
  },
  { name: 'no_other_headers', type: BOOL, default: false, doc: 'Whether these are all headers.' },
];

const TLS: readonly ConfigField[] = [
  { name: 'version', type: STRING, doc: 'For example `TLS 1.3`.' },
  { name: 'cipher_suite', type: STRING, doc: 'Its name.' },
  { name: 'server_name', type: STRING, doc: 'Server name that the client requested (SNI).' },
  { name: 'client_name', type: STRING, doc: "Common name in the subject of the client's certificate." },
  { name: 'alpn', type: STRING, doc: 'Negotiated protocol: `h2`.' },
  { name: 'ja4', type: STRING, doc: 'JA4 fingerprint of the handshake.' },
];

const GEO: readonly ConfigField[] = [
  { name: 'country_code', type: STRING, doc: 'Two capital letters (ISO 3166-1): `DE`.' },
  { name: 'country', type: STRING, doc: 'Name of the country.' },
  { name: 'continent', type: STRING, doc: 'Name of the continent.' },
  { name: 'subdivision', type: STRING, doc: 'State, province or region.' },
  { name: 'city', type: STRING, doc: 'Name of the city.' },
  { name: 'postal_code', type: STRING, doc: 'Postal code.' },
  { name: 'time_zone', type: STRING, doc: 'IANA name: `Europe/Berlin`.' },
  { name: 'latitude', type: STRING, doc: 'In degrees, as a string.' },
  { name: 'longitude', type: STRING, doc: 'In degrees, as a string.' },
  {
    name: 'as_number',
    type: { kind: 'int', min: 0, max: 4_294_967_295 },
    doc: 'Number of the autonomous system.',
  },
  { name: 'as_organization', type: STRING, doc: 'Organization of the autonomous system.' },
];

const CONNECTION: readonly ConfigField[] = [
  { name: 'client_ip', type: NAME, doc: 'The address of the client.' },
  {
    name: 'geo',
    type: { kind: 'object', fields: GEO },
    doc: 'Where the address is; use empty strings for what it does not have.',
  },
  {
    name: 'tls',
    type: { kind: 'object', fields: TLS },
    doc: 'The TLS connection; use empty strings for what it does not have.',
  },
];

const REQUEST: readonly ConfigField[] = [
  { name: 'method', type: NAME, doc: 'As sent, for example `GET`.' },
  { name: 'url', type: NAME, doc: 'An absolute URL, or a path and query if scheme and host do not matter.' },
  { name: 'protocol', type: NAME, doc: 'As `HTTP/1.1`.' },
  ...MESSAGE_HEADERS,
];

const RESPONSE: readonly ConfigField[] = [{ name: 'status', type: STATUS, doc: 'Status code.' }, ...MESSAGE_HEADERS];

const UPSTREAM: readonly ConfigField[] = [
  { name: 'asked', type: BOOL, doc: 'Whether the upstream receives the request.' },
  { name: 'url', type: NAME, doc: 'URL that it receives.' },
  {
    name: 'headers',
    type: HEADERS,
    doc: 'Headers that it receives; null for an absent one. Other headers are allowed.',
  },
];

const EXPECT: readonly ConfigField[] = [
  { name: 'outcome', type: unionOf(Object.keys(OUTCOMES)), doc: 'Outcome of the exchange.' },
  { name: 'status', type: STATUS, doc: 'Status code that the client receives.' },
  { name: 'location', type: STRING, doc: 'Redirect target.' },
  {
    name: 'headers',
    type: HEADERS,
    doc: 'Headers that the client receives; null for an absent one. Other headers are allowed.',
  },
  { name: 'body', type: STRING, doc: "Body that the client receives. Known only for the edge's own answers." },
  { name: 'forwarded_to', type: NAME, doc: 'URL of the internal endpoint that the traffic is forwarded to.' },
  { name: 'upstream', type: { kind: 'object', fields: UPSTREAM }, doc: 'What the upstream receives.' },
  {
    name: 'rules',
    type: { kind: 'map', value: unionOf(RULE_STATUSES) },
    doc: 'By the name of a rule, or its phase and number, as in `inbound 2`. Other rules are not checked.',
  },
  { name: 'actions', type: NAMES, doc: 'Types of all actions that run, in order.' },
  { name: 'logged', type: { kind: 'list', of: { kind: 'any' } }, doc: 'Metadata of all log entries, in order.' },
];

const MOMENT: readonly ConfigField[] = [
  { name: 'now', type: NAME, doc: 'Time of the request: `2026-03-02T10:15:30Z`. Unknown by default.' },
  {
    name: 'seed',
    type: { kind: 'int', min: 0, max: Number.MAX_SAFE_INTEGER },
    doc: 'Seed of random decisions. Their result is unknown by default.',
  },
];

const EXCHANGE: readonly ConfigField[] = [
  { name: 'connection', type: { kind: 'object', fields: CONNECTION }, doc: 'Known properties of the connection.' },
  { name: 'request', type: { kind: 'object', fields: REQUEST }, doc: 'Known parts of the request.' },
  { name: 'response', type: { kind: 'object', fields: RESPONSE }, doc: 'Response of the upstream.' },
  {
    name: 'variables',
    type: { kind: 'map', value: { kind: 'any' } },
    doc: 'Values of other variables, by path: `req.user_agent.is_bot: true`, `conn.client_ip.categories: [proxy]`.',
  },
];

/** The keys of a file that describes one exchange like a policy test. */
export const EXCHANGE_FIELDS: readonly ConfigField[] = [...EXCHANGE, ...MOMENT.filter(({ name }) => name === 'now')];

const USE: ConfigField = {
  name: 'use',
  type: NAMES,
  doc: 'Names of fixtures, the later over the earlier. What the test itself says overrides them.',
};

const EARLIER: readonly ConfigField[] = [
  {
    name: 'repeat',
    type: { kind: 'int', min: 1, max: MAX_TIMES },
    default: 1,
    doc: 'Number of times to send it.',
  },
  USE,
  ...EXCHANGE_FIELDS,
];

/** What a case may say in place of its test. */
const CASE_PARTS: readonly ConfigField[] = [
  USE,
  ...EXCHANGE,
  { name: 'expect', type: { kind: 'object', fields: EXPECT }, doc: 'Expected decision. Each case needs one.' },
  {
    name: 'after',
    type: { kind: 'list', of: { kind: 'object', fields: EARLIER } },
    doc: 'Requests that are sent before, in order: that of the test, except for what they say.',
  },
  {
    name: 'times',
    type: { kind: 'int', min: 1, max: MAX_TIMES },
    default: 1,
    doc: 'Number of times to send it, for rate limits. The expectation is about the last one.',
  },
  {
    name: 'assume',
    type: { kind: 'map', value: { kind: 'any' } },
    doc: 'What actions do that no test can show, by type: `passes`, `refuses`, or a map with `passes: true` or `false` and results, such as `identity.email`.',
  },
  { name: 'tags', type: NAMES, doc: 'Words that `--tag` selects by, in addition to those of the test.' },
  { name: 'skip', type: NAME, doc: 'Why it is skipped.' },
  { name: 'only', type: BOOL, default: false, doc: 'Run only the tests of this file that set this.' },
  ...MOMENT,
];

const CASE: readonly ConfigField[] = [
  { name: 'name', type: NAME, doc: 'Follows the name of the test. By default what the case says.' },
  ...CASE_PARTS,
];

/** The keys of a test. */
export const TEST_FIELDS: readonly ConfigField[] = [
  { name: 'name', type: NAME, required: true, doc: 'A sentence that is true if the test passes.' },
  ...CASE_PARTS,
  {
    name: 'cases',
    type: { kind: 'list', of: { kind: 'object', fields: CASE }, min: 1 },
    doc: 'Cases, each with what it says in place of the test: maps are merged, anything else is replaced.',
  },
  {
    name: 'for',
    type: { kind: 'map', value: { kind: 'list', of: { kind: 'any' }, min: 1 } },
    doc: 'Lists of values by field: `method`, `url`, `protocol`, `client_ip`, `country_code`, `status`, or a path such as `request.headers.X-Api-Key`. Each combination is a case.',
  },
];

/** What files inherit from a file that they extend. */
const FIXTURES: readonly ConfigField[] = [
  {
    name: 'extends',
    type: NAME,
    doc: 'A file, relative to this one, whose `requests`, `connections`, `now` and `seed` apply here too, unless this file says otherwise.',
  },
  {
    name: 'requests',
    type: { kind: 'map', value: { kind: 'object', fields: REQUEST } },
    doc: 'Requests that tests `use`, by name.',
  },
  {
    name: 'connections',
    type: { kind: 'map', value: { kind: 'object', fields: CONNECTION } },
    doc: 'Connections that tests `use`, by name.',
  },
  ...MOMENT,
];

const POLICY_OF_TESTS: ConfigField = {
  name: 'policy',
  type: NAME,
  required: true,
  doc: 'The policy to test, relative to this file; `FILE#/spec/policy` for a part of a file.',
};

const TESTS: ConfigField = {
  name: 'tests',
  type: { kind: 'list', of: { kind: 'object', fields: TEST_FIELDS }, min: 1 },
  required: true,
  doc: 'The tests.',
};

const TARGET: readonly ConfigField[] = [
  {
    name: 'profile',
    type: unionOf(PROFILES.map(one => one.name)),
    doc: 'Profile of the policy. By default it is detected from its keys and names.',
  },
  { name: 'endpoint', type: unionOf(PROFILES.flatMap(one => one.endpoints)), doc: 'Endpoint kind of the policy.' },
];

/** The keys of a file of policy tests. */
export const TESTS_FIELDS: readonly ConfigField[] = [POLICY_OF_TESTS, ...TARGET, ...FIXTURES, TESTS];

/** The keys of a file that others extend: it may have tests of its own. */
export const EXTENDED_FIELDS: readonly ConfigField[] = [
  ...[POLICY_OF_TESTS, TESTS].map(field => ({ ...field, required: false })),
  ...TARGET,
  ...FIXTURES,
];
