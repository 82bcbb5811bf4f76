import { type ConfigField, type ConfigType, type EndpointKind, PROFILES } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel/tooling';
import type { PlainValue } from '../document/document-node.ts';
import type { Rule } from '../rules/policy.ts';
import { NAMES, unionOf } from './shapes.ts';

/** A file of policy tests, as written. */
export interface PolicyTests extends TestMoment {
  /** Relative to the file; followed by `#` and a path if the policy is a part of a file. */
  readonly policy: string;
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  readonly tests: readonly PolicyTest[];
}

/** The time of a test and the seed of its random numbers. */
export interface TestMoment {
  /** A time with a zone, as in RFC 3339. */
  readonly now?: string;
  readonly seed?: number;
}

/** One exchange. Omitted parts are unknown. */
export interface WrittenExchange extends Pick<TestMoment, 'now'> {
  readonly connection?: TestConnection;
  readonly request?: TestRequest;
  readonly response?: TestResponse;
}

/** One exchange and its expected outcome. */
export interface PolicyTest extends WrittenExchange, TestMoment {
  readonly name: string;
  readonly expect: Expectation;
  /** Number of times to send the exchange; the expectation is about the last one. */
  readonly times?: number;
  /** Why the test is skipped. */
  readonly skip?: string;
  readonly only?: boolean;
}

/** The known properties of a connection. */
export interface TestConnection {
  readonly client_ip?: string;
  readonly tls?: { readonly version?: string; readonly cipher_suite?: string; readonly server_name?: string };
}

/** The known headers of a message. */
export interface TestMessage {
  readonly headers?: TestHeaders;
  readonly no_other_headers?: boolean;
}

/** The known parts of a request. */
export interface TestRequest extends TestMessage {
  readonly method?: string;
  /** Absolute, or a path with an optional query. */
  readonly url?: string;
  readonly protocol?: string;
}

/** The known parts of a response. */
export interface TestResponse extends TestMessage {
  readonly status?: number;
}

/** Headers by name; null for an absent one. */
export interface TestHeaders {
  readonly [name: string]: string | readonly string[] | null;
}

/** The expected decision on an exchange. */
export interface Expectation {
  readonly outcome?: keyof typeof OUTCOMES;
  readonly status?: number;
  readonly location?: string;
  readonly headers?: TestHeaders;
  readonly body?: string;
  readonly upstream?: { readonly asked?: boolean; readonly url?: string; readonly headers?: TestHeaders };
  /** By name, or by phase and number. */
  readonly rules?: { readonly [rule: string]: (typeof RULE_STATUSES)[number] };
  readonly actions?: readonly string[];
  readonly logged?: readonly PlainValue[];
}

/** Returns the index of the rule with this name, or with this phase and number, as in `inbound 2`; or an error message. */
export function findTestedRule(key: string, rules: readonly Rule[]): number | { readonly message: string } {
  const named = rules.flatMap((rule, index) => (rule.name?.value === key ? [index] : []));
  if (named.length === 1) return named[0]!;
  const labels = named.map(index => `\`${labelOf(rules[index]!)}\``);
  if (named.length > 1) return { message: `several rules are named \`${key}\`; write ${labels.join(' or ')}` };
  const numbered = rules.flatMap((rule, index) => (labelOf(rule) === key ? [index] : []));
  // Rules of several policies.
  if (numbered.length > 1) return { message: `several rules are \`${key}\`; write the name of one` };
  if (numbered.length === 1) return numbered[0]!;
  const known = rules.flatMap(rule => [rule.name?.value ?? [], labelOf(rule)].flat());
  const close = nearest(key, known);
  const hint =
    close === undefined
      ? '; write its name, or its phase and number, as in `inbound 2`'
      : `; did you mean \`${close}\`?`;
  return { message: `unknown rule \`${key}\`${hint}` };
}

function labelOf({ phase, index }: Rule): string {
  return `${phase} ${index + 1}`;
}

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
