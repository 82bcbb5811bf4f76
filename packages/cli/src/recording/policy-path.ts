import { type Decision, type Verdict, verdictOf } from '@tollgate/simulator';
import { formatOutcome } from '../replay/result/outcome-text.ts';

/** Returns a key of the path that a decision took through a policy: the outcome, and the result and actions of each rule. */
export function policyPath(decision: Decision): string {
  return verdictPath(verdictOf(decision));
}

/** As {@link policyPath}, from the countable part. */
export function verdictPath({ outcomes, hits, notReached }: Verdict): string {
  const results = hits.map(({ rule, result }) => {
    const actions = result.status === 'failed' ? '' : result.actions.join();
    return `${rule} ${result.status} ${actions}`;
  });
  return [outcomes.map(formatOutcome).join(' or '), ...results, notReached.join()].join('\n');
}
