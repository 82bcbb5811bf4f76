import { WIRE } from '../definition/wire.ts';

/** Options of a client. */
export interface ClientOptions {
  /** The URL of the API, with or without a path; a trailing slash is ignored. */
  readonly baseUrl: string;
  /** The API key. */
  readonly token: string;
  /** The header that selects the version; `Service-Version` by default. */
  readonly versionHeader?: string;
  /** The response header with the operation id; `Service-Operation-Id` by default. */
  readonly operationIdHeader?: string;
  /** Sends requests; the platform's `fetch` by default. */
  readonly fetch?: typeof fetch;
  /** The time limit for an attempt in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number;
  /** How often an idempotent request is retried after 429, 5xx or no response; 3 by default. */
  readonly retries?: number;
  /** The maximum delay between attempts in milliseconds, whatever the server asks for; 30,000 by default. */
  readonly maxDelayMs?: number;
  /** Waits between attempts and rejects when aborted; a timer by default. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Options with all defaults. */
export type ClientSettings = Required<ClientOptions>;

/** Returns the options with defaults. Throws a `TypeError` for an invalid base URL or token. */
export function settingsOf(options: ClientOptions): ClientSettings {
  const url = URL.parse(options.baseUrl);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError(`baseUrl must be an http or https URL, found \`${options.baseUrl}\``);
  }
  if (url.search !== '' || url.hash !== '') throw new TypeError('baseUrl must have neither query nor fragment');
  if (!/^[\x21-\x7e]+$/.test(options.token)) throw new TypeError('token must be visible ASCII without spaces');
  return {
    versionHeader: WIRE.versionHeader,
    operationIdHeader: WIRE.operationIdHeader,
    fetch: globalThis.fetch,
    timeoutMs: 30_000,
    retries: 3,
    maxDelayMs: 30_000,
    wait,
    ...options,
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
  };
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
