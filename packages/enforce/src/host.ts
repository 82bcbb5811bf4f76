/** What a server that enforces policies knows of traffic and can do with it, and what a policy asks of it beyond that. */
import { HOP_BY_HOP_HEADERS, type Phase } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import type { Action, Policy, Rule } from '@tollgate/policy';
import {
  LIVE_EFFECTS,
  policyRequirements,
  REQUEST_BODY,
  recordedFieldsOf,
  type SimulationOptions,
  TOKEN_KEYS,
  unvalidatedTokens,
  VERIFIED_PROVIDERS,
} from '@tollgate/simulator';
import { GEO_FIELDS, RECORD_FIELDS, type RecordField } from '@tollgate/traffic';

/** A server that enforces policies. */
export interface Host {
  /** Completes "it is not known to …". */
  readonly name: string;
  /** What it knows of each exchange, by the names of recorded fields. */
  readonly fields: ReadonlySet<RecordField>;
  /** The actions that it carries out exactly as the simulator decides them. */
  readonly actions: ReadonlySet<string>;
  /** Whether it can close a connection without a response, as rules for connections do. */
  readonly closesConnections: boolean;
  /** Whether it knows what `secrets.get` returns. */
  readonly knowsSecrets?: boolean;
  /** The highest status that it can send. */
  readonly maxStatus: number;
}

/** The actions that need nothing but the request, the response, and counters of this process. */
export const DECIDED_ACTIONS: ReadonlySet<string> = new Set([
  ...['add-headers', 'remove-headers', 'set-vars', 'log', 'url-rewrite'],
  ...['basic-auth', 'circuit-breaker', 'custom-response', 'deny', 'rate-limit', 'redirect', 'restrict-ips'],
  'close-connection',
]);

/** The same, and those before which tokens are validated. */
export const DECIDED_WITH_TOKENS: ReadonlySet<string> = new Set([...DECIDED_ACTIONS, 'jwt-validation']);

/** The same, and those that also need the bodies of requests. */
export const DECIDED_WITH_BODIES: ReadonlySet<string> = new Set([...DECIDED_WITH_TOKENS, 'verify-webhook']);

/** Returns a host that also carries out actions that it is told how to. */
export function hostProviding(host: Host, actions: readonly string[]): Host {
  return { ...host, actions: new Set([...host.actions, ...actions]) };
}

/** A host that nothing is known of: each exchange says what it knows, and the rest is unknown when it is decided. */
export const ANY_HOST: Host = {
  name: 'a module',
  fields: new Set(RECORD_FIELDS),
  actions: DECIDED_WITH_BODIES,
  closesConnections: true,
  maxStatus: 999,
};

/** What a policy asks of a host that the host cannot give. */
export interface Refusal {
  /** A sentence without a period. */
  readonly message: string;
  readonly range: Range;
  /** The type of an action that the host does not carry out. */
  readonly action?: string;
}

/** Where live traffic is not what rules of these phases are about. */
const REFUSED_PHASES: Readonly<Partial<Record<Phase, string>>> = {
  on_event_stream_message: 'rules for the messages of a stream are not enforced',
};

/** Returns what a policy without errors asks of a host in vain; nothing if the host can enforce it exactly. */
export function refusalsOf(
  policy: Policy,
  preparation: Pick<SimulationOptions, 'profile' | 'environments'>,
  host: Host,
): readonly Refusal[] {
  const required = policyRequirements(policy, { ...preparation, effects: LIVE_EFFECTS });
  const tokens = host.actions.has('jwt-validation') ? unvalidatedTokens(policy, preparation.profile.switches) : [];
  const faults = tokens.map(one => ({ message: `${one.tokens} are not validated by ${host.name}`, range: one.range }));
  const others = required.flatMap(({ phase, index, conditions, actions }) => {
    const rule = policy.rules[phase][index]!;
    const phaseFault = REFUSED_PHASES[phase];
    if (phaseFault !== undefined) return [{ message: phaseFault, range: rule.range }];
    if (phase === 'on_tcp_connect' && !host.closesConnections)
      return [{ message: `connections are not closed by ${host.name}`, range: rule.range }];
    return [
      ...conditions.flatMap(input => refusedNeed(input, host, rangeOfInput(rule, input))),
      ...rule.actions.flatMap((action, at) => actionRefusals(action, actions[at]!.needs, host)),
    ];
  });
  return [...others, ...faults];
}

/** What actions need of a recording, and live traffic has: counters count it from the beginning, and servers that can ask for bodies and keys do. */
const LIVE: ReadonlySet<string> = new Set(['the decisions on earlier requests', REQUEST_BODY, TOKEN_KEYS]);

/** What depends on a secret needs something that begins with this, or on a random number, which is drawn where traffic is live. */
const [SECRETS, DRAWN] = ['`secrets.get()`', '`rand.'];

function actionRefusals(action: Action, needs: readonly string[], host: Host): readonly Refusal[] {
  const { type } = action;
  if (!host.actions.has(type.value))
    return [{ message: `\`${type.value}\` is not carried out by ${host.name}`, range: type.range, action: type.value }];
  const { provider } = action.config;
  if (type.value === 'verify-webhook' && !VERIFIED_PROVIDERS.has(String(provider)))
    return [{ message: `signatures of \`${provider}\` are not verified by ${host.name}`, range: type.range }];
  const status = action.config.status_code ?? action.fact?.config.find(({ name }) => name === 'status_code')?.default;
  // An informational response is not the last one, for which the client would wait.
  if (typeof status === 'number' && (status < 200 || status > host.maxStatus))
    return [{ message: `status ${status} cannot be sent by ${host.name}`, range: type.range }];
  const framing = headersNamed(action).find(name => FRAMING_HEADERS.has(name.toLowerCase()));
  if (framing !== undefined)
    return [{ message: `\`${framing}\` frames a message, and is left to ${host.name}`, range: type.range }];
  return needs.flatMap(need => refusedNeed(need, host, type.range));
}

/** What says where a message or a connection ends. A policy that changed it would make another message of what follows. */
const FRAMING_HEADERS: ReadonlySet<string> = new Set([...HOP_BY_HOP_HEADERS, 'content-length']);

/** Returns the headers that an action adds, sends or removes. */
function headersNamed({ config: { headers } }: Action): readonly string[] {
  if (Array.isArray(headers)) return headers.filter(name => typeof name === 'string');
  return typeof headers === 'object' && headers !== null ? Object.keys(headers) : [];
}

function refusedNeed(need: string, host: Host, range: Range): readonly Refusal[] {
  if (LIVE.has(need) || need.startsWith(DRAWN)) return [];
  if (!need.startsWith(SECRETS)) return unknownInput(need, host, range);
  return host.knowsSecrets === true
    ? []
    : [{ message: `secrets are not known to ${host.name} that is given none`, range }];
}

function unknownInput(input: string, host: Host, range: Range): readonly Refusal[] {
  const fields = recordedFieldsOf(input).map(field => field.replace(/^(re(?:quest|sponse)_headers)\..*$/s, '$1'));
  const isKnown = fields.length > 0 && fields.every(field => (host.fields as ReadonlySet<string>).has(field));
  if (isKnown) return [];
  const subject = /^[\w.]+(?:\[|$)/.test(input) ? `\`${input}\`` : input;
  return [{ message: `${subject} is not known to ${host.name}`, range }];
}

/** Returns the first condition that names an input. */
function rangeOfInput({ expressions, range }: Rule, input: string): Range {
  const [, called] = /^`([\w.]+)\(\)`/.exec(input) ?? [];
  const last = called ?? input.split(/[.[]/).at(-1)!;
  return (expressions.find(({ source }) => source.includes(last)) ?? expressions[0])?.range ?? range;
}

/** The recorded fields with the location of a client. */
export const LOCATION_FIELDS: readonly RecordField[] = GEO_FIELDS;
