/** What modules export that `tollgate compile --to module` writes. They contain this file and what it needs. */
import { beginCompiled, type CompiledPolicy } from '@tollgate/simulator/compiled';
import {
  type Exchange,
  exchangeOf,
  type FetchRequest,
  type NodeRequest,
  type RequestConnection,
} from '@tollgate/traffic';
import type { DecisionLog } from './decision-log.ts';
import { type EnforcedExchange, Enforcer, type EnforcerOptions, randomSeed } from './enforcer.ts';

/** The exports of a compiled module. */
export interface CompiledModule {
  /** Returns an enforcer of the policy, whose counters start at zero; middleware and handlers of `@tollgate/enforce` run on it. */
  readonly createEnforcer: (options?: Pick<EnforcerOptions, 'mode' | 'onDecision' | 'seed'>) => Enforcer;
  /**
   * Begins to decide a request, with an enforcer that all calls share. What becomes of it is `request` of the result; `respond` decides the response.
   * @param request of Node's `http` or of a `fetch` handler; or an exchange
   * @param connection what the request does not say
   */
  readonly request: (
    request: NodeRequest | FetchRequest | Exchange,
    connection?: RequestConnection,
  ) => EnforcedExchange;
}

/** Returns the exports of a module. */
export function compiledModule(policy: CompiledPolicy, log: DecisionLog): CompiledModule {
  const createEnforcer: CompiledModule['createEnforcer'] = (options = {}) =>
    new Enforcer(beginCompiled(policy, options.seed ?? randomSeed()).start, log, options);
  let shared: Enforcer | undefined;
  return {
    createEnforcer,
    request: (request, connection) => {
      shared ??= createEnforcer();
      const exchange = 'place' in request ? request : exchangeOf(request, connection);
      return shared.begin(exchange.time === undefined ? { ...exchange, time: Date.now() } : exchange);
    },
  };
}
