import { type ConfigField, type ConfigType, PROFILES } from '@tollgate/catalog';
import { NAMES, unionOf } from '../settings/extension-shape.ts';

/** The outcomes of an exchange. */
export const OUTCOMES = {
  passed: 'the upstream answered, and its response was sent',
  forwarded: 'an internal endpoint answered, and its response was sent',
  denied: 'rejected by `deny`',
  refused: 'rejected by an action that lets other requests pass',
  answered: 'answered by the edge instead of the upstream',
  redirected: 'the client was redirected',
  replaced: 'the upstream answered, and the edge sent another response',
  closed: 'the connection was closed without a response',
  failed: 'the request failed because of an error in an expression',
} as const satisfies Readonly<Record<string, string>>;

/** What can happen to a rule during an exchange. */
export const RULE_STATUSES = ['matched', 'not-matched', 'failed', 'not-reached'] as const;

const STRING = { kind: 'string' } as const satisfies ConfigType;
const NAME = { kind: 'string', nonEmpty: true } as const satisfies ConfigType;
const BOOL = { kind: 'bool' } as const satisfies ConfigType;
const STATUS = { kind: 'int', min: 100, max: 999 } as const satisfies ConfigType;
const HEADERS = { kind: 'map', value: { kind: 'any' } } as const satisfies ConfigType;

/** Maximum of `times`, so that tests terminate. */
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
];

const CONNECTION: readonly ConfigField[] = [
  { name: 'client_ip', type: NAME, doc: 'The address of the client.' },
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
];

/** The keys of a file that describes one exchange like a policy test. */
export const EXCHANGE_FIELDS: readonly ConfigField[] = [...EXCHANGE, ...MOMENT.filter(({ name }) => name === 'now')];

const TEST: readonly ConfigField[] = [
  { name: 'name', type: NAME, required: true, doc: 'A sentence that is true if the test passes.' },
  ...EXCHANGE,
  { name: 'expect', type: { kind: 'object', fields: EXPECT }, required: true, doc: 'Expected decision.' },
  {
    name: 'times',
    type: { kind: 'int', min: 1, max: MAX_TIMES },
    default: 1,
    doc: 'Number of times to send it, for rate limits. The expectation is about the last one.',
  },
  { name: 'skip', type: NAME, doc: 'Why the test is skipped.' },
  { name: 'only', type: BOOL, default: false, doc: 'Run only the tests of this file that set this.' },
  ...MOMENT,
];

/** The keys of a file of policy tests. */
export const TESTS_FIELDS: readonly ConfigField[] = [
  {
    name: 'policy',
    type: NAME,
    required: true,
    doc: 'The policy to test, relative to this file; `FILE#/spec/policy` for a part of a file.',
  },
  {
    name: 'profile',
    type: unionOf(PROFILES.map(one => one.name)),
    doc: 'Profile of the policy. By default it is detected from its keys and names.',
  },
  { name: 'endpoint', type: unionOf(PROFILES.flatMap(one => one.endpoints)), doc: 'Endpoint kind of the policy.' },
  ...MOMENT,
  {
    name: 'tests',
    type: { kind: 'list', of: { kind: 'object', fields: TEST }, min: 1 },
    required: true,
    doc: 'The tests.',
  },
];
