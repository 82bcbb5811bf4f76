// Checks that a rewritten file is still the same policy, before it is written.

import { type Diagnostic, InternalError, type SourceText } from '@tollgate/diagnostics';
import {
  type AnalysisOptions,
  analyzePolicies,
  newError,
  type PartPath,
  type Policy,
  readingDifference,
} from '@tollgate/policy';

/** The profile, endpoint and part of a policy. */
type PolicyTarget = Pick<AnalysisOptions, 'profile' | 'endpoint' | 'environments'> & {
  readonly part?: PartPath | undefined;
};

/** A file before and after the rewrite. */
interface Rewrite {
  readonly before: SourceText;
  readonly after: SourceText;
}

/** What a rewrite promises. */
export type RewritePromise =
  /** The same values and comments in another layout. */
  | { readonly kind: 'format'; readonly target: PolicyTarget }
  /** No new errors and, if `isSafe`, the same decisions. Without a target, the file contains no policy. */
  | { readonly kind: 'fix'; readonly target: PolicyTarget | undefined; readonly isSafe: boolean; readonly by: string }
  /** The policies in another profile: no errors but the reported ones and, if nothing was lost, the same decisions. */
  | {
      readonly kind: 'migrate';
      readonly from: PolicyTarget;
      readonly to: PolicyTarget;
      readonly reported: readonly Diagnostic[];
    };

/**
 * Reads the rewritten file and compares it with the original. Returns undefined if the promise is kept; otherwise an error to report, and
 * the file must not be written.
 */
export async function checkRewrite(rewrite: Rewrite, promise: RewritePromise): Promise<InternalError | undefined> {
  if (rewrite.before.text === rewrite.after.text) return undefined;
  const broken = await brokenBy(rewrite, promise);
  const { uri } = rewrite.before;
  return broken === undefined
    ? undefined
    : new InternalError(`internal error: ${broken}; \`${uri}\` was not changed, please report this`);
}

/** Runs a rewrite. If it throws because of a bug, returns the error for this file, so that the others continue. */
export function catchInternalError<T>(uri: string, run: () => T): T | InternalError {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof InternalError)) throw error;
    return new InternalError(`internal error: ${error.message}; \`${uri}\` was not changed, please report this`, {
      cause: error,
    });
  }
}

async function brokenBy(rewrite: Rewrite, promise: RewritePromise): Promise<string | undefined> {
  switch (promise.kind) {
    case 'format': {
      const difference = readingDifference(rewrite.before, rewrite.after, promise.target);
      return difference && `formatting would change the meaning of the file (${difference})`;
    }
    case 'fix':
      return promise.target && brokenByFix(rewrite, promise.target, promise);
    case 'migrate':
      return brokenByMigration(rewrite, promise);
  }
}

async function brokenByFix(
  { before, after }: Rewrite,
  target: PolicyTarget,
  { isSafe, by }: { readonly isSafe: boolean; readonly by: string },
): Promise<string | undefined> {
  const options = optionsOf(target);
  const error = newError(before, after, options);
  if (error) return `the fixes of ${by} would introduce an error (${error.code}: ${error.message})`;
  if (!isSafe) return undefined;
  const changed = await changedDecision({ text: before, target }, { text: after, target });
  return changed && `the safe fixes of ${by} would change decisions (${changed})`;
}

async function brokenByMigration(
  { before, after }: Rewrite,
  { from, to, reported }: Extract<RewritePromise, { readonly kind: 'migrate' }>,
): Promise<string | undefined> {
  const { policies, diagnostics } = analyzePolicies(after, optionsOf(to));
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error && !reported.some(({ severity }) => severity === 'error'))
    return `the migrated policy would have an unreported error (${error.code}: ${error.message})`;
  const old = analyzePolicies(before, optionsOf(from)).policies;
  if (old.length !== policies.length) return `migration would turn ${old.length} policies into ${policies.length}`;
  if (reported.length > 0) return undefined;
  const changed = await changedDecision({ text: before, target: from }, { text: after, target: to });
  return changed && `migration would change decisions (${changed})`;
}

interface Version {
  readonly text: SourceText;
  readonly target: PolicyTarget;
}

/** Returns an exchange that the policies of both versions decide differently. Policies with errors are skipped. */
async function changedDecision(before: Version, after: Version): Promise<string | undefined> {
  const [was, is] = [before, after].map(({ text, target }) => analyzePolicies(text, optionsOf(target)));
  const isRight = [was!, is!].every(one => one.diagnostics.every(({ severity }) => severity !== 'error'));
  if (!isRight) return undefined;
  if (was!.policies.length !== is!.policies.length)
    return `${was!.policies.length} policies, then ${is!.policies.length}`;
  const { firstChange } = await import('./first-change.ts');
  const versionOf = ({ target }: Version, analysis: typeof was, policy: Policy) => ({
    policy,
    simulation: { profile: target.profile, environments: analysis!.environments },
  });
  for (const [index, policy] of was!.policies.entries()) {
    const changed = firstChange(versionOf(before, was, policy), versionOf(after, is, is!.policies[index]!));
    if (changed !== undefined) return changed;
  }
  return undefined;
}

function optionsOf({ part, ...target }: PolicyTarget): AnalysisOptions {
  return { ...target, ...(part && { part }) };
}
