import { type EvaluationContext, terminationOf, variablesAt } from '@tollgate/catalog';
import type { TypedAst } from '@tollgate/cel';
import { compileRe2 } from '@tollgate/cel/tooling';
import { type Action, checkExpression, type Rule } from '@tollgate/policy';
import { hasResponse, type OutcomeKind, SIDES } from '@tollgate/simulator';
import { type Signal, TRUE } from '../logic/graph.ts';
import type { RuleConditions } from '../policy/rule-conditions.ts';
import type { Session } from '../policy/session.ts';
import { patternLanguage } from '../strings/languages.ts';

/** A point at which a reached rule may end the evaluation. */
export interface RuleEnd {
  readonly rule: Rule;
  /** The number of actions that have run then. */
  readonly actions: number;
  /** Holds where it ends the evaluation, if nothing did before. */
  readonly holds: () => Signal;
  /** Undefined if it is not known. */
  readonly outcome: OutcomeKind | undefined;
  /** The status that the client receives; undefined if it is not known. */
  readonly status: number | undefined;
}

/** What points at which a rule may end the evaluation depend on. */
export interface EndContext {
  readonly session: Session;
  readonly conditions: RuleConditions;
  /** Rules that are modules of a route. */
  readonly modules?: ReadonlySet<Rule>;
}

/** Returns the points at which a rule may end the evaluation, in order. */
export function endsOf(rule: Rule, context: EndContext): readonly RuleEnd[] {
  const { session, conditions } = context;
  const { graph } = session.vocabulary;
  const found: RuleEnd[] = [];
  const reached = reachedSignal(rule, session);
  if (session.context.profile.switches.evaluationError === 'fail-request') {
    const holds = once(() => graph.and([reached, conditions.fails(rule)]));
    found.push({ rule, actions: 0, holds, outcome: 'failed', status: 500 });
  }
  for (const [at, action] of rule.actions.entries()) {
    const termination = terminationOf(action);
    if (termination === 'never') continue;
    const holds = once(() => {
      const ends = termination === 'always' ? TRUE : endSignal(action, at, { ...context, rule });
      return graph.and([reached, conditions.matches(rule), ends]);
    });
    found.push({ rule, actions: at + 1, holds, ...answerOf(action, { session, rule }) });
    if (termination === 'always') break;
  }
  return found;
}

/** Returns the signal that holds where the phase of a rule runs: whether a stream has events is not known. */
export function reachedSignal({ phase }: Rule, session: Session): Signal {
  return SIDES[phase] === 'events' ? freeSignal(session, 'whether the response is a stream of events') : TRUE;
}

function freeSignal({ vocabulary }: Session, what: string): Signal {
  const cell = vocabulary.cell(`free:${what}`, () => ({
    ...{ sort: 'free' as const, steps: [], role: undefined, version: '', universe: { preferred: [] } },
    uninterpreted: what,
  }));
  return vocabulary.atom({ kind: 'free', cell });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

interface ActionScope {
  readonly session: Session;
  readonly rule: Rule;
}

type Answer = Pick<RuleEnd, 'outcome' | 'status'>;

const UNKNOWN: Answer = { outcome: undefined, status: undefined };

interface KnownOutcome {
  readonly kind: OutcomeKind;
  readonly status?: number;
}

/** The outcomes of actions; those with a response have the configured status unless one is given. */
const OUTCOMES: Readonly<Record<string, KnownOutcome>> = {
  deny: { kind: 'denied' },
  redirect: { kind: 'redirected' },
  'close-connection': { kind: 'closed' },
  'restrict-ips': { kind: 'refused', status: 403 },
  'rate-limit': { kind: 'refused', status: 429 },
  'circuit-breaker': { kind: 'refused', status: 503 },
  'jwt-validation': { kind: 'refused', status: 401 },
  'basic-auth': { kind: 'refused', status: 401 },
  'verify-webhook': { kind: 'refused', status: 403 },
  'user-agent-filter': { kind: 'refused', status: 403 },
  'websocket-tcp-converter': { kind: 'refused', status: 400 },
};

const CLOSED: Answer = { outcome: 'closed', status: 0 };

/** Returns how an action ends the evaluation, as far as its configuration says so. */
function answerOf({ type, fact, config }: Action, { session, rule }: ActionScope): Answer {
  const { endpoint } = session.context;
  const side = SIDES[rule.phase];
  const replacing: KnownOutcome = { kind: side === 'request' ? 'answered' : 'replaced' };
  const known = type.value === 'custom-response' ? replacing : OUTCOMES[type.value];
  if (known === undefined || side === 'events') return UNKNOWN;
  if (known.kind === 'closed' || !hasResponse({ place: { endpoint, phase: rule.phase }, side })) return CLOSED;
  const written = config.status_code ?? fact?.config.find(({ name }) => name === 'status_code')?.default;
  const status = known.status ?? (typeof written === 'number' ? written : undefined);
  return { outcome: known.kind, status };
}

interface ConditionedAction extends ActionScope, EndContext {}

/** Returns the signal that holds where a matching rule's action ends the evaluation; a free one as far as it is not modelled. */
function endSignal(action: Action, at: number, place: ConditionedAction): Signal {
  const isFirst = place.rule.actions.slice(0, at).every(({ fact }) => fact?.changes?.length === 0);
  const modelled = isFirst ? modelledEnd(action, place) : undefined;
  if (modelled?.isExact) return modelled.signal;
  const where = `action ${at + 1} of \`${place.rule.phase} ${place.rule.index + 1}\``;
  const what = place.modules?.has(place.rule) ? 'a module' : where;
  const free = freeSignal(place.session, `whether \`${action.type.value}\` (${what}) ends the policy`);
  return modelled === undefined ? free : place.session.vocabulary.graph.and([free, modelled.signal]);
}

/** A signal that holds wherever an action ends the evaluation; if it is exact, nowhere else. */
interface ModelledEnd {
  readonly signal: Signal;
  readonly isExact: boolean;
}

function modelledEnd(action: Action, place: ConditionedAction): ModelledEnd | undefined {
  switch (action.type.value) {
    case 'restrict-ips':
      return restrictedEnd(action, place);
    case 'redirect':
      return redirectedEnd(action, place);
    case 'user-agent-filter':
      return filteredEnd(action, place);
    default:
      return undefined;
  }
}

/** It refuses addresses that `deny` contains or `allow` does not. */
function restrictedEnd({ config }: Action, place: ConditionedAction): ModelledEnd | undefined {
  const [allow, deny] = [stringsOf(config.allow), stringsOf(config.deny)];
  const path = pathWith('client-address', place);
  if (path === undefined || config.ip_policies !== undefined || allow === undefined || deny === undefined) {
    return undefined;
  }
  const inside = (list: readonly string[]) =>
    list.length === 0 ? 'false' : `inCidrRanges(${path}, ${JSON.stringify(list.map(withPrefixLength))})`;
  const signal = signalOf(`${inside(deny)} || !${inside(allow)}`, place);
  return signal === undefined ? undefined : { signal, isExact: true };
}

/** Returns a list of strings without interpolation; undefined for anything else. */
function stringsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return undefined;
  return value.every((one): one is string => typeof one === 'string' && !one.includes('$')) ? value : undefined;
}

function withPrefixLength(range: string): string {
  if (range.includes('/')) return range;
  return `${range}/${range.includes(':') ? 128 : 32}`;
}

/** It redirects where the pattern matches and the replacement changes the URL. */
function redirectedEnd({ config: { from, to } }: Action, place: ConditionedAction): ModelledEnd | undefined {
  const path = pathWith('url', place);
  if (path === undefined || typeof from !== 'string' || from.includes('${')) return undefined;
  const signal = signalOf(`${path}.matches(${JSON.stringify(from)})`, place);
  return signal === undefined ? undefined : { signal, isExact: alwaysChanges(from, to, place.session) };
}

/** Returns true if the only match is certainly replaced by another string. */
function alwaysChanges(from: string, to: unknown, { vocabulary }: Session): boolean {
  const isOnce = from.startsWith('^') || (from.endsWith('$') && !from.endsWith('\\$'));
  if (!isOnce || /\\[bB]/.test(from) || from.includes('|') || typeof to !== 'string' || to.includes('$')) return false;
  const language = patternLanguage(vocabulary.language.bind(vocabulary), `\\A(?:${from})\\z`);
  return language !== undefined && !language.test(to);
}

/** It refuses agents that `deny` matches or `allow` does not; a pattern with an error matches nothing. */
function filteredEnd({ config }: Action, place: ConditionedAction): ModelledEnd | undefined {
  const path = pathWith('request-headers', place);
  const [allow, deny] = [config.allow, config.deny].map(list => (Array.isArray(list) ? list.map(String) : []));
  if (path === undefined || allow === undefined || deny === undefined) return undefined;
  const name = place.session.context.profile.headerNames === 'canonical' ? 'User-Agent' : 'user-agent';
  const agent = `('${name}' in ${path} ? ${path}['${name}'][0] : '')`;
  const matches = (patterns: readonly string[]) =>
    patterns.filter(isPattern).map(pattern => `${agent}.matches(${JSON.stringify(pattern)})`);
  const allowed = allow.length === 0 ? 'true' : ['false', ...matches(allow)].join(' || ');
  const signal = signalOf(`${['false', ...matches(deny)].join(' || ')} || !(${allowed})`, place);
  return signal === undefined ? undefined : { signal, isExact: true };
}

function isPattern(pattern: string): boolean {
  return 'engine' in compileRe2(pattern);
}

function pathWith(
  role: 'url' | 'client-address' | 'request-headers',
  { session, rule }: ConditionedAction,
): string | undefined {
  const { profile, endpoint } = session.context;
  return variablesAt(profile, { endpoint, phase: rule.phase }).find(fact => fact.role === role)?.path;
}

function signalOf(source: string, { session, conditions, rule }: ConditionedAction): Signal | undefined {
  const typed = typedAt(source, session, { endpoint: session.context.endpoint, phase: rule.phase });
  return typed === undefined ? undefined : conditions.at(rule, [typed]).whenTrue;
}

function typedAt(source: string, { context }: Session, place: EvaluationContext): TypedAst | undefined {
  const { profile, environments } = context;
  return checkExpression(source, { profile, place, environment: environments[place.phase] }).typed;
}
