// What modules contain that `tollgate compile --to module` writes.

import { createRequire } from 'node:module';
import type { PolicyRuntime } from '@tollgate/compile';

/** Returns the runtime of compiled policies. The bundle of the command contains it in place of this module; a clone builds it from its sources. */
export async function policyRuntime(): Promise<PolicyRuntime> {
  const scripts: { readonly policyRuntime: typeof policyRuntime } = createRequire(import.meta.url)(
    '../../../../scripts/bundle/policy-runtime.ts',
  );
  return scripts.policyRuntime();
}
