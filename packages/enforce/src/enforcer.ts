/** Enforces a policy: decides live exchanges as the simulator does, and says what is to be sent. */
import { extendEnvironment, Unknown } from '@tollgate/cel';
import type { PhaseEnvironments, Policy } from '@tollgate/policy';
import {
  createSimulation,
  type Decision,
  LIVE_EFFECTS,
  type SimulationOptions,
  type SimulationRun,
  type StartedDecision,
  signatureHeadersOf,
  tokenCheckOf,
} from '@tollgate/simulator';
import type { Exchange, ResponseFacts } from '@tollgate/traffic';
import {
  type DecisionFacts,
  type DecisionLog,
  type DecisionRecord,
  decisionFacts,
  decisionLog,
  decisionRecord,
  type RecordContext,
} from './decision-log.ts';
import { type Host, type Refusal, refusalsOf } from './host.ts';
import { type TokenOptions, type TokenValidation, tokenValidation } from './tokens.ts';
import {
  type ForwardedRequest,
  forwardedRequest,
  known,
  type SentResponse,
  sentResponse,
  UndeterminedError,
} from './wire.ts';

/** How a policy is enforced. Profile and environments are those that it was analysed with. */
export interface EnforcerOptions extends Pick<SimulationOptions, 'profile' | 'environments'>, TokenOptions {
  readonly host: Host;
  /** `shadow`: decides and reports, and changes nothing. */
  readonly mode?: 'enforce' | 'shadow';
  /** Seed of random functions; drawn by default, so that nobody can foresee their results. */
  readonly seed?: number;
  /** What `secrets.get` returns; without it, secrets are unknown. */
  readonly secrets?: Secrets;
  /** Called once for each exchange whose response is decided. What it throws is thrown to the server. */
  readonly onDecision?: (record: DecisionRecord, enforced: Enforced) => void;
  /** Like `onDecision`, but costs less: called with what was decided, and without the exchange. */
  readonly onOutcome?: (decision: DecisionFacts) => void;
}

/** An exchange that was decided. */
export interface Enforced {
  readonly exchange: Exchange;
  /** That of the upstream; undefined if it was not asked. */
  readonly response: ResponseFacts | undefined;
}

/** An enforcer, or what the policy asks of the host in vain. */
export type EnforcerResult = { readonly enforcer: Enforcer } | { readonly refusals: readonly Refusal[] };

/** Returns a secret; undefined if there is none, so that a decision that depends on it is undetermined. */
export type Secrets = (vault: string, name: string) => string | undefined;

/** Returns a secret as a value of expressions. */
export function secretOf(secrets: Secrets, vault: string, name: string): string | Unknown {
  return secrets(vault, name) ?? new Unknown([`the secret \`${name}\` of \`${vault}\``]);
}

/** Prepares a policy without errors for a host. */
export function createEnforcer(policy: Policy, options: EnforcerOptions): EnforcerResult {
  const { profile, environments, seed = randomSeed(), secrets, host } = options;
  const refusals = refusalsOf(policy, options, secrets === undefined ? host : { ...host, knowsSecrets: true });
  if (refusals.length > 0) return { refusals };
  const own = secrets === undefined ? environments : environmentsWithSecrets(environments, secrets);
  const { start } = createSimulation(policy, { profile, environments: own, seed, effects: LIVE_EFFECTS }).begin();
  const enforcer = new Enforcer(start, decisionLog(policy, { profile, environments }), options);
  const signatureHeaders = signatureHeadersIn(policy);
  const checks = configsOf(policy, 'jwt-validation').map(tokenCheckOf);
  return {
    enforcer: Object.assign(enforcer, {
      ...(signatureHeaders.size > 0 && { signatureHeaders }),
      ...(checks.length > 0 && { tokens: tokenValidation(checks, options) }),
    }),
  };
}

/** Returns environments in which `secrets.get` returns these. */
export function environmentsWithSecrets(environments: PhaseEnvironments, secrets: Secrets): PhaseEnvironments {
  const implementations = {
    secrets_get_string_string: { call: (vault: string, name: string) => secretOf(secrets, vault, name), total: false },
  };
  const entries = Object.entries(environments).map(([phase, environment]) => [
    phase,
    extendEnvironment(environment, { implementations }),
  ]);
  return Object.fromEntries(entries) as PhaseEnvironments;
}

/** Returns the headers, in lower case, with which the body of a request is needed to decide. */
function signatureHeadersIn(policy: Policy): ReadonlySet<string> {
  return new Set(configsOf(policy, 'verify-webhook').flatMap(({ provider }) => signatureHeadersOf(String(provider))));
}

function configsOf({ rules }: Policy, wanted: string) {
  const actions = Object.values(rules).flatMap(phase => phase.flatMap(rule => rule.actions));
  return actions.filter(({ type }) => type.value === wanted).map(({ config }) => config);
}

/** What becomes of a request. */
export type RequestStep =
  | {
      readonly kind: 'forward';
      readonly request: ForwardedRequest;
      /** The URL of the internal endpoint that is asked instead of the upstream; only where a host provides such endpoints. */
      readonly to?: string;
    }
  /** The upstream is not asked. */
  | { readonly kind: 'respond'; readonly response: SentResponse };

/** The answer if a decision depends on something that is not known: nothing passes unchecked. */
const UNDETERMINED: SentResponse = {
  kind: 'answer',
  answer: { status: 500, fields: [{ name: 'content-type', value: 'text/plain' }], body: 'undetermined\n' },
};

/** What is told of decisions. */
type Listeners = Pick<EnforcerOptions, 'onDecision' | 'onOutcome'>;

/** A prepared policy with its counters. */
export class Enforcer {
  readonly mode: 'enforce' | 'shadow';
  /** The headers, in lower case, with which a request is decided only with its body; undefined if there are none. */
  declare readonly signatureHeaders?: ReadonlySet<string>;
  /** Validates tokens that a request is decided with; undefined if the policy asks for none. */
  declare readonly tokens?: TokenValidation;
  readonly #start: SimulationRun['start'];
  readonly #context: RecordContext;
  readonly #listeners: Listeners;
  #count = 0;

  /** @param start begins a decision */
  constructor(
    start: SimulationRun['start'],
    log: DecisionLog,
    { mode = 'enforce', ...listeners }: Listeners & Pick<EnforcerOptions, 'mode'>,
  ) {
    this.mode = mode;
    this.#start = start;
    this.#context = { mode, log };
    this.#listeners = listeners;
  }

  /**
   * Begins to decide an exchange.
   * @param exchange with a time and a target, and without a response
   */
  begin(exchange: Exchange): EnforcedExchange {
    const own = { ...exchange, place: { file: 'live', number: ++this.#count, unit: 'entry' } } as const;
    return new EnforcedExchange(this.#start(own), this.mode, (decision, response) => {
      this.#listeners.onOutcome?.(decisionFacts(decision, this.#context));
      this.#listeners.onDecision?.(decisionRecord(own, response, decision, this.#context), { exchange: own, response });
    });
  }
}

/** Returns a seed that nobody can foresee. */
export function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}

/** An exchange that is being decided. */
export class EnforcedExchange {
  /** What becomes of the request. In shadow mode it is forwarded as it came. */
  readonly request: RequestStep;
  readonly #started: StartedDecision;
  readonly #mode: 'enforce' | 'shadow';
  readonly #report: (decision: Decision | UndeterminedError, response: ResponseFacts | undefined) => void;

  constructor(
    started: StartedDecision,
    mode: 'enforce' | 'shadow',
    report: (decision: Decision | UndeterminedError, response: ResponseFacts | undefined) => void,
  ) {
    this.#started = started;
    this.#mode = mode;
    this.#report = report;
    this.request = this.#decideRequest();
  }

  #decideRequest(): RequestStep {
    if (this.#mode === 'shadow') return { kind: 'forward', request: UNCHANGED };
    const { isAsked, request, to } = this.#started.upstream;
    if (isAsked === false) return { kind: 'respond', response: this.#finish(undefined) };
    try {
      if (isAsked === undefined) throw new UndeterminedError(this.#started.finish(undefined).needs);
      const forwarded = forwardedRequest(request);
      return to === undefined
        ? { kind: 'forward', request: forwarded }
        : { kind: 'forward', request: forwarded, to: known(to) };
    } catch (error) {
      return { kind: 'respond', response: this.#undetermined(error, undefined) };
    }
  }

  /** Decides what the client receives, now that the upstream has responded. To be called once, and only if the request is forwarded. */
  respond(response: ResponseFacts): SentResponse {
    if (this.#mode === 'enforce') return this.#finish(response);
    const { isAsked, request } = this.#started.upstream;
    // The response to another request than that which the policy would have forwarded says nothing about it.
    const isItsOwn = isAsked !== false && !request.changes.url;
    this.#report(this.#started.finish(isItsOwn ? response : undefined), response);
    return { kind: 'passed', status: response.status ?? 200, headers: UNCHANGED.headers };
  }

  /** Reports a connection that passes, in which nothing else is decided. To be called instead of {@link respond}. */
  pass(): void {
    this.#report(this.#started.finish(undefined), undefined);
  }

  #finish(response: ResponseFacts | undefined): SentResponse {
    const decision = this.#started.finish(response);
    try {
      if (decision.outcomes.length > 1) throw new UndeterminedError(decision.needs);
      const sent = sentResponse(decision.response);
      this.#report(decision, response);
      return sent;
    } catch (error) {
      return this.#undetermined(error, response);
    }
  }

  #undetermined(error: unknown, response: ResponseFacts | undefined): SentResponse {
    if (!(error instanceof UndeterminedError)) throw error;
    this.#report(error, response);
    return UNDETERMINED;
  }
}

const UNCHANGED: ForwardedRequest = { target: undefined, headers: new Map() };
