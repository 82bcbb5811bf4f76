import { OPERATION_IDS, type OPERATIONS, type OperationId, operationOf } from '../contract/operations.ts';
import type { BodyOf, EntryOf, ResultOf } from '../contract/wire-type.ts';
import type { Operation } from '../definition/operation.ts';
import { entriesOf } from './pages.ts';
import { failure, type Result } from './result.ts';
import { send } from './send.ts';
import { type ClientOptions, type ClientSettings, settingsOf } from './settings.ts';

type Op<I extends OperationId> = (typeof OPERATIONS)[I];

type ParameterOf<P> = P extends `${string}{${infer N}}${infer Rest}` ? N | ParameterOf<Rest> : never;

type QueryOf<I extends OperationId> =
  Op<I> extends { paged: true }
    ? {
        readonly query?: { readonly limit?: number; readonly before_id?: string } & Readonly<
          Record<string, string | number>
        >;
      }
    : unknown;

type BodyInput<I extends OperationId> = [BodyOf<I>] extends [never] ? unknown : { readonly body: BodyOf<I> };

/** The input of an operation: path parameters, query and body. */
export type InputOf<I extends OperationId> = { readonly [K in ParameterOf<Op<I>['path']>]: string } & QueryOf<I> &
  BodyInput<I>;

/** Options of a call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The `etag` that the change is based on. The server responds with 412 if the record has changed since. */
  readonly ifMatch?: string;
}

/** The ids of operations that return a list. */
export type ListId = { [I in OperationId]: Op<I> extends { listKey: string } ? I : never }[OperationId];

type Methods = {
  readonly [I in OperationId as Uncapitalize<I>]: (
    input: InputOf<I>,
    options?: CallOptions,
  ) => Promise<Result<ResultOf<I>>>;
};

type Iterators = {
  readonly [I in ListId as Uncapitalize<I>]: (
    input: InputOf<I>,
    options?: CallOptions,
  ) => AsyncIterable<Result<EntryOf<I>>>;
};

/**
 * A method for each operation, named like its id with a lower-case first letter. `each` has the list operations as iterators over the
 * records of all pages, which end with the first failure.
 */
export type Client = Methods & { readonly each: Iterators };

/**
 * Creates a client of the Edge Configuration API. Methods return I/O errors and error responses as typed values instead of throwing. Keys
 * of bodies and maps are not converted. Throws a `TypeError` for invalid options.
 */
export function createClient(options: ClientOptions): Client {
  const settings = settingsOf(options);
  const methods = OPERATION_IDS.map(id => {
    const operation = operationOf(id);
    const method = (input: Input = {}, call: CallOptions = {}) => run(settings, operation, input, call);
    return [methodName(id), method] as const;
  });
  const each = OPERATION_IDS.map(operationOf).flatMap((operation, index) => {
    const list = (input: Input = {}, call: CallOptions = {}) =>
      entriesOf(operation, input.query ?? {}, query => run(settings, operation, { ...input, query }, call));
    return operation.listKey === undefined ? [] : [[methodName(OPERATION_IDS[index]!), list] as const];
  });
  // The types of the methods follow from the table of operations.
  return { ...Object.fromEntries<unknown>(methods), each: Object.fromEntries<unknown>(each) } as Client;
}

type Query = Readonly<Record<string, string | number>>;
type Input = { readonly query?: Query; readonly body?: unknown } & Readonly<Record<string, unknown>>;

function methodName(id: OperationId): string {
  return `${id[0]!.toLowerCase()}${id.slice(1)}`;
}

async function run(
  settings: ClientSettings,
  operation: Operation,
  input: Input,
  { signal, ifMatch }: CallOptions,
): Promise<Result<unknown>> {
  const path = pathOf(operation.path, input);
  if (path instanceof Error) return failure('input', path.message);
  if (operation.request !== null && !isSendable(input.body)) {
    return failure('input', '`body` must be an object that can be serialized as JSON');
  }
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const url = `${settings.baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`;
  return send(settings, { operation, url, body: input.body, signal, ifMatch });
}

/** Returns the path with its parameters, or an error for a parameter that is empty or only dots and would address another resource. */
function pathOf(template: string, input: Input): string | Error {
  let wrong: string | undefined;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name];
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) wrong ??= name;
    return encodeURIComponent(String(value));
  });
  return wrong === undefined
    ? path
    : new Error(`\`${wrong}\` must be an identifier, found \`${String(input[wrong])}\``);
}

function isSendable(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  try {
    JSON.stringify(body);
    return true;
  } catch {
    return false;
  }
}
