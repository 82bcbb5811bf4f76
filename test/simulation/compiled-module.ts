import type { Profile } from '@tollgate/catalog';
import { type PolicyModule, policyModule } from '@tollgate/compile';
import { type CompiledModule, decisionLog, type EnforcedExchange } from '@tollgate/enforce';
import type { PhaseEnvironments, Policy } from '@tollgate/policy';
import { policyRuntime } from '../../scripts/bundle/policy-runtime.ts';

// Policies compiled to modules, and what these export.

const RUNTIME = await policyRuntime();

/** What a policy was analysed with. */
export interface ModuleContext {
  readonly profile: Profile;
  readonly environments: PhaseEnvironments;
}

/** Returns a policy as a module. */
export function compiledPolicy(policy: Policy, { profile, environments }: ModuleContext): PolicyModule {
  const log = decisionLog(policy, { profile, environments });
  return policyModule(policy, { profile, environments, log, runtime: RUNTIME });
}

const EXPORTS = 'export const { createEnforcer, request } =';

/** Returns the exports of a module. Thousands of modules that were imported would never be collected. */
export function exportsOf<Decided extends EnforcedExchange | Promise<EnforcedExchange> = EnforcedExchange>(
  code: string,
): CompiledModule<Decided> {
  if (code.split(EXPORTS).length !== 2) throw new Error('the module has other exports');
  return new Function(`'use strict'; ${code.replace(EXPORTS, 'return')}`)() as CompiledModule<Decided>;
}
