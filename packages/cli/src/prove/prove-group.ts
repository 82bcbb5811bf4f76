import { explainDetection } from '@tollgate/core/targeting';
import type { Diagnostic, ExternalError, ReportedCase, SourceText } from '@tollgate/diagnostics';
import {
  checkInvariant,
  type EmbeddedPolicy,
  findingsInFile,
  type Invariant,
  type Policy,
  type Rule,
  rangeAt,
  rangeInFile,
} from '@tollgate/policy';
import { exchangeText, PolicyProver, type Proof } from '@tollgate/solver';
import { rulesText, ruleText } from '../diff/diff-report.ts';
import { readTestedPolicy } from '../policies/tested-policy.ts';
import type { Terminal } from '../process/terminal.ts';
import type { LoadedSettings } from '../settings/load-settings.ts';
import type { InvariantGroup, PlacedInvariant } from './find-invariants.ts';

/** An invariant and what was found about it. */
export interface ProvedInvariant {
  readonly invariant: Invariant;
  readonly proof: Proof;
}

/** What was found about the invariants of one policy that are written in one file. */
export interface ProvedGroup {
  readonly path: string;
  /** As written. */
  readonly policy: string;
  /** Without the invariants that have errors. */
  readonly proved: readonly ProvedInvariant[];
  /** The policy as it was treated; undefined if it has errors. */
  readonly prover: PolicyProver | undefined;
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
  readonly cases: readonly ReportedCase[];
}

/** Proves the invariants of one policy. Returns an error if the policy cannot be read. */
export async function proveGroup(
  group: InvariantGroup,
  { settings, carriers }: LoadedSettings,
  terminal: Terminal,
): Promise<ProvedGroup | ExternalError> {
  const { path, choice } = group;
  const read = await readTestedPolicy(path, choice, { settings, carriers, terminal });
  if (read instanceof Error) return read;
  const { embedded, target, runnable, diagnostics: found } = read;
  const common = { path, policy: choice.policy, sources: [embedded.file] };
  if (runnable === undefined) {
    const explained = explainDetection(target, embedded.source.uri, found);
    const diagnostics = findingsInFile(embedded, [...found, ...explained]);
    return { ...common, proved: [], prover: undefined, diagnostics, cases: [] };
  }
  const { environments } = runnable;
  const policy: Policy = { ...runnable.policy, enabled: group.enabled ?? runnable.policy.enabled };
  const context = { profile: target.profile, endpoint: policy.endpoint, environments };
  const prover = new PolicyProver(policy, context);
  const rules = target.profile.phases.flatMap(phase => policy.rules[phase]);
  const results = group.invariants.map(one => {
    const checked = checkInvariant(one.written, one.place, { policy, ...context });
    const { invariant } = checked;
    const proof = invariant && prover.prove(invariant.claim);
    const own = proof && invariant ? findingsOf(one, proof, { embedded, rules }) : [];
    return { invariant, proof, place: one, diagnostics: [...checked.diagnostics, ...own] };
  });
  return {
    ...common,
    prover,
    proved: results.flatMap(({ invariant, proof }) => (invariant && proof ? [{ invariant, proof }] : [])),
    diagnostics: results.flatMap(one => one.diagnostics),
    cases: results.map(({ place, proof, diagnostics }) => caseOf(place, proof, diagnostics)),
  };
}

function caseOf(
  { written, place }: PlacedInvariant,
  proof: Proof | undefined,
  diagnostics: readonly Diagnostic[],
): ReportedCase {
  const range = rangeAt(place.root, { path: [...place.path, 'name'] });
  const status = proof?.kind === 'proved' ? 'passed' : 'failed';
  return { uri: place.source.uri, name: written.name, range, status, diagnostics };
}

interface ProvedPolicy {
  readonly embedded: EmbeddedPolicy;
  /** Of all phases, in order. */
  readonly rules: readonly Rule[];
}

/** Returns a diagnostic unless the invariant is proved. */
function findingsOf(one: PlacedInvariant, proof: Proof, { embedded, rules }: ProvedPolicy): readonly Diagnostic[] {
  if (proof.kind === 'proved') return [];
  const { source, root, path } = one.place;
  const range = rangeAt(root, { path: [...path, 'name'] });
  const common = { severity: 'error', uri: source.uri, range } as const;
  if (proof.kind === 'unknown') {
    const message = `neither proved nor refuted: ${proof.reasons.join('; ')}`;
    return [{ ...common, code: 'prove/unknown', message, args: { reasons: proof.reasons } }];
  }
  const related = proof.rules.map(rule => ({
    uri: embedded.file.uri,
    range: rangeInFile(embedded, nameRange(rule)),
    message: 'this rule matches',
  }));
  return [{ ...common, code: 'prove/refuted', message: refutation(proof, rules), args: {}, related }];
}

function nameRange({ name, range }: Rule): Rule['range'] {
  return name?.range ?? range;
}

/** Returns a request that contradicts an invariant, and what the policy does with it. */
function refutation({ exchange, decision, rules }: Extract<Proof, { kind: 'refuted' }>, all: readonly Rule[]): string {
  const outcomes = decision.outcomes.map(({ kind, status }) =>
    status === undefined ? kind : `${kind} with ${status}`,
  );
  const failed = decision.rules.flatMap((result, at) =>
    result.status === 'failed' ? [`; ${ruleText(all[at]!)} fails: ${result.error.message}`] : [],
  );
  const by = rules.length === 0 ? 'no rule matches' : `${rulesText(rules)} ${rules.length === 1 ? 'matches' : 'match'}`;
  return `refuted by ${exchangeText(exchange)}: ${outcomes.join(' or ')}; ${by}${failed.join('')}`;
}
