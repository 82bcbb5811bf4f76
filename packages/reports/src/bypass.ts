// Requests that upstreams treat as ones that a policy refuses, although it lets them pass: for terminals, with a `curl` command for each, and
// as JSON.

import { jsonText, type Paint, PLAIN, printable, type ReportOptions } from '@tollgate/diagnostics';
import { type Bypass, type BypassFindings, exchangeText, type Upstream } from '@tollgate/solver';
import type { Exchange } from '@tollgate/traffic';
import { exchangeRecord } from '@tollgate/traffic';
import { rulesText, ruleText } from './diff.ts';
import { pluralize } from './text/figures.ts';
import { ruleRecord } from './text/json.ts';

/** A policy and the requests that bypass it. */
export interface BypassReport {
  /** As named on the command line. */
  readonly policy: string;
  readonly upstreams: readonly Upstream[];
  readonly findings: BypassFindings;
}

/** Returns the report for a terminal. */
export function textBypasses(
  { policy, upstreams, findings }: BypassReport,
  { paint = PLAIN }: ReportOptions = {},
): string {
  const { bypasses, tried, untried } = findings;
  const served = upstreams.map(({ name }) => `\`${name}\``).join(' and ');
  const count = bypasses.length === 0 ? 'no request' : pluralize(bypasses.length, 'request');
  const verb = bypasses.length === 1 || bypasses.length === 0 ? 'passes' : 'pass';
  const head = `${paint('strong', printable(policy))}: ${count} ${verb} that ${served} would treat as refused (${pluralize(tried.length, 'rule')} tried)`;
  const parts = bypasses.map(one => lines(one, paint));
  const open =
    untried.length === 0 ? [] : [[`not tried, because no refused request is known: ${printable(rulesText(untried))}`]];
  return `${[[head], ...parts, ...open].map(part => part.join('\n')).join('\n\n')}\n`;
}

function lines({ rule, techniques, upstream, exchange, refused }: Bypass, paint: Paint): readonly string[] {
  return [
    `${paint('error', techniques.join(' and '))}: \`${upstream.name}\` treats this as a request that ${printable(ruleText(rule))} refuses`,
    `  ${printable(curlLine(exchange))}`,
    `  ${paint('frame', 'like')}  ${printable(exchangeText(refused))}`,
  ];
}

/** Returns the report as JSON. Members are added, never changed. */
export function jsonBypasses({ policy, upstreams, findings }: BypassReport): string {
  const { bypasses, tried, untried } = findings;
  const document = {
    version: 1,
    policy,
    upstreams: upstreams.map(({ name }) => name),
    bypasses: bypasses.map(({ rule, techniques, upstream, exchange, refused }) => ({
      rule: ruleRecord(rule),
      technique: techniques.join(' and '),
      techniques,
      upstream: upstream.name,
      curl: curlLine(exchange),
      exchange: exchangeRecord(exchange),
      like: exchangeRecord(refused),
    })),
    tried: tried.map(ruleRecord),
    untried: untried.map(ruleRecord),
  };
  return `${jsonText(document, 2)}\n`;
}

/** Returns a command that sends an exchange's request as it is; a comment says from where. */
function curlLine({ method, url, clientIp, requestHeaders }: Exchange): string {
  const host = /^[a-z]+:\/\/([^/?#]*)/.exec(url ?? '')?.[1];
  const headers = requestHeaders.fields.filter(({ name, value }) => name !== 'Host' || value !== host);
  const parts = [
    'curl --path-as-is',
    ...(method === 'GET' ? [] : [`-X ${shellWord(method ?? 'GET')}`]),
    // curl leaves a header with an empty value out unless it ends in a semicolon.
    ...headers.map(({ name, value }) => `-H ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`),
    shellWord(url ?? ''),
  ];
  return `${parts.join(' ')}  # from ${clientIp}`;
}

/** Returns an argument as POSIX shells read it. */
function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
