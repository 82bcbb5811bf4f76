import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  createKey,
  type RunningServer,
  readServerSettings,
  type Scope,
  type ServerSettings,
  startServer,
} from '@tollgate/edge-server';
import { installedThread } from '../support/installed-command.ts';
import { memoryFolder } from '../support/memory-folder.ts';

/** An answer with its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined for an empty answer. */
  readonly body: unknown;
}

/** How a request differs from the usual one. */
interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server over a file of its own in this process, and a key for everything. */
export interface TestServer {
  readonly url: string;
  readonly folder: string;
  readonly token: string;
  readonly server: RunningServer;
  /** All that it has logged, and written to the standard output. */
  readonly log: string[];
  readonly lines: string[];
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
  readonly keyFor: (scopes: readonly Scope[], expiresAt?: number, edges?: readonly string[]) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts a server on a free port. */
export async function startTestServer(settings: Partial<ServerSettings> = {}): Promise<TestServer> {
  const threadFile = await installedThread();
  const folder = memoryFolder('tollgate-server-');
  const defaults = readServerSettings({ flags: {}, env: {}, file: undefined });
  const [log, lines]: string[][] = [[], []];
  const server = await startServer(
    { ...defaults, port: 0, rateLimit: 0, requestTimeout: 3600, database: join(folder, 'test.db'), ...settings },
    { env: {}, now: Date.now, writeLine: line => lines!.push(line), log: line => log!.push(line), threadFile },
  );
  const keyFor = async (scopes: readonly Scope[], expiresAt?: number, edges?: readonly string[]) =>
    (await createKey(server.store, { description: 'test', scopes, expiresAt, ...(edges && { edges }) })).token;
  const token = await keyFor(['read', 'write', 'admin']);
  return {
    url: server.url,
    folder,
    token,
    server,
    log: log!,
    lines: lines!,
    keyFor,
    call: (method, path, options) => call(`${server.url}${path}`, method, token, options),
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function call(url: string, method: string, token: string, { body, headers }: CallOptions = {}): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const answer = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'service-version': '2',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: text === '' ? undefined : parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A member of an answer's body that is a text. */
export function textOf({ body }: Answer, name: string): string {
  return String((body as Readonly<Record<string, unknown>>)[name]);
}
