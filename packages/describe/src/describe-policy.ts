// A policy in sentences: one for each rule, one for each way in which a request can end, and what decides besides the request.

import { type Phase, type Profile, terminationOf } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import { type Action, documentRange, type Policy, type Rule } from '@tollgate/policy';
import { clausesOf, type Phrase, phrasesOf } from './clauses.ts';
import { codeSpan, nounOf, nounOfValue, stringSpan } from './terms.ts';

/** What a policy does, in words. */
export interface PolicyDescription {
  /** For the owner: how requests can end, in the order of the policy; then what passes. */
  readonly outcomes: readonly OutcomeSentence[];
  readonly rest: string;
  /** For the auditor: every rule in the order in which they run. */
  readonly rules: readonly RuleSentence[];
  /** What the decision depends on besides the request: counters, keys, other servers, chance. */
  readonly dependencies: readonly Dependency[];
}

/** One way in which a request can end. */
export interface OutcomeSentence {
  /** `denied with 403`. */
  readonly outcome: string;
  /** Positions in `rules`. */
  readonly rules: readonly number[];
}

/** What one rule does. */
export interface RuleSentence {
  readonly phase: Phase;
  /** From 1, within its phase. */
  readonly number: number;
  readonly name: string | undefined;
  /** Of the rule in its document. */
  readonly range: Range;
  /** What must hold, all of it; empty for a rule that always runs. Phrases have the range of their part in the document. */
  readonly conditions: readonly (readonly Phrase[])[];
  /** What it does then, in this order: `denies with 403`. */
  readonly actions: readonly Phrase[];
}

/** What a rule depends on besides the request. */
export interface Dependency {
  /** A position in `rules`. */
  readonly rule: number;
  readonly on: string;
}

/** Describes a policy without errors. */
export function describePolicy(policy: Policy, profile: Profile): PolicyDescription {
  const rules = profile.phases.flatMap(phase => policy.rules[phase]);
  const described = rules.map(rule => ({ rule, words: actionWords(rule, policy) }));
  const outcomes = new Map<string, number[]>();
  for (const [at, { words }] of described.entries()) {
    for (const { outcome } of words)
      if (outcome !== undefined) outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), at]);
  }
  return {
    outcomes: [...outcomes].map(([outcome, at]) => ({ outcome, rules: [...new Set(at)] })),
    rest: restOf(policy, profile),
    rules: described.map(({ rule, words }) => sentenceOf(rule, words)),
    dependencies: described.flatMap(({ rule, words }, at) => dependenciesOf(rule, words).map(on => ({ rule: at, on }))),
  };
}

/** Describes one rule. Returns undefined for a rule with errors, because a part of it has no meaning. */
export function describeRule(rule: Rule, policy: Policy): RuleSentence | undefined {
  const isWhole = rule.expressions.every(({ typed }) => typed) && rule.actions.every(({ fact }) => fact);
  return isWhole ? sentenceOf(rule, actionWords(rule, policy)) : undefined;
}

function actionWords(rule: Rule, policy: Policy): readonly ActionWords[] {
  return rule.actions.map(one => wordsOf(one, isOnConnection(rule, policy)));
}

/** A sentence that only one of two policies has. */
export interface ChangedSentence {
  readonly kind: 'removed' | 'added';
  /** The name of the rule, or its phase and number. */
  readonly rule: string;
  readonly text: string;
}

/**
 * Returns the sentences in which two descriptions differ, by rule: what is removed, then what is added. Sentences that are in both, in
 * whatever order, are left out.
 */
export function changedSentences(before: PolicyDescription, after: PolicyDescription): readonly ChangedSentence[] {
  const removed = sentencesOnlyIn(before, after).map(one => ({ kind: 'removed' as const, ...one }));
  const added = sentencesOnlyIn(after, before).map(one => ({ kind: 'added' as const, ...one }));
  const rules = [...new Set([...removed, ...added].map(({ rule }) => rule))];
  return rules.flatMap(name => [...removed, ...added].filter(({ rule }) => rule === name));
}

function sentencesOnlyIn(one: PolicyDescription, other: PolicyDescription): Omit<ChangedSentence, 'kind'>[] {
  const left = sentencesIn(other).map(({ text }) => text);
  return sentencesIn(one).filter(({ text }) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function sentencesIn({ rules, rest }: PolicyDescription): Omit<ChangedSentence, 'kind'>[] {
  return [
    ...rules.map(rule => ({ rule: labelOf(rule), text: textOfPhrases(phrasesOfRule(rule)) })),
    { rule: 'otherwise', text: rest },
  ];
}

/** Returns what a rule is called: its name, or its phase and number. */
export function labelOf({ phase, number, name }: RuleSentence): string {
  return name ?? `${phase} ${number}`;
}

/** Returns the phrases of the whole sentence: `When …: denies with 403.` */
export function phrasesOfRule({ conditions, actions }: RuleSentence): readonly Phrase[] {
  const held = conditions.flatMap((phrases, at) => [
    { text: at === 0 ? 'When ' : at < conditions.length - 1 ? ', ' : conditions.length > 2 ? ', and ' : ' and ' },
    ...phrases,
  ]);
  const done = actions.flatMap((action, at) => [
    { text: at === 0 ? '' : at === actions.length - 1 ? ', and then ' : ', then ' },
    action,
  ]);
  return [...held, { text: held.length === 0 ? 'Always ' : ': ' }, ...done, { text: '.' }].filter(
    ({ text }) => text !== '',
  );
}

/** Joins phrases. */
export function textOfPhrases(phrases: readonly Phrase[]): string {
  return phrases.map(({ text }) => text).join('');
}

function sentenceOf(rule: Rule, words: readonly ActionWords[]): RuleSentence {
  const { phase, index, name, range } = rule;
  const actions = words.map(({ does }, at): Phrase => ({ text: does, range: rule.actions[at]!.range }));
  return {
    phase,
    number: index + 1,
    name: name?.value,
    range,
    conditions: conditionsOf(rule),
    actions: actions.length > 0 ? actions : [{ text: 'does nothing' }],
  };
}

function conditionsOf({ expressions }: Rule): readonly (readonly Phrase[])[] {
  const typed = expressions.flatMap(one => (one.typed ? [{ text: one.text, typed: one.typed }] : []));
  const conjuncts = clausesOf(typed.map(one => one.typed)).flatMap((clause, at) => {
    const parts = clause.kind === 'and' ? clause.clauses : [clause];
    return parts.map(part => ({ part, text: typed[at]!.text }));
  });
  return conjuncts.map(({ part, text }) => {
    const phrases = phrasesOf(part).map(({ range, ...phrase }) => ({
      ...phrase,
      ...(range && { range: documentRange(text, range) }),
    }));
    const isAmbiguous = conjuncts.length > 1 && part.kind === 'or';
    return isAmbiguous ? [{ text: '(' }, ...phrases, { text: ')' }] : phrases;
  });
}

/** Whether a rule decides about a connection, of which there is no response to answer with. */
function isOnConnection({ phase }: Rule, { endpoint }: Policy): boolean {
  return phase === 'on_tcp_connect' || CONNECTIONS.test(endpoint);
}

/** Endpoints without HTTP. */
const CONNECTIONS = /^(?:tls|tcp)-/;

function dependenciesOf({ expressions }: Rule, words: readonly ActionWords[]): readonly string[] {
  const chance = expressions.some(({ source }) => /\brand\s*\./.test(source)) ? ['chance'] : [];
  return [...new Set([...chance, ...words.flatMap(({ dependsOn }) => dependsOn ?? [])])];
}

/** What happens to everything that no rule ends. */
function restOf(policy: Policy, { phases }: Profile): string {
  const what = CONNECTIONS.test(policy.endpoint) ? 'connection' : 'request';
  if (!policy.enabled) return `The policy is disabled: all ${what}s pass to the upstream.`;
  const all = phases.flatMap(phase => policy.rules[phase]).find(isLast);
  if (all !== undefined) return `No other ${what} passes to the upstream.`;
  return policy.endpoint === 'cloud-endpoint'
    ? 'All other requests reach the end of the policy, and there is no upstream.'
    : `All other ${what}s pass to the upstream.`;
}

/** A rule without conditions that always ends the policy before the upstream gets the request. */
function isLast({ phase, expressions, actions }: Rule): boolean {
  const isBefore = phase !== 'outbound' && phase !== 'on_http_response' && phase !== 'on_event_stream_message';
  return isBefore && expressions.length === 0 && actions.some(one => terminationOf(one) === 'always');
}

// What actions do, as the end of a sentence: `denies with 403`, `redirects to …`.

/** What an action does, in the third person. */
interface ActionWords {
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
function wordsOf(action: Action, isOnConnection: boolean): ActionWords {
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
