/** From the simulator's states to messages: what is sent to the upstream and to the client. */
import { Unknown } from '@tollgate/cel';
import type { HeaderMap, HeaderValues, RequestState, ResponseState } from '@tollgate/simulator';
import type { HeaderField } from '@tollgate/traffic';

/** Thrown where a message depends on something that is not known. */
export class UndeterminedError extends Error {
  override readonly name = 'UndeterminedError';
  /** The inputs that would settle it. */
  readonly needs: readonly string[];

  constructor(needs: readonly string[]) {
    super(`undetermined: it depends on ${needs.join(', ')}`);
    this.needs = needs;
  }
}

/** What becomes of the values of one header: those that it had are kept or not, and others follow them. */
export interface HeaderChange {
  readonly keeps: boolean;
  readonly added: readonly string[];
}

/** Changes to the headers of a message, by name in lower case. Headers without a change keep their order and spelling. */
export type HeaderChanges = ReadonlyMap<string, HeaderChange>;

/** What is sent to the upstream instead of the request as it came. */
export interface ForwardedRequest {
  /** Path and query; undefined if the request target stays as the client sent it. */
  readonly target: string | undefined;
  readonly headers: HeaderChanges;
}

/** A message with a body that the edge makes. */
export interface Answer {
  readonly status: number;
  readonly fields: readonly HeaderField[];
  readonly body: string;
}

/** What the client receives instead of the response as it came. */
export type SentResponse =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** The connection is closed without a response. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'passed'; readonly status: number; readonly headers: HeaderChanges };

/** Returns what the upstream is to receive. */
export function forwardedRequest(request: RequestState): ForwardedRequest {
  return { target: request.changes.url ? known(request.target) : undefined, headers: headerChanges(request) };
}

/** Returns what the client is to receive. */
export function sentResponse(response: ResponseState | undefined): SentResponse {
  if (response === undefined) return { kind: 'closed' };
  const status = known(response.status);
  if (!response.changes.isMade) return { kind: 'passed', status, headers: headerChanges(response) };
  return { kind: 'answer', answer: { status, fields: fieldsOf(response.headers), body: known(response.body) } };
}

/** Returns a value, or throws an {@link UndeterminedError} if it is not known. */
export function known<T>(value: T | Unknown): T {
  if (value instanceof Unknown) throw new UndeterminedError(value.attributes);
  return value;
}

function fieldsOf(headers: HeaderMap): readonly HeaderField[] {
  return Object.entries(headers).flatMap(([name, values]) => textsOf(values).map(value => ({ name, value })));
}

function textsOf(values: HeaderValues): readonly string[] {
  return (known(values) ?? []).map(known);
}

function headerChanges({ changes }: RequestState | ResponseState): HeaderChanges {
  if (changes.bodies.length > 0) throw new UndeterminedError(['the body']);
  // Whether a header was changed depends on something unknown.
  if (changes.headers === undefined) throw new UndeterminedError(['the headers']);
  if (changes.headers.size === 0) return NO_CHANGES;
  return new Map(
    [...changes.headers].map(([key, { keeps, added }]) => [key.toLowerCase(), { keeps, added: textsOf(added) }]),
  );
}

const NO_CHANGES: HeaderChanges = new Map();

/** Returns header fields after changes. */
export function changedFields(fields: readonly HeaderField[], changes: HeaderChanges): readonly HeaderField[] {
  const kept = fields.filter(({ name }) => changes.get(name.toLowerCase())?.keeps !== false);
  return [...kept, ...[...changes].flatMap(([name, { added }]) => added.map(value => ({ name, value })))];
}
