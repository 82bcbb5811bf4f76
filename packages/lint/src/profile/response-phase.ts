import type { Phase } from '@tollgate/catalog';
import type { LintedFile } from '../rule-api/lint-context.ts';

/** Whether rules of the phase see a response, and change that rather than the request. */
export function isResponsePhase({ profile }: Pick<LintedFile, 'profile'>, phase: Phase): boolean {
  return profile.variables.some(fact => fact.role === 'status' && fact.phases.includes(phase));
}

/** A header's name as policies of the profile write it. */
export function spelling({ profile }: Pick<LintedFile, 'profile'>, canonical: string): string {
  return profile.headerNames === 'canonical' ? canonical : canonical.toLowerCase();
}
