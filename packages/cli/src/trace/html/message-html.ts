import { Unknown } from '@tollgate/cel';
import type { Decision, HeaderMap, Known } from '@tollgate/simulator';
import { type Html, html } from '../../text/html.ts';
import { formatNeeds, headerEntries, isPartial, knownText, upstreamUrl } from '../view/message-lines.ts';
import { codedText } from './coded-text.ts';

/** Renders what the client receives. */
export function clientHtml({ response, outcomes }: Decision): Html {
  if (response === undefined) {
    const isClosed = outcomes.every(({ kind }) => kind === 'closed');
    return html`<p>${isClosed ? 'No response: the connection is closed.' : 'No response.'}</p>`;
  }
  const { status, headers, body } = response;
  const text = body instanceof Unknown || body === '' ? undefined : bodyHtml(body);
  return html`<div class="message mono"><p>status ${knownHtml(status)}</p>${headersHtml(headers)}</div>${text}`;
}

const MAX_BODY_LENGTH = 4000;

function bodyHtml(body: string): Html {
  const text = body.length > MAX_BODY_LENGTH ? `${body.slice(0, MAX_BODY_LENGTH)}…` : body;
  const lines = text.split('\n').map(
    line => html`${line}
`,
  );
  return html`<pre class="drawn" tabindex="0" aria-label="body">${lines}</pre>`;
}

/** Renders what the upstream receives. */
export function upstreamHtml({ upstream, needs }: Decision): Html {
  const { isAsked, request } = upstream;
  if (isAsked === false) return html`<p>Nothing: the request is not forwarded.</p>`;
  const open =
    isAsked === undefined
      ? html`<p class="unknown">If the request is forwarded, which needs ${codedText(formatNeeds(needs))}:</p>`
      : undefined;
  return html`${open}<div class="message mono"><p>${knownHtml(request.method)} ${knownHtml(upstreamUrl(request))}</p>
${headersHtml(request.headers)}</div>`;
}

function headersHtml(headers: HeaderMap): Html {
  const rows = headerEntries(headers).map(
    ([name, value]) => html`<p><span class="name">${name}</span>: ${knownHtml(value)}</p>`,
  );
  const rest = isPartial(headers) ? html`<p class="quiet">other headers are unknown</p>` : undefined;
  return html`${rows}${rest}`;
}

function knownHtml(value: Known<string | number>): Html {
  return value instanceof Unknown
    ? html`<span class="unknown">${codedText(knownText(value))}</span>`
    : html`${knownText(value)}`;
}
