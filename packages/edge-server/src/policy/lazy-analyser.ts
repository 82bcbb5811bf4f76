import type { Diagnostic } from '@tollgate/diagnostics';
import type { PolicyAnalyser } from './policy-analyser.ts';
import type { PolicyPlace } from './policy-place.ts';

/** Analyses policies; what it takes for that is loaded when the first one comes, or when it is told to get ready. */
export interface LazyAnalyser {
  readonly analyse: (place: PolicyPlace) => Promise<readonly Diagnostic[]>;
  readonly getReady: () => Promise<void>;
}

/** The engine of policies is most of the code of a server, and none of it is needed to start one. */
export function createLazyAnalyser(): LazyAnalyser {
  let loading: Promise<PolicyAnalyser> | undefined;
  const load = () => {
    loading ??= import('./policy-analyser.ts').then(({ createPolicyAnalyser }) => createPolicyAnalyser());
    return loading;
  };
  return {
    analyse: async place => (await load())(place),
    getReady: async () => {
      await load();
    },
  };
}
