// What actions do, as the end of a sentence: `denies with 403`, `redirects to …`.

import { terminationOf } from '@tollgate/catalog';
import type { Action } from '@tollgate/policy';
import { nounOf } from './nouns.ts';
import { codeSpan, nounOfValue, stringSpan } from './terms.ts';

/** What an action does, in the third person. */
export interface ActionWords {
  /** `denies with 403`. */
  readonly does: string;
  /** What becomes of the request if it ends there: `denied with 403`; undefined if it always goes on. */
  readonly outcome?: string;
  /** What the outcome depends on besides the request: `requests before it`. */
  readonly dependsOn?: string;
}

type Config = Action['config'];

const WORDS: Readonly<Record<string, (config: Config, action: Action) => ActionWords>> = {
  deny: config => {
    const status = value(config.status_code ?? 403);
    return { does: `denies with ${status}`, outcome: `denied with ${status}` };
  },
  'close-connection': () => ({ does: 'closes the connection', outcome: 'closed without a response' }),
  'custom-response': config => {
    const status = value(config.status_code ?? 200);
    return { does: `answers with ${status}${addedHeaders(config.headers)}`, outcome: `answered with ${status}` };
  },
  redirect: config => {
    const from = config.from === undefined ? '' : ` if the URL contains a match of ${pattern(config.from)}`;
    const to = value(config.to);
    return {
      does: `redirects to ${to} with ${value(config.status_code ?? 302)}${from}`,
      outcome: `redirected to ${to}`,
    };
  },
  'url-rewrite': config => ({
    does: `rewrites ${config.from === undefined ? 'the URL' : `what ${pattern(config.from)} matches in the URL`} to ${value(config.to)}`,
  }),
  'forward-internal': config => ({
    does: `forwards to ${value(config.url)}`,
    outcome: `forwarded to ${value(config.url)}`,
  }),
  'add-headers': config => ({ does: `adds ${headers(Object.keys(mapOf(config.headers)))}` }),
  'remove-headers': config => ({ does: `removes ${headers(listOf(config.headers).map(String))}` }),
  'compress-response': () => ({ does: 'compresses the response' }),
  log: config => {
    const keys = Object.keys(mapOf(config.metadata));
    return { does: keys.length === 0 ? 'logs' : `logs ${spans(keys)}` };
  },
  'set-vars': config => ({
    does: `sets ${spans(listOf(config.vars).flatMap(one => Object.keys(mapOf(one))))}`,
  }),
  'restrict-ips': restricted,
  'rate-limit': (config, { expressions }) => {
    const keys = listOf(config.bucket_key).map(key => keyOf(String(key), expressions));
    const per = keys.length === 0 ? '' : `, counted by ${joined(keys)},`;
    return {
      does: `allows ${value(config.capacity)} requests in ${value(config.rate)}${per} and refuses more with 429`,
      outcome: 'refused with 429',
      dependsOn: 'the requests before it',
    };
  },
  'circuit-breaker': () => ({
    does: 'refuses with 503 while too many responses fail',
    outcome: 'refused with 503',
    dependsOn: 'the responses before it',
  }),
  'basic-auth': () => ({
    does: 'asks for a user name and a password',
    outcome: 'refused with 401',
    dependsOn: 'the credentials',
  }),
  'jwt-validation': () => ({
    does: 'refuses requests without a valid JWT',
    outcome: 'refused with 401',
    dependsOn: 'the signature of the token',
  }),
  'verify-webhook': config => ({
    does: `refuses requests that ${value(config.provider)} has not signed`,
    outcome: 'refused with 403',
    dependsOn: 'the signature of the webhook',
  }),
  oauth: config => signOn(`with ${value(config.provider)}`),
  'openid-connect': config => signOn(`at ${value(config.issuer_url)}`),
  saml: () => signOn('with SAML'),
  'terminate-tls': () => ({ does: 'terminates TLS' }),
  'http-request': config => ({
    does: `sends ${value(config.method ?? 'GET')} to ${value(config.url)}`,
    dependsOn: 'the answer of another server',
  }),
};

/**
 * Returns what an action does. The name of an action stands for what has no words here. An action that is configured not to enforce ends
 * nothing, and a connection that is refused before there is a request gets no status.
 */
export function wordsOf(action: Action, isOnConnection: boolean): ActionWords {
  const { does, outcome, ...rest } = wordsWithoutPlace(action);
  if (outcome === undefined) return { does, ...rest };
  if (terminationOf(action) === 'never')
    return { does: `runs without enforcing, and refuses nothing (enforced, it ${does})` };
  if (!isOnConnection) return { does, outcome, ...rest };
  return {
    does: does.replace(/^denies with \d+$/, 'closes the connection').replace(/ with 403$/, ''),
    outcome: 'closed without a response',
    ...rest,
  };
}

function wordsWithoutPlace(action: Action): ActionWords {
  const { type, config } = action;
  const words = Object.hasOwn(WORDS, type.value) ? WORDS[type.value] : undefined;
  if (words !== undefined) return words(config, action);
  const name = codeSpan(type.value);
  const mayEnd = terminationOf(action) !== 'never';
  return { does: `runs ${name}`, ...(mayEnd && { outcome: `ended by ${name}`, dependsOn: `what ${name} decides` }) };
}

/** What a bucket key counts by. */
function keyOf(source: string, expressions: Action['expressions']): string {
  const typed = expressions.find(one => one.source === source)?.typed;
  if (typed) return nounOfValue(typed);
  return /^[a-z]\w*(?:\.\w+)+$/.test(source) ? nounOf(source) : codeSpan(source);
}

function signOn(where: string): ActionWords {
  return {
    does: `lets only users pass who are signed in ${where}`,
    outcome: `sent to sign in ${where}`,
    dependsOn: 'the user',
  };
}

function restricted(config: Config): ActionWords {
  const allow = listOf(config.allow).map(value);
  const deny = listOf(config.deny).map(value);
  const parts = [
    ...(deny.length > 0 ? [`in ${joined(deny, 'or')}`] : []),
    ...(allow.length > 0 ? [`outside ${joined(allow)}`] : []),
  ];
  const who = parts.length === 0 ? 'by IP policies' : parts.join(', or ');
  const hasPolicies = listOf(config.ip_policies).length > 0;
  const dependsOn = hasPolicies ? { dependsOn: 'the IP policies' } : {};
  return { does: `refuses addresses ${who} with 403`, outcome: 'refused with 403', ...dependsOn };
}

function addedHeaders(value: Config[string] | undefined): string {
  const names = Object.keys(mapOf(value));
  return names.length === 0 ? '' : ` and ${headers(names)}`;
}

function headers(names: readonly string[]): string {
  return `${names.length === 1 ? 'the header' : 'the headers'} ${spans(names)}`;
}

function spans(names: readonly string[]): string {
  return joined(names.map(stringSpan));
}

function joined(texts: readonly string[], word = 'and'): string {
  return texts.length < 2 ? (texts[0] ?? 'nothing') : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;
}

function pattern(one: Config[string]): string {
  return codeSpan(String(one));
}

function value(one: Config[string] | undefined): string {
  return typeof one === 'string' ? stringSpan(one) : one === undefined ? 'nothing' : JSON.stringify(one);
}

function mapOf(one: Config[string] | undefined): object {
  return typeof one === 'object' && one !== null && !Array.isArray(one) ? one : {};
}

function listOf(one: Config[string] | undefined): readonly Config[string][] {
  return Array.isArray(one) ? one : [];
}
