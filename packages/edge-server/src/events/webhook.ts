// Calls a webhook, only at public addresses unless others are allowed.

import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isConnectionHeader } from '@tollgate/edge-api';
import { isPrivateAddress, PrivateAddressError, publicLookup } from '../security/private-address.ts';
import { DeliveryError, SIGNATURE_HEADER, signWebhook, TIMESTAMP_HEADER } from './signature.ts';

/** A webhook to call. */
export interface Webhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** If undefined, the call is not signed. */
  readonly secret: string | undefined;
}

/** Options of a webhook call. */
export interface WebhookOptions {
  readonly allowPrivate: boolean;
  /** The time limit for the whole call in milliseconds. */
  readonly timeout: number;
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

/**
 * Posts an event. Redirects are not followed, because they would bypass the check of addresses.
 *
 * @throws DeliveryError unless the status is 2xx
 */
export async function callWebhook(
  webhook: Webhook,
  event: { readonly id: string; readonly body: string },
  options: WebhookOptions,
): Promise<void> {
  const url = new URL(webhook.url);
  if (!options.allowPrivate) refusePrivateLiteral(url);
  const timestamp = Math.floor(options.now() / 1000);
  const headers = {
    // Earlier releases stored headers of the connection.
    ...Object.fromEntries(Object.entries(webhook.headers).filter(([name]) => !isConnectionHeader(name))),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(event.body),
    'user-agent': 'tollgate',
    'tollgate-event-id': event.id,
    [TIMESTAMP_HEADER]: timestamp,
    ...(webhook.secret !== undefined && { [SIGNATURE_HEADER]: signWebhook(webhook.secret, timestamp, event.body) }),
  };
  const timeout = AbortSignal.timeout(options.timeout);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const lookup = options.allowPrivate ? {} : { lookup: publicLookup };
  const status = await post(url, event.body, { method: 'POST', headers, signal, agent: false, ...lookup });
  if (status < 200 || status > 299) throw new DeliveryError(`the webhook responded with ${status}`);
}

/** Rejects private address literals, which are not looked up. */
function refusePrivateLiteral({ hostname }: URL): void {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && isPrivateAddress(host)) {
    throw new DeliveryError(new PrivateAddressError(host, host).message, { isFinal: true });
  }
}

async function post(url: URL, body: string, options: RequestOptions): Promise<number> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return await new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(new DeliveryError(reasonOf(cause), { cause }));
    const sent = request(url, options, (response: IncomingMessage) => {
      const { statusCode = 0 } = response;
      // The body is irrelevant and might be endless.
      response.destroy();
      resolve(statusCode);
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

function reasonOf(cause: Error): string {
  if (cause.name === 'TimeoutError' || cause.name === 'AbortError') return 'the webhook did not respond in time';
  if (cause instanceof AggregateError) return cause.errors.map(String).join('; ');
  return cause.message;
}
