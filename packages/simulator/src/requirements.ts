/** What a policy needs of a recording, rule by rule, and the fields of recordings that contain it. */
import { type Phase, type Profile, STRING_KEY } from '@tollgate/catalog';
import { type Expr, readsOf, type TypedAst, Unknown } from '@tollgate/cel';
import { childrenOf, foldConstants, inlineBodies } from '@tollgate/cel/tooling';
import { ownValue } from '@tollgate/diagnostics';
import { type Action, opaqueResult, type Policy, type Rule } from '@tollgate/policy';
import { type Exchange, NO_HEADER_KNOWN, TLS_UNKNOWN } from '@tollgate/traffic';
import type { Effect } from './actions/effect.ts';
import { LimitSession } from './actions/limit-counters.ts';
import { type ActionScope, type Preparation, prepareAction } from './conditions/prepare-policy.ts';
import { type Dialect, dialectOf } from './exchange-state/dialect.ts';
import { initialState } from './exchange-state/recorded-state.ts';
import { compileExpression, readExpression } from './variables/expression.ts';

/** What a rule needs of a recording, with the names of inputs in reports: `req.Method`, `req.Headers["X-Key"]`. */
export interface RuleRequirements {
  readonly phase: Phase;
  /** Zero-based, within its phase. */
  readonly index: number;
  readonly name: string | undefined;
  /** Inputs of its conditions. */
  readonly conditions: readonly string[];
  /** Inputs of its actions, and what else decides their effect. */
  readonly actions: readonly { readonly type: string; readonly needs: readonly string[] }[];
}

/** Returns what each rule of a policy may need of an exchange. The policy must have no errors. */
export function policyRequirements(policy: Policy, preparation: Preparation): readonly RuleRequirements[] {
  const { profile, environments, effects } = preparation;
  return profile.phases.flatMap(phase => {
    const environment = environments[phase];
    const at: ActionScope = { profile, environment, place: { endpoint: policy.endpoint, phase }, effects };
    return policy.rules[phase].map(rule => requirementsOf(rule, at));
  });
}

function requirementsOf({ phase, index, name, expressions, actions }: Rule, at: ActionScope): RuleRequirements {
  const conditions = expressions.flatMap(({ typed }) =>
    typed ? inputsOf(inlineBodies(typed, at.environment), at) : [],
  );
  return {
    phase,
    index,
    name: name?.value,
    conditions: sorted(conditions),
    actions: actions.map(action => ({ type: action.type.value, needs: sorted(needsOf(action, at)) })),
  };
}

function sorted(inputs: readonly string[]): readonly string[] {
  return [...new Set(inputs)].sort();
}

/** The string member of a variable that is a string and has fields. */
const TEXT_FIELD = `.${STRING_KEY}`;

/** Results of actions are not inputs. */
function inputsOf(typed: TypedAst, { environment, profile }: ActionScope): readonly string[] {
  // Folding turns header names that an expression lowercases into constants.
  const reads = readsOf(foldConstants(typed, environment))
    .filter(({ variable }) => variable !== 'vars' && variable !== 'actions')
    .map(({ text }) => text.replace(TEXT_FIELD, ''));
  return [...reads, ...opaqueCalls(typed, profile)];
}

/** Returns the results of functions in an expression that no recording tells. */
function opaqueCalls({ ast, references }: TypedAst, { functions }: Profile): readonly string[] {
  const found: string[] = [];
  const visit = (node: Expr): void => {
    const reference = references[node.id];
    const called = reference?.kind === 'function' ? reference.overloads : [];
    for (const { id } of called) {
      const fact = functions.find(({ overloadId }) => overloadId === id);
      const result = fact && opaqueResult(fact);
      if (result !== undefined) found.push(result);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(ast.root);
  return found;
}

/** Returns the inputs of the expressions in the configuration, and what the effect depends on if nothing is known. */
function needsOf(action: Action, at: ActionScope): readonly string[] {
  const inputs: string[] = [];
  const run = prepareAction(action, {
    ...at,
    compile: (source, context, as) => {
      inputs.push(...inputsOf(readExpression(source, context, as).typed, at));
      return compileExpression(source, context, as);
    },
  });
  const dialect = dialectOf(at.profile);
  const session = new LimitSession();
  session.begin(NOTHING_KNOWN);
  const effect = run(initialState(NOTHING_KNOWN, { dialect, assumptions: {} }), { session, needs: [] });
  const open = effect.kind === 'may-end' ? effect.needs : effect.kind === 'continues' ? recordedResults(effect) : [];
  return [...inputs, ...open, ...(ownValue(READS, action.type.value)?.(dialect) ?? [])];
}

/** Returns the inputs that results of an action depend on that only tells later rules what it found. */
function recordedResults({ state }: Extract<Effect, { kind: 'continues' }>): readonly string[] {
  const unknown = Object.values(state.results).flatMap(value => (value instanceof Unknown ? value.attributes : []));
  return unknown.filter(need => recordedFieldsOf(need).length > 0);
}

const TIME = 'the time of the exchange';

/** Inputs that actions read in addition to those of their expressions, without ending the evaluation. */
const READS: Readonly<Record<string, (dialect: Dialect) => readonly string[]>> = {
  redirect: ({ names }) => [names.url],
  'url-rewrite': ({ names }) => [names.url],
  'rate-limit': () => [TIME],
  'circuit-breaker': ({ names }) => [TIME, names.status],
  'compress-response': ({ names, headerKey }) => [
    `${names.requestHeaders}["${headerKey('accept-encoding')}"]`,
    `${names.responseHeaders}["${headerKey('content-encoding')}"]`,
  ],
};

const NOTHING_KNOWN: Exchange = {
  place: { file: '', number: 1, unit: 'entry' },
  time: undefined,
  clientIp: undefined,
  tls: TLS_UNKNOWN,
  method: undefined,
  target: undefined,
  url: undefined,
  protocol: undefined,
  requestHeaders: NO_HEADER_KNOWN,
  response: undefined,
};

/** The record fields, with their names in JSON lines, that a variable is derived from. */
const RECORDED: Readonly<Record<string, readonly string[]>> = {
  ...named({
    client_ip: ['conn.ClientIP', 'conn.client_ip'],
    client_port: ['conn.client_port'],
    server_ip: ['conn.server_ip'],
    server_port: ['conn.server_port'],
    time: ['time.now', 'req.ts.header_received'],
    method: ['req.Method', 'req.method'],
    url: ['req.URL', 'req.url', 'req.url.raw', 'req.url.user_password'],
    scheme: ['req.url.scheme', 'req.URL.scheme'],
    host: ['req.Host', 'req.host'],
    target: ['req.Path', 'req.Params', ...below('req.url', ['path', 'raw_path', 'query', 'uri', 'query_params'])],
    protocol: ['req.Protocol', 'req.version'],
    status: ['res.StatusCode', 'res.status_code'],
    tls_version: ['conn.TLS.Version', 'req.ClientTLS.Version', 'conn.tls.version'],
    tls_cipher: ['conn.TLS.CipherSuite', 'req.ClientTLS.CipherSuite', 'conn.tls.cipher_suite'],
    server_name: ['conn.TLS.SNI', 'req.ClientTLS.SNI', 'conn.tls.sni'],
    alpn: ['conn.tls.negotiated_alpn'],
    ja4: ['conn.tls.ja4_fingerprint'],
    request_headers: ['req.Headers', 'req.headers'],
    response_headers: ['res.Headers', 'res.headers'],
  }),
  ...named(placeVariables()),
  ...message('req', 'request_headers'),
  ...message('res', 'response_headers'),
  'req.Cookies': ['request_headers.Cookie'],
  'req.cookies': ['request_headers.Cookie'],
  'res.Cookies': ['response_headers.Set-Cookie'],
  'res.cookies': ['response_headers.Set-Cookie'],
  'req.user_agent': ['request_headers.User-Agent'],
  'req.url.host': ['host'],
  'req.url.port': ['scheme', 'host'],
  'req.url.authority': ['scheme', 'host'],
};

function placeVariables(): Readonly<Record<string, readonly string[]>> {
  const roots = ['conn.geo', 'conn.client_ip.geo.location'];
  const everywhere = (name: string) => roots.map(root => `${root}.${name}`);
  const registered = below('conn.client_ip.geo.registered_location', ['country', 'country_code', 'is_eu']);
  return {
    country: ['conn.Geo.CountryCode', ...everywhere('country'), ...everywhere('country_code')],
    region: everywhere('subdivision'),
    city: everywhere('city'),
    latitude: ['conn.Geo.Latitude', ...everywhere('latitude')],
    longitude: ['conn.Geo.Longitude', ...everywhere('longitude')],
    continent: ['conn.client_ip.geo.location.continent'],
    postal_code: ['conn.client_ip.geo.location.postal_code'],
    time_zone: ['conn.client_ip.geo.location.timezone'],
    asn: ['conn.client_ip.as.number'],
    as_organization: ['conn.client_ip.as.organization'],
    // Not in any log, only in databases.
    geoip: [
      ...['conn.Geo.LatLongRadiusKm', ...everywhere('radius'), ...registered],
      ...below('conn.client_ip.geo.location', ['is_eu', 'metro_code']),
    ],
  };
}

function message(owner: 'req' | 'res', headers: string): Readonly<Record<string, readonly string[]>> {
  const length = [
    `${headers}.Content-Length`,
    ...(owner === 'req' ? [`${headers}.Transfer-Encoding`, 'method', 'protocol'] : []),
  ];
  return {
    [`${owner}.Location`]: [`${headers}.Location`],
    [`${owner}.location`]: [`${headers}.Location`],
    [`${owner}.ContentLength`]: length,
    [`${owner}.content_length`]: length,
    [`${owner}.content_type`]: [`${headers}.Content-Type`],
    [`${owner}.content_type.raw`]: [`${headers}.Content-Type`],
    [`${owner}.content_type.parameters`]: [`${headers}.Content-Type`],
    [`${owner}.content_encoding`]: [`${headers}.Content-Encoding`],
  };
}

function below(root: string, names: readonly string[]): readonly string[] {
  return names.map(name => `${root}.${name}`);
}

function named(fields: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, paths]) => paths.map(path => [path, [field]] as const)),
  );
}

/** Inputs that are described in words. */
const SPECIAL: Readonly<Record<string, readonly string[]>> = { 'the time of the exchange': ['time'] };

/**
 * Returns the fields that a record must have for an input to be known, with their names in JSON lines; `request_headers` alone means all
 * headers. Empty for inputs that no recording contains.
 * @param input the name in reports: `req.Method`, `req.Headers["X-Key"]`
 */
export function recordedFieldsOf(input: string): readonly string[] {
  const known = ownValue(SPECIAL, input);
  if (known !== undefined) return known;
  const [, path = '', key] = /^([\w.]+)(?:\["((?:[^"\\]|\\.)*)"\])?/.exec(input) ?? [];
  const fields = ownValue(RECORDED, path) ?? [
    ...new Set(Object.keys(RECORDED).flatMap(one => (one.startsWith(`${path}.`) ? RECORDED[one]! : []))),
  ];
  const isHeader = key !== undefined && /^re[qs]\.[Hh]eaders$/.test(path);
  return isHeader ? fields.map(field => `${field}.${headerName(key)}`) : fields;
}

/** Capitalizes a header name as usual. */
function headerName(key: string): string {
  return key.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
}
