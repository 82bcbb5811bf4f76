import type { Operation } from '../definition/operation.ts';
import { type AnsweredError, type Failure, failure, type Result } from './result.ts';

/** Converts an HTTP response to the result of a call. */
export async function resultOf(
  operation: Operation,
  response: Response,
  operationIdHeader: string,
): Promise<Result<unknown>> {
  const { status } = response;
  if (isRedirect(response)) return redirected(response);
  const text = await response.text();
  const operationId = response.headers.get(operationIdHeader) ?? undefined;
  if (!response.ok) return answeredError(text, status, { operationId, retryAfterMs: retryAfter(response.headers) });
  const facts = { status, operationId, etag: response.headers.get('etag') ?? undefined };
  // A server may respond to a deletion with a body, which some clients require.
  if (operation.answer === null) return { ok: true, value: null, ...facts };
  const value = parsed(text);
  if (!isObject(value)) return failure('malformed', `expected a JSON object, found ${shown(text)}`, { status });
  const { listKey } = operation;
  if (listKey !== undefined && !Array.isArray(value[listKey])) {
    return failure('malformed', `expected a list in \`${listKey}\`, found ${shown(text)}`, { status });
  }
  return { ok: true, value, ...facts };
}

/** Browsers reveal neither the status nor the location of a redirect that is not followed. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** An API does not redirect, and its key, headers and bodies are for nobody else. */
function redirected({ status, headers, url }: Response): Failure {
  const location = URL.parse(headers.get('location') ?? '', url)?.href;
  const target = location === undefined ? 'another URL' : `\`${location}\``;
  const facts = { status, ...(location !== undefined && { location }) };
  return failure('redirected', `redirected to ${target}, which is not followed; an API does not redirect`, facts);
}

interface HeaderFacts {
  readonly operationId: string | undefined;
  readonly retryAfterMs: number | undefined;
}

function answeredError(text: string, status: number, { operationId, retryAfterMs }: HeaderFacts): Failure {
  const body = parsed(text);
  if (!isObject(body) || typeof body.msg !== 'string') {
    return failure('malformed', `expected an error as JSON with status ${status}, found ${shown(text)}`, { status });
  }
  const code = typeof body.error_code === 'string' ? body.error_code : undefined;
  const number = /\d+$/.exec(code ?? '')?.[0];
  const details = isObject(body.details) ? (body.details as Readonly<Record<string, string>>) : {};
  const error: AnsweredError = {
    kind: 'answered',
    status,
    code,
    number: number === undefined ? undefined : Number(number),
    message: body.msg,
    details,
    operationId: operationId ?? details.operation_id,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  return { ok: false, error };
}

/** Parses a Retry-After header: seconds or a date (RFC 9110, section 10.2.3). */
export function retryAfter(headers: Headers): number | undefined {
  const header = headers.get('retry-after');
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(text: string): string {
  if (text === '') return 'an empty body';
  return `\`${text.length > 100 ? `${text.slice(0, 100)}…` : text}\``;
}
