import type { Diagnostic } from '@tollgate/diagnostics';
import type { PolicyAnalyser } from './policy-analyser.ts';
import type { PolicyInRequest } from './policy-in-request.ts';
import type { PolicyLint } from './policy-lint.ts';

/** An analyser that is loaded on first use or by `getReady`. */
export interface LazyAnalyser {
  readonly analyse: (place: PolicyInRequest) => Promise<readonly Diagnostic[]>;
  readonly getReady: () => Promise<void>;
}

/** Creates a lazy analyser. The policy engine is most of the server's code and not needed to start. */
export function createLazyAnalyser(lint: PolicyLint): LazyAnalyser {
  let loading: Promise<PolicyAnalyser> | undefined;
  const load = () => {
    loading ??= import('./policy-analyser.ts').then(({ createPolicyAnalyser }) => createPolicyAnalyser(lint));
    return loading;
  };
  return {
    analyse: async place => (await load())(place),
    getReady: async () => {
      await load();
    },
  };
}
