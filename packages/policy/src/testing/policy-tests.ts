import type { EndpointKind } from '@tollgate/catalog';
import type { PlainValue } from '../document/model/document-node.ts';
import type { OUTCOMES, RULE_STATUSES } from './tests-shape.ts';

/** A file of policy tests, as written. */
export interface PolicyTests extends TestMoment {
  /** Relative to the file; with a `#` and a path where it is a part of a file. */
  readonly policy: string;
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  readonly tests: readonly PolicyTest[];
}

/** When a test takes place, and what chance gives in it. */
export interface TestMoment {
  /** A time with its zone, as RFC 3339 has it. */
  readonly now?: string;
  readonly seed?: number;
}

/** One exchange. What is left out is not known. */
export interface WrittenExchange extends Pick<TestMoment, 'now'> {
  readonly connection?: TestConnection;
  readonly request?: TestRequest;
  readonly response?: TestResponse;
}

/** One exchange, and what must come of it. */
export interface PolicyTest extends WrittenExchange, TestMoment {
  readonly name: string;
  readonly expect: Expectation;
  /** How often the exchange comes; what is expected is of the last one. */
  readonly times?: number;
  /** Why it is not run. */
  readonly skip?: string;
  readonly only?: boolean;
}

/** What is known of a connection. */
export interface TestConnection {
  readonly client_ip?: string;
  readonly tls?: { readonly version?: string; readonly cipher_suite?: string; readonly server_name?: string };
}

/** What is known of the headers of a message. */
export interface TestMessage {
  readonly headers?: TestHeaders;
  readonly no_other_headers?: boolean;
}

/** What is known of a request. */
export interface TestRequest extends TestMessage {
  readonly method?: string;
  /** Absolute, or a path with its query. */
  readonly url?: string;
  readonly protocol?: string;
}

/** What is known of a response. */
export interface TestResponse extends TestMessage {
  readonly status?: number;
}

/** Headers by name; null for one that is not there. */
export interface TestHeaders {
  readonly [name: string]: string | readonly string[] | null;
}

/** What must come of an exchange. */
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
