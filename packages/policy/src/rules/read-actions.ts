import {
  type ActionFact,
  type Availability,
  type EvaluationContext,
  isAvailable,
  type Phase,
  PROFILES,
  type Profile,
  terminationOf,
} from '@tollgate/catalog';
import { nearest } from '@tollgate/cel/tooling';
import { lineStart } from '@tollgate/diagnostics';
import {
  type DocumentNode,
  entryOf,
  type MapEntryNode,
  type MapNode,
  plainValue,
  type Reporter,
} from '../document/document-node.ts';
import { contentRange } from '../document/scalar-text.ts';
import { unavailableMessage } from '../expressions/check-expression.ts';
import { checkConfig } from './check-config.ts';
import { type Action, type EmbeddedExpression, type PolicyContext, reportTooMany, type Written } from './policy.ts';
import { asItems, asMap, asString, checkKeys, givenValue, isNothing, listed } from './read-shape.ts';

/** Reads the actions of a rule. Each must be known and available in the phase; none may follow one that always ends the policy. */
export function readActions(rule: MapNode, phase: Phase, reading: PolicyContext): readonly Action[] {
  const { reporter } = reading;
  const node = givenValue(rule, 'actions');
  const items = node ? asItems(node, '`actions`', reading) : [];
  if (!node || (node.kind === 'list' && items.length === 0)) reportMissing(rule, node, reporter);
  reportTooMany(items, 'maxActions', reading);
  const place = { endpoint: reading.endpoint, phase };
  const actions: Action[] = [];
  for (const item of items) {
    const action = readAction(item, place, reading);
    if (action) actions.push(action);
  }
  reportUnreachable(actions, reporter);
  return actions;
}

const KEYS = ['type', 'config'];

function readAction(node: DocumentNode, place: EvaluationContext, reading: PolicyContext): Action | undefined {
  const { profile, reporter } = reading;
  const map = asMap(node, 'an action', reporter);
  if (!map) return undefined;
  const typeNode = givenValue(map, 'type');
  const written = typeNode?.kind === 'scalar' ? factOf(String(typeNode.value), profile) : undefined;
  const { body, beside } = configBeside(map, written);
  const hasConfig = entryOf(map, 'config') !== undefined;
  for (const entry of beside) reportBeside(entry, hasConfig, reading);
  const checked = checkKeys(body, KEYS, { what: 'an action', reporter });
  const type = readType(checked, reporter);
  if (!type) return undefined;
  const fact = factOf(type.value, profile);
  if (fact) reportUnavailable(fact, type, { place, reporter });
  else reportUnknownAction(type, profile, { place, reporter });
  const configNode = givenValue(checked, 'config');
  const config = configNode && asMap(configNode, '`config`', reporter);
  const expressions = { profile, place, environment: reading.environments[place.phase] };
  const embedded: EmbeddedExpression[] = [];
  if (fact && isAvailable(fact, place)) {
    const { document, expressions: cache } = reading;
    checkConfig(config, { fact, expressions, typeRange: type.range, reporter, embedded, cache, document });
  }
  const plain = config ? (plainValue(config) as Action['config']) : {};
  return { type, range: map.range, fact, config: plain, configNode: config, expressions: embedded };
}

/** Returns an action with the configuration keys that are next to `config` moved inside it, and those keys. */
function configBeside(map: MapNode, fact: ActionFact | undefined): { body: MapNode; beside: readonly MapEntryNode[] } {
  const fields = new Set(fact?.config.map(field => field.name));
  const config = entryOf(map, 'config');
  const beside = map.entries.filter(({ key }) => !KEYS.includes(key) && fields.has(key));
  const isMap = config === undefined || isNothing(config.value) || config.value.kind === 'map';
  if (beside.length === 0 || !isMap) return { body: map, beside: [] };
  const inside = config?.value.kind === 'map' ? config.value.entries : [];
  const entries = [...inside, ...beside.filter(({ key }) => !inside.some(one => one.key === key))];
  const { keyRange } = config ?? beside[0]!;
  const whole: MapEntryNode = { key: 'config', keyRange, value: { kind: 'map', range: map.range, entries } };
  const others = map.entries.filter(entry => entry !== config && !beside.includes(entry));
  return { body: { ...map, entries: [...others, whole] }, beside };
}

function reportBeside(
  { key, keyRange, value }: MapEntryNode,
  hasConfig: boolean,
  { document, reporter }: PolicyContext,
): void {
  const indent = document.slice(lineStart(document, keyRange.start), keyRange.start);
  const isOneLine = !document.slice(keyRange.start, value.range.end).includes('\n');
  const canMove = !hasConfig && isOneLine && /^ *$/.test(indent);
  const edits = [{ range: { start: keyRange.start, end: keyRange.start }, newText: `config:\n${indent}  ` }];
  reporter.report({
    code: 'policy/unknown-key',
    message: `\`${key}\` is next to \`config\`; move it inside \`config\``,
    range: keyRange,
    args: { key, known: KEYS },
    ...(canMove && { fixes: [{ title: 'put it inside `config`', applicability: 'suggestion', edits }] }),
  });
}

function factOf(type: string, { actions }: Profile): ActionFact | undefined {
  for (const fact of actions) if (fact.type === type) return fact;
  return undefined;
}

function readType(map: MapNode, reporter: Reporter): Written | undefined {
  const node = givenValue(map, 'type');
  if (node) {
    const type = asString(node, '`type`', reporter);
    return type && { value: type.value, range: contentRange(type.text) };
  }
  const first = map.entries[0];
  const range = first?.keyRange ?? map.range;
  const message = 'missing `type` of an action; add it';
  reporter.report({ code: 'policy/missing-key', message, range, args: { key: 'type' } });
  return undefined;
}

function reportMissing(rule: MapNode, node: DocumentNode | undefined, reporter: Reporter): void {
  const range = node?.range ?? rule.entries[0]?.keyRange ?? rule.range;
  const code = node ? 'policy/empty-actions' : 'policy/missing-key';
  reporter.report({
    code,
    message: 'this rule has no actions',
    range,
    args: { key: 'actions' },
  });
}

interface ActionContext {
  readonly place: EvaluationContext;
  readonly reporter: Reporter;
}

function reportUnavailable(fact: ActionFact, type: Written, { place, reporter }: ActionContext): void {
  if (isAvailable(fact, place)) return;
  const area = fact.endpoints.includes(place.endpoint) ? 'phase' : 'endpoint';
  const available = placesOf(fact, area);
  reporter.report({
    code: `${area}/action-unavailable`,
    message: unavailableMessage(type.value, place, area, available),
    range: type.range,
    args: { action: type.value, [area]: place[area], available },
  });
}

function placesOf(fact: Availability, area: 'phase' | 'endpoint'): readonly string[] {
  return area === 'phase' ? fact.phases : fact.endpoints;
}

function reportUnknownAction(type: Written, profile: Profile, { place, reporter }: ActionContext): void {
  const available = profile.actions.filter(fact => isAvailable(fact, place)).map(fact => fact.type);
  const meant = meantAction(type.value, profile, place);
  const suggestion = meant.type;
  const elsewhere = meant.profile === undefined ? '' : `\`${meant.there}\` exists in profile \`${meant.profile}\`; `;
  const hint =
    suggestion === undefined ? `${elsewhere}use ${listed(available, 'or')}` : `did you mean \`${suggestion}\`?`;
  const edits = [{ range: type.range, newText: suggestion ?? '' }];
  reporter.report({
    code: 'policy/unknown-action',
    message: `unknown action \`${type.value}\`; ${hint}`,
    range: type.range,
    args: { action: type.value, available, ...(suggestion !== undefined && { suggestion }) },
    ...(suggestion !== undefined && {
      fixes: [{ title: `change to \`${suggestion}\``, applicability: 'suggestion', edits }],
    }),
  });
}

function reportUnreachable(actions: readonly Action[], reporter: Reporter): void {
  if (actions.length < 2) return;
  const terminating = actions.findIndex(action => terminationOf(action) === 'always');
  if (terminating < 0) return;
  const { type } = actions[terminating]!;
  for (const action of actions.slice(terminating + 1)) {
    reporter.report({
      code: 'policy/unreachable-action',
      message: `unreachable \`${action.type.value}\`: the earlier \`${type.value}\` ends the policy`,
      range: action.type.range,
      args: { action: action.type.value, terminating: type.value },
      related: [{ range: type.range, message: 'ends the policy here' }],
      tags: ['unnecessary'],
    });
  }
}

/** Names of actions elsewhere, with their equivalents in order of preference. */
const ROWS: readonly (readonly [words: string, ...types: string[]])[] = [
  ['block reject drop forbid refuse abort ban denied', 'deny', 'close-connection'],
  ['close disconnect reset tarpit', 'close-connection', 'deny'],
  ['respond response return reply answer static-response fixed-response direct-response synthetic', 'custom-response'],
  ['http-redirect redirect-to url-redirect return-301 return-302', 'redirect'],
  ['rewrite rewrite-url path-rewrite uri-rewrite rewrite-path replace-path strip-prefix', 'url-rewrite'],
  ['forward proxy proxy-pass reverse-proxy route upstream backend', 'forward-internal'],
  [
    'set-headers set-header add-header header headers add-request-headers add-response-headers request-headers response-headers more-set-headers',
    'add-headers',
  ],
  [
    'remove-header delete-header delete-headers del-header unset-header unset-headers hide-header drop-headers',
    'remove-headers',
  ],
  ['gzip compress compression brotli deflate', 'compress-response'],
  [
    'ip-restriction ip-restrictions ip-policy ip-filter allow-ips deny-ips block-ips ip-allow ip-deny ip-allowlist ip-blocklist ip-whitelist whitelist blacklist allowlist',
    'restrict-ips',
  ],
  ['ratelimit rate-limiting rate-limiter throttle throttling limit limit-req', 'rate-limit'],
  ['jwt jwt-auth verify-jwt validate-jwt jwt-verify auth-jwt', 'jwt-validation'],
  ['oidc openid open-id-connect openidconnect sso oidc-auth', 'openid-connect'],
  ['oauth2 google-oauth social-login', 'oauth'],
  ['webhook-verification webhook webhook-validation webhook-verify validate-webhook', 'verify-webhook'],
  ['circuitbreaker circuit-break breaker', 'circuit-breaker'],
  ['basicauth basic http-basic auth-basic http-auth authentication', 'basic-auth'],
  ['waf owasp owasp-crs modsecurity coraza', 'owasp-crs-request', 'owasp-crs-response'],
  ['tls-termination mutual-tls mtls terminate', 'terminate-tls'],
  ['logging access-log audit print', 'log'],
  [
    'find-replace replace-body body-replace sub-filter body-find-replace',
    'request-body-find-replace',
    'response-body-find-replace',
    'sse-find-replace',
  ],
  ['set set-var set-variable set-variables variables', 'set-vars'],
  ['fetch callout http-callout subrequest ext-auth external-auth forward-auth', 'http-request'],
];

const BY_WORD: ReadonlyMap<string, readonly string[]> = new Map(
  ROWS.flatMap(([words, ...types]) => words.split(' ').map(word => [word, types] as const)),
);

/** The action that an unknown type probably means. */
interface MeantAction {
  /** An action that is available in the phase. */
  readonly type?: string;
  /** Another profile that has the action. */
  readonly profile?: string;
  /** Its name in that profile. */
  readonly there?: string;
}

/** Finds the action that an unknown type probably means; suggests only actions available in the phase. */
function meantAction(type: string, profile: Profile, place: EvaluationContext): MeantAction {
  const word = type
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[_\s]+/g, '-');
  const names = [word, ...(BY_WORD.get(word) ?? [])];
  const available = profile.actions.filter(fact => isAvailable(fact, place)).map(fact => fact.type);
  const found = names.find(name => available.includes(name)) ?? nearest(type, available);
  if (found !== undefined) return { type: found };
  for (const other of PROFILES) {
    const fact = other.actions.find((one: ActionFact) => names.includes(one.type));
    if (fact && other.name !== profile.name && !profile.actions.some(one => names.includes(one.type)))
      return { profile: other.name, there: fact.type };
  }
  return {};
}
