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

/** What a call of an operation is given: the parameters of its path, its query, its body. */
export type InputOf<I extends OperationId> = { readonly [K in ParameterOf<Op<I>['path']>]: string } & QueryOf<I> &
  BodyInput<I>;

/** How one call is made. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The `etag` that the change is meant for: the server refuses it with 412 when the record was changed meanwhile. */
  readonly ifMatch?: string;
}

/** The operations that answer with pages. */
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
 * A method for each operation, named as its id with a small first letter. `each` has the lists once more, as iterations over the records of
 * all pages, which end with the first failure.
 */
export type Client = Methods & { readonly each: Iterators };

/**
 * A client of a server of the Edge Configuration API. Methods never throw for what the world does: they give typed errors. Keys
 * of bodies and of maps are sent and given as they are. Throws a `TypeError` for options that no request can be made with.
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
  // The names and types of the methods are those of the table that they are made from.
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
    return failure('input', '`body` must be an object that JSON can hold');
  }
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const url = `${settings.baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`;
  return send(settings, { operation, url, body: input.body, signal, ifMatch });
}

/** The path with its parameters. None may be empty or dots only: the URL would then be another resource's. */
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
