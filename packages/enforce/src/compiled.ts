/** What modules export that `tollgate compile --to module` writes. They contain this file and what it needs. */
import { beginCompiled, type CompiledPolicy, type TokenCheck } from '@tollgate/simulator/compiled';
import {
  type Exchange,
  exchangeOf,
  type FetchRequest,
  type NodeRequest,
  type RequestConnection,
} from '@tollgate/traffic';
import type { DecisionLog } from './decision-log.ts';
import {
  type EnforcedExchange,
  Enforcer,
  type EnforcerOptions,
  randomSeed,
  type Secrets,
  secretOf,
} from './enforcer.ts';
import { tokenValidation } from './tokens.ts';

export { verdictsRecord } from './decision-log.ts';

/** The exports of a compiled module. `request` returns a promise if the policy validates tokens, whose keys have to be fetched. */
export interface CompiledModule<Decided extends EnforcedExchange | Promise<EnforcedExchange> = EnforcedExchange> {
  /** Returns an enforcer of the policy, whose counters start at zero; middleware and handlers of `@tollgate/enforce` run on it. */
  readonly createEnforcer: (options?: ModuleOptions) => Enforcer;
  /**
   * Begins to decide a request, with an enforcer that all calls share. What becomes of it is `request` of the result; `respond` decides the response.
   * @param request of Node's `http` or of a `fetch` handler; or an exchange
   * @param connection what the request does not say
   * @param body that of the request, which a policy with `verify-webhook` needs
   */
  readonly request: (
    request: NodeRequest | FetchRequest | Exchange,
    connection?: RequestConnection,
    body?: Uint8Array,
  ) => Decided;
}

/** Options of an enforcer; `secrets` and `keyTimeout` count for policies that ask for secrets and tokens. */
type ModuleOptions = Pick<EnforcerOptions, 'keyTimeout' | 'mode' | 'onDecision' | 'onOutcome' | 'secrets' | 'seed'>;

/** Returns the exports of a module. */
export function compiledModule(policy: CompiledPolicy, log: DecisionLog): CompiledModule {
  const createEnforcer: CompiledModule['createEnforcer'] = (options = {}) =>
    new Enforcer(beginCompiled(policy, options.seed ?? randomSeed()).start, log, options);
  let shared: Enforcer | undefined;
  return {
    createEnforcer,
    request: (request, connection) => {
      shared ??= createEnforcer();
      return shared.begin(timed('place' in request ? request : exchangeOf(request, connection)));
    },
  };
}

function timed(exchange: Exchange): Exchange {
  return exchange.time === undefined ? { ...exchange, time: Date.now() } : exchange;
}

/**
 * Returns the exports of a module whose policy validates tokens.
 * @param module the same, but it decides without verdicts on tokens
 */
export function compiledModuleWithTokens(
  { createEnforcer, request: decide }: CompiledModule,
  checks: readonly TokenCheck[],
): CompiledModule<Promise<EnforcedExchange>> {
  const shared = tokenValidation(checks);
  return {
    createEnforcer: (options = {}) =>
      Object.assign(createEnforcer(options), { tokens: tokenValidation(checks, options) }),
    request: async (request, connection, body) => {
      const exchange = timed('place' in request ? request : exchangeOf(request, connection));
      const ready = shared.isNeeded(exchange) ? await shared.validated(exchange) : exchange;
      return decide(ready, undefined, body);
    },
  };
}

/** Secrets of one enforcer, as generated code asks for them. */
type ModuleSecrets = (vault: string, name: string) => ReturnType<typeof secretOf>;

/**
 * Returns the exports of a module whose policy asks for secrets or verifies signatures.
 * @param policyWith returns the policy with some secrets
 */
export function compiledModuleWithSecrets(
  policyWith: (secrets: ModuleSecrets | undefined) => CompiledPolicy,
  log: DecisionLog,
  signatureHeaders: ReadonlySet<string>,
): CompiledModule {
  const moduleWith = (secrets: Secrets | undefined) =>
    compiledModule(policyWith(secrets && ((vault, name) => secretOf(secrets, vault, name))), log);
  const { request: decide } = moduleWith(undefined);
  return {
    createEnforcer: (options = {}) =>
      Object.assign(moduleWith(options.secrets).createEnforcer(options), { signatureHeaders }),
    request: (request, connection, requestBody) => {
      const exchange = 'place' in request ? request : exchangeOf(request, connection);
      return decide(requestBody === undefined ? exchange : { ...exchange, requestBody });
    },
  };
}
