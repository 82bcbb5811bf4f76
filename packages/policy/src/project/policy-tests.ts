// Policy tests: what a test can say about an exchange and the decision on it, as written and with a test for each case.

import type { EndpointKind } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel/tooling';
import type { PlainValue } from '../document/document-node.ts';
import type { Rule } from '../rules/policy.ts';
import type { Fault } from './shape-faults.ts';

/** A file of policy tests, with a test for each case of its tables. */
export interface PolicyTests extends TestMoment {
  /** Relative to the file; followed by `#` and a path if the policy is a part of a file. */
  readonly policy: string;
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  readonly tests: readonly PolicyTest[];
}

/** A file of policy tests, as written. */
export interface WrittenTests extends Omit<PolicyTests, 'tests'>, WrittenFixtures {
  readonly tests: readonly WrittenTest[];
}

/** The parts of a file of policy tests that files which extend it inherit. */
export interface WrittenFixtures extends TestMoment {
  /** A file whose fixtures may be used as well, relative to this one. */
  readonly extends?: string;
  /** Requests and connections that tests use by name. */
  readonly requests?: { readonly [name: string]: TestRequest };
  readonly connections?: { readonly [name: string]: TestConnection };
}

/** A test as written: one case, or a table of cases that say what differs. */
export interface WrittenTest extends Omit<WrittenCase, 'name'> {
  readonly name: string;
  readonly cases?: readonly WrittenCase[];
  /** Values by the field that they are for; each combination is a case. */
  readonly for?: { readonly [field: string]: readonly unknown[] };
}

/** One case of a test: what it says in place of the test, or in addition. */
export interface WrittenCase extends Partial<Omit<PolicyTest, 'after' | 'path' | 'table'>> {
  /** Names of fixtures. */
  readonly use?: readonly string[];
  readonly after?: readonly WrittenEarlier[];
}

/** Requests before that of the test, which are the same except for what they say. */
export interface WrittenEarlier extends WrittenExchange {
  readonly use?: readonly string[];
  readonly repeat?: number;
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
  /** Variables of policies that follow from nothing else in the exchange, by path. */
  readonly variables?: { readonly [path: string]: PlainValue };
}

/** One exchange and its expected outcome. */
export interface PolicyTest extends WrittenExchange, TestMoment {
  /** Unique in the file. */
  readonly name: string;
  readonly expect: Expectation;
  readonly tags?: readonly string[];
  /** Requests that are sent before, in order. */
  readonly after?: readonly EarlierExchange[];
  /** By action type: what an action does that the test cannot show. */
  readonly assume?: ActionAssumptions;
  /** Number of times to send the exchange; the expectation is about the last one. */
  readonly times?: number;
  /** Why the test is skipped. */
  readonly skip?: string;
  readonly only?: boolean;
  /** Where it is written: the keys and indices of the test or case. By default, its position among the tests. */
  readonly path?: Fault['path'];
  /** The name of the test that it is a case of. */
  readonly table?: string;
}

/** A request that is sent before that of the test. */
export interface EarlierExchange extends WrittenExchange {
  /** Number of times to send it; 1 by default. */
  readonly repeat?: number;
}

/** What actions do whose effect no test can show, by type. */
export interface ActionAssumptions {
  readonly [action: string]: 'passes' | 'refuses' | AssumedResults;
}

/** Whether the action lets the traffic pass, if `passes` is given; and its results by name. */
export interface AssumedResults {
  readonly passes?: boolean;
  readonly [result: string]: PlainValue | undefined;
}

/** The known properties of a connection. */
export interface TestConnection {
  readonly client_ip?: string;
  readonly geo?: TestLocation;
  readonly tls?: {
    readonly version?: string;
    readonly cipher_suite?: string;
    readonly server_name?: string;
    readonly client_name?: string;
    readonly alpn?: string;
    readonly ja4?: string;
  };
}

/** What is known about the location of an address. */
export interface TestLocation {
  readonly country_code?: string;
  readonly country?: string;
  readonly continent?: string;
  readonly subdivision?: string;
  readonly city?: string;
  readonly postal_code?: string;
  readonly time_zone?: string;
  readonly latitude?: string;
  readonly longitude?: string;
  readonly as_number?: number;
  readonly as_organization?: string;
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
  /** The URL of the internal endpoint that the traffic is forwarded to. */
  readonly forwarded_to?: string;
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
      ? rules.length === 0
        ? '; the policy has no rules'
        : `; write its name, or its phase and number, as in \`${labelOf(rules.at(-1)!)}\``
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
