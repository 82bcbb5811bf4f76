/** What is seen of a decision: values, or the inputs that would settle them. */
import { Unknown } from '@tollgate/cel';
import type { Rule } from '@tollgate/policy';
import { type HeaderMap, headerValues } from '../exchange-state/headers.ts';
import type { Known } from '../exchange-state/traffic-state.ts';
import { type Decision, loggedBy, type RuleResult } from '../simulation/decision.ts';

/** The observed value of one property of a decision, undefined for nothing; or the inputs that would settle it. */
export type Observation =
  | { readonly value: unknown }
  | { readonly needs: readonly string[]; readonly candidates?: readonly unknown[] };

/** Returns the kind of the outcome. */
export function outcomeSeen({ outcomes, needs }: Decision): Observation {
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))];
  return kinds.length === 1 ? { value: kinds[0] } : { needs, candidates: kinds };
}

/** Returns the status that the client receives. */
export function statusSeen({ response }: Decision): Observation {
  return response ? seen(response.status) : NO_RESPONSE;
}

/** Returns the body that the client receives. */
export function bodySeen({ response }: Decision): Observation {
  return response ? seen(response.body) : NO_RESPONSE;
}

// Not undefined: a header expected to be absent would then pass if there is no response at all.
const NO_RESPONSE: Observation = { value: 'no response' };
const NO_REQUEST: Observation = { value: 'no request' };

/** Returns the values of a response header. */
export function responseHeaderSeen({ response }: Decision, key: string): Observation {
  return response ? headerSeen(response.headers, key) : NO_RESPONSE;
}

/** Returns the values of a header. */
export function headerSeen(headers: HeaderMap, key: string): Observation {
  const values = headerValues(headers, key);
  if (values === undefined || values instanceof Unknown) return seen(values);
  const needs = values.flatMap(value => (value instanceof Unknown ? value.attributes : []));
  return needs.length > 0 ? { needs: unique(needs) } : { value: values };
}

/** Returns the URL of the internal endpoint that the traffic is forwarded to; nothing if it is not. */
export function endpointSeen({ outcomes, needs, rules }: Decision): Observation {
  const kinds = new Set(outcomes.map(({ kind }) => kind));
  if (!kinds.has('forwarded')) return { value: undefined };
  if (kinds.size > 1) return { needs };
  const traces = rules.flatMap(rule => ('actions' in rule ? rule.actions : []));
  const forwarding = traces.filter(({ ending }) => ending?.outcome.kind === 'forwarded');
  const urls = forwarding.map(({ notes }) => notes.find(note => note.kind === 'sent')?.url);
  const [url] = urls;
  return url !== undefined && urls.every(one => one === url) ? { value: url } : { needs: ['the URL of the endpoint'] };
}

/** Returns whether the upstream receives the request. */
export function askedSeen({ upstream, needs }: Decision): Observation {
  return upstream.isAsked === undefined ? { needs } : { value: upstream.isAsked };
}

/** Observes the request that the upstream receives, if it receives one. */
export function upstreamSeen(decision: Decision, observe: (request: Decision['upstream']['request']) => Observation) {
  const asked = askedSeen(decision);
  if ('needs' in asked) return asked;
  return asked.value === true ? observe(decision.upstream.request) : NO_REQUEST;
}

/** Returns a known value, or the inputs that would settle it. */
export function seen(value: Known<unknown>): Observation {
  return value instanceof Unknown ? { needs: value.attributes } : { value };
}

/** Returns the result of a rule. */
export function ruleSeen(result: RuleResult): Observation {
  return result.status === 'undetermined' ? { needs: result.needs } : { value: result.status };
}

/** Returns the types of the actions that fired, in order. */
export function actionsSeen({ rules: results }: Decision, rules: readonly Rule[]): Observation {
  const needs = new Set<string>();
  const fired: string[] = [];
  for (const [index, result] of results.entries()) {
    if (result.status !== 'matched' && result.status !== 'undetermined') continue;
    for (const [at, trace] of result.actions.entries()) {
      if (trace.result === 'fired') fired.push(rules[index]!.actions[at]!.type.value);
      if (trace.result !== 'may-have-fired') continue;
      for (const need of [...(result.status === 'undetermined' ? result.needs : []), ...trace.needs]) needs.add(need);
      if (needs.size === 0) needs.add(`whether \`${rules[index]!.actions[at]!.type.value}\` fires`);
    }
  }
  return needs.size > 0 ? { needs: [...needs] } : { value: fired };
}

/** Returns the logged metadata, in order. */
export function loggedSeen(decision: Decision): Observation {
  const open = decision.rules.flatMap(rule => (rule.status === 'undetermined' && mayLog(rule) ? rule.needs : []));
  const logged = loggedBy(decision);
  const needs = unique([...open, ...logged.flatMap(unknownsIn)]);
  return needs.length > 0 ? { needs } : { value: logged.map(asData) };
}

function mayLog({ actions }: Extract<RuleResult, { status: 'undetermined' }>): boolean {
  return actions.some(({ notes }) => notes.some(note => note.kind === 'logged'));
}

function unknownsIn(value: unknown): readonly string[] {
  if (value instanceof Unknown) return value.attributes;
  if (value instanceof Map) return [...value.values()].flatMap(unknownsIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(unknownsIn) : [];
}

/** Returns the value as JSON data, to compare it with what the test file says. */
function asData(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (Array.isArray(value)) return value.map(asData);
  // A map with keys other than strings.
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [String(key), asData(member)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asData(member)]));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
