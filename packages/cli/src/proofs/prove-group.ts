// Proves the invariants of one policy, and reports what is not proved.

import { dirname, isAbsolute, join } from 'node:path';
import { explainDetection } from '@tollgate/core/targeting';
import type { Diagnostic, ExternalError, ReportedCase, SourceText } from '@tollgate/diagnostics';
import { type Claim, type Expectation, findingsInFile, type Policy, type Rule, rangeInFile } from '@tollgate/policy';
import { nameRange, proveInvariants, type ReportedProofs } from '@tollgate/reports';
import { PolicyProver, type Proof } from '@tollgate/solver';
import type { LoadedSettings } from '../input/load-settings.ts';
import { readTestedPolicy } from '../policies/load-policy.ts';
import type { Terminal } from '../process/terminal.ts';
import type { InvariantGroup } from './find-invariants.ts';

/** What was found about the invariants of one policy that are written in one file. */
export interface ProvedGroup extends ReportedProofs {
  /** Returns a test that fails as long as a claim is refuted; undefined if no test can say that. */
  readonly testFor: (claim: Claim, proof: Refutation) => RefutationTest | undefined;
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
  readonly cases: readonly ReportedCase[];
}

/** A refuted proof. */
export type Refutation = Extract<Proof, { kind: 'refuted' }>;

/** What a policy test of a refutation is about. */
interface RefutationTest {
  /** Relative to the working directory; followed by `#` and a path if the policy is a part of a file. */
  readonly policy: string;
  readonly expect: Expectation;
}

/** Proves the invariants of one policy. Returns an error if the policy cannot be read. */
export async function proveGroup(
  group: InvariantGroup,
  { settings, embeddedSettings }: LoadedSettings,
  terminal: Terminal,
): Promise<ProvedGroup | ExternalError> {
  const { path, choice } = group;
  const read = await readTestedPolicy(path, choice, { settings, embeddedSettings, terminal });
  if (read instanceof Error) return read;
  const { embedded, target, runnable, diagnostics: found } = read;
  const place = isAbsolute(choice.policy) ? choice.policy : join(dirname(path), choice.policy);
  const common = { path, policy: choice.policy, sources: [embedded.file] };
  if (runnable === undefined) {
    const explained = explainDetection(target, embedded.source.uri, found);
    const diagnostics = findingsInFile(embedded, [...found, ...explained]);
    return { ...common, proved: [], testFor: () => undefined, diagnostics, cases: [] };
  }
  const { environments } = runnable;
  const policy: Policy = { ...runnable.policy, enabled: group.enabled ?? runnable.policy.enabled };
  const context = { profile: target.profile, endpoint: policy.endpoint, environments };
  const prover = new PolicyProver(policy, context);
  const rules = target.profile.phases.flatMap(phase => policy.rules[phase]);
  const placeOf = (rule: Rule) => ({ uri: embedded.file.uri, range: rangeInFile(embedded, nameRange(rule)) });
  const proving = { about: { policy, ...context }, prover, rulesFor: () => rules, placeOf };
  return {
    ...common,
    ...proveInvariants(group.invariants, proving),
    testFor: (claim, { exchange, times }) => {
      const expect = prover.expectationFor(claim, exchange, times);
      return expect && { policy: place, expect };
    },
  };
}
