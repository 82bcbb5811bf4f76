import type { Operation } from '../definition/operation.ts';
import { resultOf, retryAfter } from './answer.ts';
import { failure, type Result } from './result.ts';
import type { ClientSettings } from './settings.ts';

/** A request that is ready to send. */
interface Call {
  readonly operation: Operation;
  readonly url: string;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
  readonly ifMatch: string | undefined;
}

/** An attempt: its result and the delay that the server asks for. */
interface Attempt {
  readonly result: Result<unknown>;
  readonly retryAfterMs: number | undefined;
}

/** Sends a request and retries it where that is safe and may help. */
export async function send(settings: ClientSettings, call: Call): Promise<Result<unknown>> {
  for (let tried = 0; ; tried++) {
    const { result, retryAfterMs } = await attempt(settings, call);
    if (result.ok || tried >= settings.retries || !mayRetry(call.operation, result)) return result;
    try {
      await settings.wait(Math.min(retryAfterMs ?? backOff(tried), settings.maxDelayMs), call.signal);
    } catch (cause) {
      return failure('aborted', 'the call was aborted', { cause });
    }
  }
}

const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

function mayRetry({ verb }: Operation, result: Result<unknown>): boolean {
  if (result.ok || !IDEMPOTENT.has(verb)) return false;
  const { error } = result;
  if (error.kind === 'answered' || error.kind === 'malformed')
    return error.status === 429 || (error.status ?? 0) >= 500;
  return error.kind === 'network' || error.kind === 'timeout';
}

/** Returns an exponential delay from 200 ms, randomized so that clients do not retry in lockstep. */
function backOff(tried: number): number {
  return 200 * 2 ** tried * (0.5 + Math.random() / 2);
}

async function attempt(settings: ClientSettings, call: Call): Promise<Attempt> {
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
  try {
    const response = await settings.fetch(call.url, { ...requestOf(settings, call), signal });
    const result = await resultOf(call.operation, response, settings.operationIdHeader);
    return { result, retryAfterMs: retryAfter(response.headers) };
  } catch (cause) {
    return { result: unanswered(cause, call.signal, timeout, settings.timeoutMs), retryAfterMs: undefined };
  }
}

function requestOf({ token, versionHeader }: ClientSettings, { operation, body, ifMatch }: Call): RequestInit {
  const hasBody = operation.request !== null;
  return {
    method: operation.verb,
    redirect: 'manual',
    // What a cache on the way keeps may be out of date.
    cache: 'no-store',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      [versionHeader]: '2',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
  };
}

function unanswered(cause: unknown, caller: AbortSignal | undefined, timeout: AbortSignal, ms: number): Result<never> {
  if (caller?.aborted) return failure('aborted', 'the call was aborted', { cause });
  if (timeout.aborted) return failure('timeout', `no response within ${ms} ms`, { cause });
  const reason =
    cause instanceof Error ? ((cause.cause as Error | undefined)?.message ?? cause.message) : String(cause);
  return failure('network', `no response: ${reason}`, { cause });
}
