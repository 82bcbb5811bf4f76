import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EngineRow } from '../../packages/query/src/engines/engine.ts';

/** What a query returns: columns with the names of their types as the API shortens them, and rows. */
export interface AthenaResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly EngineRow[];
}

interface AthenaError {
  readonly status?: number;
  readonly name: string;
  readonly message: string;
}

/** How the stand-in behaves. */
interface Behaviour {
  /** Runs a query. What it throws is the reason why the query failed. */
  run: (sql: string) => Promise<AthenaResult>;
  /** Returns the error with which a call is refused; undefined for none. */
  refuse: (operation: string, input: Input) => AthenaError | undefined;
}

interface Input {
  readonly QueryString?: string;
  readonly QueryExecutionId?: string;
  readonly NextToken?: string;
  readonly MaxResults?: number;
  readonly ClientRequestToken?: string;
  readonly [name: string]: unknown;
}

interface Execution {
  readonly id: string;
  state: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  reason?: string;
  result?: AthenaResult;
}

/** A local server that answers as the API of Amazon Athena (https://docs.aws.amazon.com/athena/latest/APIReference/), for one account. */
export interface AthenaStandIn {
  /** Environment variables of a program that uses it. */
  readonly env: Readonly<Record<string, string>>;
  readonly behaviour: Behaviour;
  /** All calls so far: the operation with its input. */
  readonly calls: (readonly [operation: string, input: Input])[];
  /** The states of all queries so far, by their text. */
  readonly states: () => readonly (readonly [sql: string, state: string])[];
  readonly stop: () => Promise<void>;
}

/** Bytes that each query is said to have scanned. */
export const SCANNED = 1_500_000;

/** The most rows of a page, with the header. */
const PAGE = 1000;

/** Starts the stand-in. */
export async function athenaForTests(run: Behaviour['run']): Promise<AthenaStandIn> {
  const executions = new Map<string, Execution & { readonly sql: string }>();
  const calls: (readonly [string, Input])[] = [];
  const behaviour: Behaviour = { run, refuse: () => undefined };
  const invalid = (message: string): AthenaError => ({ name: 'InvalidRequestException', message });

  const start = (input: Input): object | AthenaError => {
    const { QueryString: sql = '', ClientRequestToken: token = '' } = input;
    if (Buffer.byteLength(sql) > 262_144) return invalid('Query string is too long');
    if (token.length < 32) return invalid('a token of 32 characters or more is needed');
    const known = executions.get(token);
    if (known !== undefined) return { QueryExecutionId: known.id };
    const execution: Execution & { readonly sql: string } = { id: randomUUID(), state: 'RUNNING', sql };
    executions.set(execution.id, execution).set(token, execution);
    behaviour.run(sql).then(
      result => execution.state === 'RUNNING' && Object.assign(execution, { state: 'SUCCEEDED', result }),
      error => execution.state === 'RUNNING' && Object.assign(execution, { state: 'FAILED', reason: error.message }),
    );
    return { QueryExecutionId: execution.id };
  };

  const answer = (operation: string, input: Input): object | AthenaError => {
    if (operation === 'StartQueryExecution') return start(input);
    const execution = executions.get(input.QueryExecutionId ?? '');
    if (execution === undefined) return invalid(`QueryExecution ${input.QueryExecutionId} was not found`);
    const { id, state, reason, result } = execution;
    switch (operation) {
      case 'GetQueryExecution':
        return {
          QueryExecution: {
            ...{ QueryExecutionId: id, StatementType: 'DML', Statistics: { DataScannedInBytes: SCANNED } },
            Status: { State: state, ...(reason !== undefined && { StateChangeReason: reason }) },
          },
        };
      case 'StopQueryExecution':
        if (state === 'RUNNING') execution.state = 'CANCELLED';
        return {};
      case 'GetQueryResults':
        return state === 'SUCCEEDED'
          ? pageOf(result!, input)
          : invalid(`Query has not yet finished. Current state: ${state}`);
      default:
        return { name: 'UnknownOperationException', message: operation };
    }
  };

  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).replace(/^AmazonAthena\./, '');
    const input: Input = JSON.parse(await bodyOf(request));
    calls.push([operation, input]);
    const isSigned = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=AKIATEST/') === true;
    const unsigned = {
      name: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
    };
    send(response, isSigned ? (behaviour.refuse(operation, input) ?? answer(operation, input)) : unsigned);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    env: {
      AWS_ENDPOINT_URL_ATHENA: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...{ AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-central-1' },
      // Nothing of the machine's own.
      ...{ AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null', AWS_EC2_METADATA_DISABLED: 'true' },
    },
    ...{ behaviour, calls },
    states: () => [...new Set(executions.values())].map(({ sql, state }) => [sql, state] as const),
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The first row of the first page has the names of the columns, and nulls have no value. */
function pageOf({ columns, rows }: AthenaResult, { NextToken = '0', MaxResults = PAGE }: Input): object | AthenaError {
  if (MaxResults > PAGE)
    return { name: 'InvalidRequestException', message: 'MaxResults is more than maximum allowed length 1000.' };
  const all = [columns.map(({ name }) => name), ...rows];
  const from = Number(NextToken);
  const next = from + MaxResults;
  return {
    ...(next < all.length && { NextToken: String(next) }),
    ResultSet: {
      Rows: all
        .slice(from, next)
        .map(row => ({ Data: row.map(value => (value === null ? {} : { VarCharValue: value })) })),
      ResultSetMetadata: {
        ColumnInfo: columns.map(({ name, type }) => ({ Name: name, Type: type.replace(/[(].*/, '') })),
      },
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += part;
  return body;
}

function send(response: ServerResponse, output: object | AthenaError): void {
  const isError = 'message' in output;
  const { status = 400, name = '' } = isError ? (output as AthenaError) : { status: 200 };
  response.writeHead(isError ? status : 200, { 'Content-Type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(isError ? { __type: name, message: (output as AthenaError).message } : output));
}
