import type { CallError, OtherError } from '@tollgate/edge-api';
import type { RemoteFailure } from './remote.ts';

/** Describes a failed call in one line. Quotes no body: a proxy may return what it was sent, with the API key. */
export function describeFailure(error: CallError, url: string): RemoteFailure {
  if (error.kind === 'answered') return answered(error, url);
  if (error.kind === 'malformed') {
    const status = error.status === undefined ? '' : ` (status ${error.status})`;
    const found = isHtml(error) ? 'HTML' : 'something else';
    const message = `${url} did not respond as an Edge Configuration API: expected JSON, found ${found}${status}; check \`url\``;
    return { kind: 'unreachable', message };
  }
  if (error.kind === 'redirected') return { kind: 'rejected', message: redirect(error, url) };
  const host = URL.parse(url)?.host ?? url;
  const certificate = certificateFault(error.cause);
  if (certificate !== undefined) return { kind: 'unreachable', message: `the certificate of ${host} ${certificate}` };
  if (NO_TLS.has(codeOf(error.cause)))
    return {
      kind: 'unreachable',
      message: `${host} does not speak TLS; write \`http://\` in \`url\`, or another port`,
    };
  const proxied = /Proxy response \((\d+)\)/.exec(deepest(error.cause)?.message ?? '')?.[1];
  if (proxied !== undefined) {
    const message = `the proxy does not connect to ${host}: status ${proxied}; check \`HTTPS_PROXY\` and \`NO_PROXY\``;
    return { kind: 'unreachable', message };
  }
  const remedy = isNowhere(error.cause) ? '; check `url`' : '';
  const message = `cannot reach ${host}: ${error.message.replace('no response: ', '')}${remedy}`;
  return { kind: 'unreachable', message };
}

/** Shows no more than the origin: the rest may be made of what was sent. */
function redirect({ status, location }: OtherError, url: string): string {
  const origin = URL.parse(location ?? '')?.origin;
  const target = origin === undefined || origin === URL.parse(url)?.origin ? 'another URL' : origin;
  return `${url} redirects to ${target} (status ${status}), which is not followed; set \`url\` to the API itself`;
}

/** Codes of Node's errors where something else than TLS is spoken. */
const NO_TLS: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'EPROTO',
]);

/** Finds out whether TLS is spoken at a port. */
export type SpeaksTls = (host: string, port: number) => Promise<boolean>;

/**
 * Describes a failed call like {@link describeFailure}. Where plain HTTP got no response, or one that is not of the API, finds out whether
 * TLS is spoken at the port.
 */
export async function explainFailure(
  error: CallError,
  url: string,
  speaksTls: SpeaksTls = async () => false,
): Promise<RemoteFailure> {
  const failure = describeFailure(error, url);
  const { protocol, hostname = '', port = '', host } = URL.parse(url) ?? {};
  const isOdd = error.kind === 'malformed' || (error.kind === 'network' && !isNowhere(error.cause));
  if (protocol !== 'http:' || !isOdd || !(await speaksTls(hostname, Number(port || 80)))) return failure;
  return { kind: 'unreachable', message: `${host} speaks TLS; write \`https://\` in \`url\`` };
}

/** Returns true if the same request may succeed later. A page of a proxy and a wrong certificate stay. */
export function isTemporary(error: CallError): boolean {
  if (error.kind === 'answered') return error.status === 429 || error.status >= 500;
  if (error.kind === 'malformed') {
    const { status = 200 } = error;
    if (status === 429 || status >= 500) return true;
    return status >= 400 ? isCutOff(error) : !isHtml(error);
  }
  if (error.kind !== 'network' && error.kind !== 'timeout') return false;
  return certificateFault(error.cause) === undefined && !NO_TLS.has(codeOf(error.cause));
}

/** Returns true for the beginning of an error of the API, and false for an empty body and what other servers say. */
function isCutOff({ message }: CallError): boolean {
  return message.includes('`{');
}

function isHtml({ message }: CallError): boolean {
  return /`\s*</.test(message);
}

function answered(error: Extract<CallError, { kind: 'answered' }>, url: string): RemoteFailure {
  const { status, message, code } = error;
  const suffix = code === undefined ? '' : ` [${code}]`;
  // The message is not quoted, because it may contain the key.
  if (status === 401 || status === 403) {
    return { kind: 'rejected', message: `${url} rejected the API key: status ${status}${suffix}; check \`apiKey\`` };
  }
  const said = `${message}${suffix}`;
  if (status === 404) return { kind: 'gone', message: said };
  return { kind: status >= 500 || status === 429 ? 'unreachable' : 'rejected', message: `status ${status}: ${said}` };
}

/** What a proxy says is wrapped several times. */
function deepest(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  return error.cause instanceof Error ? deepest(error.cause) : error;
}

function causeOf(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  return error.cause instanceof Error ? error.cause : error;
}

/** Codes of Node's errors for addresses at which there is no server. */
const NOWHERE: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function isNowhere(error: unknown): boolean {
  return NOWHERE.has(codeOf(error));
}

const CERTIFICATE = /CERT|UNABLE_TO_|SELF_SIGNED|ALTNAME/;

/** Returns what is wrong with a certificate, and what to do; undefined if the error is another. */
function certificateFault(error: unknown): string | undefined {
  const code = codeOf(error);
  if (!CERTIFICATE.test(code)) return undefined;
  if (code.includes('ALTNAME')) return 'is for another host; check `url`';
  // Node adds advice on its own options.
  const [reason = ''] = (causeOf(error)?.message ?? String(error)).split(';');
  if (code === 'CERT_HAS_EXPIRED') return `cannot be verified: ${reason}; renew it`;
  if (code === 'CERT_NOT_YET_VALID') return `cannot be verified: ${reason}; check the clock`;
  return `cannot be verified: ${reason}; set \`caFile\``;
}

function codeOf(error: unknown): string {
  const cause = causeOf(error);
  return cause !== undefined && 'code' in cause ? String(cause.code) : '';
}
