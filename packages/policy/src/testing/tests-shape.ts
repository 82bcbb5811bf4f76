import { type ConfigField, type ConfigType, PROFILES } from '@tollgate/catalog';
import { NAMES, unionOf } from '../settings/extension-shape.ts';

/** What may become of an exchange, by its word. */
export const OUTCOMES = {
  passed: 'the upstream answered, and its response went out',
  forwarded: 'an internal endpoint took it, and its response went out',
  denied: 'refused by `deny`',
  refused: 'refused by an action that lets some pass',
  answered: 'by the edge, in place of the upstream',
  redirected: 'the client was sent elsewhere',
  replaced: 'the upstream answered, and the edge sent another response',
  closed: 'the connection was closed, without a response',
  failed: 'an expression failed, and with it the request',
} as const satisfies Readonly<Record<string, string>>;

/** What a rule may do with an exchange. */
export const RULE_STATUSES = ['matched', 'not-matched', 'failed', 'not-reached'] as const;

const TEXT = { kind: 'string' } as const satisfies ConfigType;
const NAME = { kind: 'string', nonEmpty: true } as const satisfies ConfigType;
const BOOL = { kind: 'bool' } as const satisfies ConfigType;
const STATUS = { kind: 'int', min: 100, max: 999 } as const satisfies ConfigType;
const HEADERS = { kind: 'map', value: { kind: 'any' } } as const satisfies ConfigType;

/** The most that `times` may be: a test is to end. */
const MOST_TIMES = 10_000;

const MESSAGE_HEADERS: readonly ConfigField[] = [
  {
    name: 'headers',
    type: HEADERS,
    doc: 'By name: a text, a list of texts, or null for one that is not sent. The others are not known.',
  },
  { name: 'no_other_headers', type: BOOL, default: false, doc: 'No header is sent but these.' },
];

const TLS: readonly ConfigField[] = [
  { name: 'version', type: TEXT, doc: 'As `TLS 1.3`.' },
  { name: 'cipher_suite', type: TEXT, doc: 'Its name.' },
  { name: 'server_name', type: TEXT, doc: 'What the client asked for.' },
];

const CONNECTION: readonly ConfigField[] = [
  { name: 'client_ip', type: NAME, doc: 'The address of the client.' },
  {
    name: 'tls',
    type: { kind: 'object', fields: TLS },
    doc: 'Of the TLS connection; an empty text for what it has not.',
  },
];

const REQUEST: readonly ConfigField[] = [
  { name: 'method', type: NAME, doc: 'As sent: `GET`.' },
  { name: 'url', type: NAME, doc: 'An absolute URL, or a path with its query where scheme and host do not matter.' },
  { name: 'protocol', type: NAME, doc: 'As `HTTP/1.1`.' },
  ...MESSAGE_HEADERS,
];

const RESPONSE: readonly ConfigField[] = [{ name: 'status', type: STATUS, doc: 'Its code.' }, ...MESSAGE_HEADERS];

const UPSTREAM: readonly ConfigField[] = [
  { name: 'asked', type: BOOL, doc: 'Whether the upstream gets the request.' },
  { name: 'url', type: NAME, doc: 'The URL that it gets.' },
  { name: 'headers', type: HEADERS, doc: 'Headers that it gets; null for one that it does not. Others may be there.' },
];

const EXPECT: readonly ConfigField[] = [
  { name: 'outcome', type: unionOf(Object.keys(OUTCOMES)), doc: 'What becomes of it.' },
  { name: 'status', type: STATUS, doc: 'The status code that the client gets.' },
  { name: 'location', type: TEXT, doc: 'Where the client is sent.' },
  {
    name: 'headers',
    type: HEADERS,
    doc: 'Headers that the client gets; null for one that it does not. Others may be there.',
  },
  { name: 'body', type: TEXT, doc: 'The body that the client gets. Known of answers of the edge only.' },
  { name: 'upstream', type: { kind: 'object', fields: UPSTREAM }, doc: 'What the upstream gets.' },
  {
    name: 'rules',
    type: { kind: 'map', value: unionOf(RULE_STATUSES) },
    doc: 'By the name of a rule, or its phase and number as in `inbound 2`. Others may do what they will.',
  },
  { name: 'actions', type: NAMES, doc: 'The types of all actions that fire, in order.' },
  { name: 'logged', type: { kind: 'list', of: { kind: 'any' } }, doc: 'The metadata of all that is logged, in order.' },
];

const MOMENT: readonly ConfigField[] = [
  { name: 'now', type: NAME, doc: 'When the request comes in: `2026-03-02T10:15:30Z`. Without it that is not known.' },
  {
    name: 'seed',
    type: { kind: 'int', min: 0, max: Number.MAX_SAFE_INTEGER },
    doc: 'Draws what the policy leaves to chance. Without it that is not known.',
  },
];

const EXCHANGE: readonly ConfigField[] = [
  { name: 'connection', type: { kind: 'object', fields: CONNECTION }, doc: 'What is known of the connection.' },
  { name: 'request', type: { kind: 'object', fields: REQUEST }, doc: 'What is known of the request.' },
  { name: 'response', type: { kind: 'object', fields: RESPONSE }, doc: 'What the upstream answers.' },
];

/** The keys of a file that describes one exchange as tests do. */
export const EXCHANGE_FIELDS: readonly ConfigField[] = [...EXCHANGE, ...MOMENT.filter(({ name }) => name === 'now')];

const TEST: readonly ConfigField[] = [
  { name: 'name', type: NAME, required: true, doc: 'A sentence that holds when the test passes.' },
  ...EXCHANGE,
  { name: 'expect', type: { kind: 'object', fields: EXPECT }, required: true, doc: 'What must come of it.' },
  {
    name: 'times',
    type: { kind: 'int', min: 1, max: MOST_TIMES },
    default: 1,
    doc: 'How often it comes, for limits that count. What is expected is of the last one.',
  },
  { name: 'skip', type: NAME, doc: 'Why the test is not run.' },
  { name: 'only', type: BOOL, default: false, doc: 'Of this file, only tests that say so are run.' },
  ...MOMENT,
];

/** The keys of a file of policy tests. */
export const TESTS_FIELDS: readonly ConfigField[] = [
  {
    name: 'policy',
    type: NAME,
    required: true,
    doc: 'The policy that is tested, relative to this file; `FILE#/spec/policy` for a part of a file.',
  },
  {
    name: 'profile',
    type: unionOf(PROFILES.map(one => one.name)),
    doc: 'Its dialect; told by its keys and names by default.',
  },
  { name: 'endpoint', type: unionOf(PROFILES.flatMap(one => one.endpoints)), doc: 'What it is for.' },
  ...MOMENT,
  {
    name: 'tests',
    type: { kind: 'list', of: { kind: 'object', fields: TEST }, min: 1 },
    required: true,
    doc: 'The tests.',
  },
];
