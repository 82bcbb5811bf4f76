/**
 * A policy as an ES module that decides as the simulator does: conditions and computed configuration as generated code, constants as data, and the
 * effects of the simulator itself. It imports nothing, and generates no code while it runs.
 */
import type { Profile } from '@tollgate/catalog';
import { emitFunctions, type ModuleParts, readsOf, type TypedAst, unparse } from '@tollgate/cel';
import { fieldPathOf } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import { findInterpolations, opaqueResult, type PhaseEnvironments, type Policy, searchPlan } from '@tollgate/policy';
import {
  type ActionParts,
  type ActivationPlan,
  activationCode,
  isPlannedValue,
  isTlsVersion,
  LIVE_EFFECTS,
  type PhaseParts,
  type PlannedValue,
  policyParts,
  type RuleParts,
  signatureHeadersOf,
  tokenCheckOf,
  unvalidatedTokens,
  VERIFIED_PROVIDERS,
  variableSource,
} from '@tollgate/simulator';
import type { CompiledPolicy } from '@tollgate/simulator/compiled';
import { type PolicyRuntime, partOfRuntime } from './policy-runtime.ts';

/** What a policy is compiled with. Profile and environments are those that it was analysed with. */
export interface PolicyModuleOptions {
  readonly profile: Profile;
  readonly environments: PhaseEnvironments;
  readonly runtime: PolicyRuntime;
  /** What the log of decisions has to know of the policy. */
  readonly log: ModuleLog;
}

/** What the log of decisions has to know of a policy: names of rules, and headers in lower case; undefined for all. */
export interface ModuleLog {
  readonly rules: readonly string[];
  readonly requestHeaders: ReadonlySet<string> | undefined;
  readonly responseHeaders: ReadonlySet<string> | undefined;
}

/** What a module cannot contain. */
export interface Uncompiled {
  /** A sentence without a period. */
  readonly message: string;
  readonly range: Range;
}

/** The code of a module, or what it cannot contain. */
export type PolicyModule = { readonly code: string } | { readonly uncompiled: readonly Uncompiled[] };

/** Returns a policy without errors as an ES module. */
export function policyModule(policy: Policy, options: PolicyModuleOptions): PolicyModule {
  const phases = policyParts(policy, { ...options, effects: LIVE_EFFECTS });
  const tokens = unvalidatedTokens(policy, options.profile.switches);
  const uncompiled = [
    ...phases.flatMap(({ rules }) => rules.flatMap(rule => rule.actions.flatMap(one => faultsOf(one, options)))),
    ...tokens.map(one => ({ message: `a module does not validate ${one.tokens}`, range: one.range })),
  ];
  if (uncompiled.length > 0) return { uncompiled };
  const results = resultsRead(phases, options.profile);
  const writer = new ModuleWriter(options, results);
  const written = phases.map(phase => writer.phase(phase));
  const functions = emitFunctions(writer.parts);
  const { rules, requestHeaders, responseHeaders } = options.log;
  const unknown = [...functions.implementations.keys()].find(
    id => implementationCode(id, options.profile) === undefined,
  );
  if (unknown !== undefined)
    return { uncompiled: [{ message: `\`${unknown}\` is a function of an extension`, range: policy.node.range }] };
  const implementations = [...functions.implementations].map(
    ([id, name]) => `const ${name}=${implementationCode(id, options.profile)};\n`,
  );
  for (const code of implementations) if (code.includes('IMPLEMENTATIONS')) writer.use('IMPLEMENTATIONS');
  if (implementations.some(code => code.includes('new Unknown'))) writer.use('Unknown');
  for (const name of functions.imports) writer.use(name);
  const draws = implementations.some(code => code.includes('q.draws')) ? writer.use('randomDraws') : 'undefined';
  const policyCode = `{switches:${json(switchesOf(options.profile))},dialect:${writer.dialect},isEnabled:${policy.enabled},draws:${draws},phases:q=>{
${writer.constants}${implementations.join('')}${functions.code}${writer.lateConstants}return [${written.join(',\n')}];
}}`;
  const headers = signatureHeadersIn(phases);
  const checks = configsOf(phases, 'jwt-validation').map(tokenCheckOf);
  const verdicts = headers.length + checks.length > 0 ? `,verdictsOf:${writer.use('verdictsRecord')}` : '';
  const logCode = `{rules:${json(rules)},requestHeaders:${setCode(requestHeaders)},responseHeaders:${setCode(responseHeaders)}${verdicts}}`;
  const isPlain = headers.length === 0 && !functions.implementations.has(SECRET);
  const exported = writer.use(isPlain ? 'compiledModule' : 'compiledModuleWithSecrets');
  const decidingCode = isPlain
    ? `${exported}(${policyCode},${logCode})`
    : `${exported}(secrets=>(${policyCode}),${logCode},new Set(${json(headers)}))`;
  const exportedCode =
    checks.length === 0 ? decidingCode : `${writer.use('compiledModuleWithTokens')}(${decidingCode},${json(checks)})`;
  const names = [...writer.used].sort();
  const code = partOfRuntime(options.runtime, names, substitutesFor(phases, results));
  const foreign = names.some(name => WITH_LIBRARIES.has(name)) ? ', and of jose, re2js and @noble/hashes, MIT' : '';
  return {
    code: `// Generated by \`tollgate compile --to module\`; do not edit. With parts of Tollgate, Apache-2.0${foreign}.
${code}export const { createEnforcer, request } = ${exportedCode};
`,
  };
}

/** Returns the switches that rules and effects read. */
function switchesOf({ switches }: Profile): CompiledPolicy['switches'] {
  const { evaluationError, responsePhaseAfterAnswer, interpolationEscape } = switches;
  const { requestVariables, dollarsOfRequest } = switches;
  return { evaluationError, responsePhaseAfterAnswer, interpolationEscape, requestVariables, dollarsOfRequest };
}

/** What contains libraries of others. */
const WITH_LIBRARIES: ReadonlySet<string> = new Set([
  ...['IMPLEMENTATIONS', 'compileRe2', 'compiledModuleWithTokens', 'findWithRe2', 'rateLimit', 'verifyLiveWebhook'],
  ...['extractMatch', 'extractMatches', 'matchesPattern', 'replaceMatches', 'replaceMatchesUpTo'],
]);

function setCode(set: ReadonlySet<string> | undefined): string {
  return set === undefined ? 'undefined' : `new Set(${json([...set])})`;
}

/** Returns the code of data. In a literal, the name `__proto__` would set the prototype. */
function json(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('"__proto__"') ? `JSON.parse(${JSON.stringify(text)})` : text;
}

/** What returns a secret. */
const SECRET = 'secrets_get_string_string';

/** Returns the code of a function of the profile; undefined for one of an extension. */
function implementationCode(id: string, { functions }: Profile): string | undefined {
  const fact = functions.find(one => one.overloadId === id);
  if (fact?.implementation !== undefined) return undefined;
  if (/^rand_/.test(id)) return `q.draws[${json(id)}].call`;
  if (fact?.opaque !== undefined) {
    const unknown = `()=>new Unknown([${json(opaqueResult(fact))}])`;
    return id === SECRET ? `secrets??(${unknown})` : unknown;
  }
  return `IMPLEMENTATIONS[${json(id)}].call`;
}

/** Actions whose effects a module can contain, by the name of the effect in the runtime. */
const EFFECTS: Readonly<Record<string, string>> = {
  'add-headers': 'addHeaders',
  'basic-auth': 'basicAuth',
  'circuit-breaker': 'circuitBreaker',
  'close-connection': 'closeConnection',
  'custom-response': 'customResponse',
  deny: 'deny',
  'forward-internal': 'forwardInternal',
  'jwt-validation': 'jwtValidation',
  log: 'log',
  'rate-limit': 'rateLimit',
  redirect: 'redirect',
  'remove-headers': 'removeHeaders',
  'restrict-ips': 'restrictIps',
  'set-vars': 'setVars',
  'url-rewrite': 'urlRewrite',
  'verify-webhook': 'verifyLiveWebhook',
};

/** Returns the headers with which a request is decided only with its body. */
function signatureHeadersIn(phases: readonly PhaseParts[]): readonly string[] {
  return [
    ...new Set(configsOf(phases, 'verify-webhook').flatMap(({ provider }) => signatureHeadersOf(String(provider)))),
  ];
}

function configsOf(phases: readonly PhaseParts[], type: string): readonly ActionParts['config'][] {
  const actions = phases.flatMap(({ rules }) => rules.flatMap(rule => rule.actions));
  return actions.filter(({ action }) => action.type.value === type).map(({ config }) => config);
}

function faultsOf({ action: { type, config } }: ActionParts, { profile }: PolicyModuleOptions): readonly Uncompiled[] {
  if (!Object.hasOwn(EFFECTS, type.value))
    return [{ message: `a module does not carry out \`${type.value}\``, range: type.range }];
  if (type.value === 'verify-webhook' && !VERIFIED_PROVIDERS.has(String(config.provider)))
    return [{ message: `a module does not verify signatures of \`${config.provider}\``, range: type.range }];
  const ranges = type.value === 'restrict-ips' ? [config.allow, config.deny].flat() : [];
  const sign = profile.switches.interpolationEscape;
  const isComputed = ranges.some(
    one => typeof one === 'string' && findInterpolations(one, sign).expressions.length > 0,
  );
  return isComputed
    ? [{ message: 'a module does not compute the addresses of `restrict-ips`', range: type.range }]
    : [];
}

/** Returns what does the same for these rules as a part of the runtime that they do not need. */
function substitutesFor(phases: readonly PhaseParts[], results: ReadonlySet<string>): Readonly<Record<string, string>> {
  const rules = phases.flatMap(phase => phase.rules);
  const isConstant = !rules.some(({ actions }) => actions.some(({ config }) => JSON.stringify(config).includes('${')));
  const isClear = !rules.some(({ whole }) => whole.expressions.some(mayBeUnclear));
  const hasEvents = phases.some(one => one.phase === 'on_event_stream_message' && one.rules.length > 0);
  return {
    ...(isConstant && {
      prepareText: 'text=>()=>text',
      prepareExpressions: 'text=>()=>text',
      partsOf: "text=>[{kind:'text',text}]",
      expressionText: '()=>{}',
    }),
    ...(isClear && { isUnclear: '()=>false', conjunctionOfGroups: '()=>{}' }),
    ...(results.size === 0 && { withResults: 'state=>state' }),
    ...(!rules.some(({ actions }) => actions.some(addsHost)) && { withHost: 'state=>state' }),
    ...(!hasEvents && { mayHaveEvents: '()=>false' }),
  };
}

function addsHost({ action: { type }, config: { headers } }: ActionParts): boolean {
  return type.value === 'add-headers' && Object.keys(headers ?? {}).some(name => name.toLowerCase() === 'host');
}

/** Returns the paths of the results of actions that a policy reads. */
function resultsRead(phases: readonly PhaseParts[], profile: Profile): ReadonlySet<string> {
  const plans = phases.flatMap(({ activation, rules }) => [
    activation,
    ...rules.flatMap(({ actions }) => actions.flatMap(action => action.expressions.map(one => one.activation))),
  ]);
  const paths = plans.flatMap(valuesIn).map(({ path }) => path);
  return new Set(paths.filter(path => variableSource(path, profile)?.kind === 'result'));
}

function valuesIn(plan: ActivationPlan): readonly PlannedValue[] {
  return Object.values(plan).flatMap(one => (isPlannedValue(one) ? [one] : valuesIn(one)));
}

/** Collects what the code of a policy consists of. */
class ModuleWriter {
  /** Names of the runtime. */
  readonly used = new Set<string>();
  readonly parts: ModuleParts[] = [];
  readonly #options: PolicyModuleOptions;
  readonly #results: ReadonlySet<string>;
  /** Readers of variables and other constants, by their code. */
  readonly #constants = new Map<string, string>();
  /** Parts of conditions in this phase, by what they are. */
  #groups = new Map<string, string>();
  /** Declarations that refer to generated functions. */
  lateConstants = '';
  #count = 0;

  /** @param results paths of the results of actions that something reads */
  constructor(options: PolicyModuleOptions, results: ReadonlySet<string>) {
    this.#options = options;
    this.#results = results;
  }

  use(name: string): string {
    this.used.add(name);
    return name;
  }

  get dialect(): string {
    return this.use(this.#options.profile.headerNames === 'canonical' ? 'CAPITALISED' : 'SNAKE_CASE');
  }

  get constants(): string {
    return [...this.#constants].map(([code, name]) => `const ${name}=${code};\n`).join('');
  }

  phase({ phase, endpoint, environment, rules, activation, isOrdered }: PhaseParts): string {
    if (rules.length === 0) return `{phase:${json(phase)},rules:[]}`;
    const conditions = rules.map(({ whole }) => whole.expressions);
    const name = this.#name();
    this.parts.push({ environment, [isOrdered ? 'conditions' : 'searches']: { [name]: conditions } });
    const place = this.#constant(json({ endpoint, phase }));
    this.#groups = new Map();
    const written = rules.map(rule => this.#rule(rule, environment, { place, isOrdered }));
    const how = `${isOrdered ? 'evaluateAll' : 'search'}:${name}`;
    return `${this.use('compiledPhase')}({phase:${json(phase)},build:${this.#build(activation)},${how},rules:[${written.join(',\n')}]})`;
  }

  #rule(
    { actions, groups, whole }: RuleParts,
    environment: ModuleParts['environment'],
    { place, isOrdered }: { readonly place: string; readonly isOrdered: boolean },
  ): string {
    const written = actions.map(action => this.#action(action, environment, place));
    const apart = groups ?? (isOrdered ? [whole] : undefined);
    const parts =
      apart?.filter(() => whole.expressions.some(mayBeUnclear)).map(group => this.#group(group, environment)) ?? [];
    return `{actions:[${written.join(',')}]${parts.length > 0 ? `,groups:[${parts.join(',')}]` : ''}}`;
  }

  #group(
    { expressions, activation }: NonNullable<RuleParts['groups']>[number],
    environment: ModuleParts['environment'],
  ): string {
    const key = expressions.map(({ ast }) => unparse(ast)).join('\n');
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const name = this.#name();
    this.parts.push({ environment, conditions: { [name]: [expressions] } });
    const code = this.#constant(`{build:${this.#build(activation)},evaluateAll:${name}}`, 'late');
    this.#groups.set(key, code);
    return code;
  }

  #action(parts: ActionParts, environment: ModuleParts['environment'], place: string): string {
    const { action, config, fields, results, expressions, patterns, findsAny } = parts;
    const type = action.type.value;
    const programs = expressions.map(({ typed, activation }) => {
      const name = this.#name();
      this.parts.push({ environment, programs: { [name]: typed } });
      return `{type:{kind:${json(typed.resultType.kind)}},build:${this.#build(activation)},evaluate:${name}}`;
    });
    const finders = patterns.map(pattern => this.#finder(pattern));
    // What nobody reads is not left behind.
    const isRead = [...this.#results].some(path => path.startsWith(`${results.prefix}.`));
    const left = isRead ? results : { names: [] };
    const any = findsAny ? `,findAny:${this.use('findWithRe2')}` : '';
    const kind = this.#constant(`{fact:{type:${json(type)},config:${json(fields)}},results:${json(left)}}`);
    const code = [
      `config:${json(config)}`,
      ...(programs.length > 0 ? [`expressions:[${programs.join(',')}]`] : []),
      ...(finders.length > 0 ? [`finders:[${finders.join(',')}]`] : []),
    ];
    return `${this.use('compiledAction')}(${this.use(EFFECTS[type]!)},${kind},{${code.join(',')}${any}},${place},q)`;
  }

  #finder(pattern: string): string {
    const plan = searchPlan(pattern);
    if (plan.kind === 'regexp') return `${this.use('findWithRegExp')}(${plan.regexp})`;
    return `${this.use(plan.kind === 'plain' ? 'findPlain' : 'findWithRe2')}(${json(pattern)})`;
  }

  #build(plan: ActivationPlan): string {
    return `s=>(${activationCode(plan, value => `${this.#reader(value)}(s)`)})`;
  }

  #reader(value: PlannedValue): string {
    return this.#constant(this.#readerCode(value));
  }

  /** @param time `late` for a constant that refers to generated functions */
  #constant(code: string, time: 'early' | 'late' = 'early'): string {
    if (time === 'late') {
      const name = this.#name();
      this.lateConstants += `const ${name}=${code};\n`;
      return name;
    }
    const known = this.#constants.get(code);
    if (known !== undefined) return known;
    const name = this.#name();
    this.#constants.set(code, name);
    return name;
  }

  #readerCode(value: PlannedValue): string {
    const { path } = value;
    if (value.kind === 'header') {
      const reader = path.startsWith('req') ? 'requestHeaderReader' : 'responseHeaderReader';
      return `${this.use(reader)}(${this.dialect},${json(value.key)})`;
    }
    const { profile } = this.#options;
    const code = this.#sourceCode(path, variableSource(path, profile));
    return isTlsVersion(path)
      ? `${this.use('tlsVersionReader')}(${code},${json(profile.switches.tlsVersionSpelling)})`
      : code;
  }

  #sourceCode(path: string, source: ReturnType<typeof variableSource>): string {
    if (source?.kind === 'result') return `${this.use('resultReader')}(${json(path)})`;
    if (source?.kind === 'table') return `${this.use('tableReader')}(${this.use(source.table)},${json(path)})`;
    return `${this.use('unknownReader')}(${json(path)},${source?.mayBeAbsent === true})`;
  }

  /** Generated code has no names that begin so. */
  #name(): string {
    return `$${this.#count++}`;
  }
}

/** Whether an expression may read a header of which nobody knows how often it was sent. */
function mayBeUnclear(typed: TypedAst): boolean {
  return readsOf(typed).some(read => !CLEAR.test(fieldPathOf(read)));
}

/** What no header of a message is read for, or only `Host`. */
const CLEAR =
  /^(?:conn|endpoint|time|req\.(?:method|Method|url|URL|Path|Params|version|Protocol)|res\.(?:status_code|StatusCode))(?:$|\.)/;
