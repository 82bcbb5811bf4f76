import { WIRE } from '../definition/wire.ts';

/** How to reach a server, and how long to try. */
export interface ClientOptions {
  /** Where the API is; a path is kept, a slash at its end does not matter. */
  readonly baseUrl: string;
  /** The API key. */
  readonly token: string;
  /** Name of the header that selects the version: `Service-Version` unless told. */
  readonly versionHeader?: string;
  /** Name of the header that answers carry the operation id in. */
  readonly operationIdHeader?: string;
  /** What sends requests: the platform's `fetch` unless told. */
  readonly fetch?: typeof fetch;
  /** Milliseconds that one attempt may take; 30,000 unless told. */
  readonly timeoutMs?: number;
  /** How often an idempotent request is sent anew after 429, 5xx or no answer; 3 unless told. */
  readonly retries?: number;
  /** Most milliseconds to wait between two attempts, whatever the server asks for; 30,000 unless told. */
  readonly maxDelayMs?: number;
  /** Waits between attempts; rejects when aborted. The platform's timer unless told. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Options with every default filled in. */
export type ClientSettings = Required<ClientOptions>;

/** The settings of a client. Throws a `TypeError` for a base URL, token or header name that no request can be made with. */
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
