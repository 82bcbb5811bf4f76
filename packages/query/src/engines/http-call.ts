/** Calls over HTTP as engines need them: with certificates of clients, a limit only for connecting, and answers read as they come. */
import { readFileSync } from 'node:fs';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { fileProblem } from '@tollgate/diagnostics';
import { CONNECT_TIMEOUT, notConnected, unreachable } from './engine.ts';

/** A request. */
export interface HttpCall {
  readonly method: 'DELETE' | 'GET' | 'POST';
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly certificates: Certificates;
  /** Whether the connection serves this request only. */
  readonly isAlone?: true;
}

/** What a client shows to a server, and by what authority it trusts the server, in PEM. */
interface Certificates {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/** As the URLs of PostgreSQL name files with certificates. */
const PARAMETERS = { sslcert: 'cert', sslkey: 'key', sslrootcert: 'ca' } as const;

/** Takes the names of files with certificates out of a URL, and returns what is in them. */
export function takeCertificates(product: string, url: URL): Certificates {
  const found: { cert?: string; key?: string; ca?: string } = {};
  for (const [parameter, part] of Object.entries(PARAMETERS)) {
    const file = url.searchParams.get(parameter);
    if (file === null) continue;
    if (url.protocol !== 'https:') throw unreachable(product, url.host, `\`${parameter}\` needs \`https\``);
    url.searchParams.delete(parameter);
    try {
      found[part] = readFileSync(file, 'utf8');
    } catch (error) {
      throw unreachable(
        product,
        url.host,
        `cannot read \`${file}\`, which \`${parameter}\` names: ${fileProblem(error)}`,
      );
    }
  }
  if ((found.cert === undefined) !== (found.key === undefined))
    throw unreachable(product, url.host, 'a certificate of the client takes both `sslcert` and `sslkey`');
  return found;
}

/** Sends a request. `fetch` has no certificates, and gives up after five minutes without an answer, which some queries take. */
export async function callHttp(url: URL, call: HttpCall): Promise<IncomingMessage> {
  const request = begin(url, call);
  try {
    return await answerTo(request, url, call);
  } catch (error) {
    // A server may close a connection that is kept while a request is under way.
    const isStale = request.reusedSocket && error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
    if (!isStale) throw error;
    return answerTo(begin(url, { ...call, isAlone: true }), url, call);
  }
}

function begin(url: URL, { method, headers, signal, certificates, isAlone }: HttpCall): ClientRequest {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return send(url, { method, headers, signal, ...certificates, ...(isAlone && { agent: false }) });
}

function answerTo(request: ClientRequest, { protocol }: URL, { body }: HttpCall): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  request.on('response', resolve);
  request.on('socket', socket => {
    if (!socket.connecting) return;
    timer = setTimeout(() => request.destroy(new Error(notConnected(CONNECT_TIMEOUT))), CONNECT_TIMEOUT * 1000);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timer));
  });
  request.on('error', reject);
  request.on('close', () => clearTimeout(timer));
  request.end(body);
  return promise;
}

/** How long a connection is silent until it is probed. */
const KEEP_ALIVE_MS = 10_000;
