import type { EndpointKind } from '@tollgate/catalog';
import type { PlainValue } from '../document/model/document-node.ts';
import type { OUTCOMES, RULE_STATUSES } from './tests-shape.ts';

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
