// Proves the invariants of one policy, and reports what is not proved.

import { dirname, isAbsolute, join } from 'node:path';
import { explainDetection } from '@tollgate/core/targeting';
import type { Diagnostic, ExternalError, ReportedCase, SourceText } from '@tollgate/diagnostics';
import {
  type Claim,
  checkInvariant,
  type Expectation,
  findingsInFile,
  type InvariantTarget,
  type Policy,
  type Rule,
  rangeAt,
  rangeInFile,
} from '@tollgate/policy';
import { type ReportedProofs, rulesText, ruleText } from '@tollgate/reports';
import { exchangeText, PolicyProver, type Proof } from '@tollgate/solver';
import type { LoadedSettings } from '../input/load-settings.ts';
import { readTestedPolicy } from '../policies/load-policy.ts';
import type { Terminal } from '../process/terminal.ts';
import type { InvariantGroup, PlacedInvariant } from './find-invariants.ts';

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
  { settings, carriers }: LoadedSettings,
  terminal: Terminal,
): Promise<ProvedGroup | ExternalError> {
  const { path, choice } = group;
  const read = await readTestedPolicy(path, choice, { settings, carriers, terminal });
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

/** What proves invariants, and how it names rules. */
interface Proving extends FindingPlaces {
  readonly about: InvariantTarget;
  readonly prover: { readonly prove: (claim: Claim) => Proof };
}

/** Checks and proves invariants. */
export function proveInvariants(
  invariants: readonly PlacedInvariant[],
  proving: Proving,
): Pick<ProvedGroup, 'proved' | 'diagnostics' | 'cases'> {
  const results = invariants.map(one => {
    const checked = checkInvariant(one.written, one.place, proving.about);
    const { invariant } = checked;
    const proof = invariant && proving.prover.prove(invariant.claim);
    const own = proof && invariant ? findingsOf(one, proof, proving) : [];
    return { invariant, proof, place: one, diagnostics: [...checked.diagnostics, ...own] };
  });
  return {
    proved: results.flatMap(({ invariant, proof }) => (invariant && proof ? [{ invariant, proof }] : [])),
    diagnostics: results.flatMap(one => one.diagnostics),
    cases: results.map(({ place, proof, diagnostics }) => caseOf(place, proof, diagnostics)),
  };
}

/** Returns the case of a report that an invariant is. */
function caseOf(
  { written, place }: PlacedInvariant,
  proof: Proof | undefined,
  diagnostics: readonly Diagnostic[],
): ReportedCase {
  const range = rangeAt(place.root, { path: [...place.path, 'name'] });
  const status = proof?.kind === 'proved' ? 'passed' : 'failed';
  return { uri: place.source.uri, name: written.name, range, status, diagnostics };
}

/** How findings name the rules of what is proved. */
interface FindingPlaces {
  /** Returns all rules of the policy that decides, in order. */
  readonly rulesFor: (proof: RefutedProof) => readonly Rule[];
  /** Returns where the name of a rule is written. */
  readonly placeOf: (rule: Rule) => Pick<Diagnostic, 'uri' | 'range'>;
}

type RefutedProof = Extract<Proof, { kind: 'refuted' }>;

/** Returns a diagnostic unless the invariant is proved. */
function findingsOf(one: PlacedInvariant, proof: Proof, { rulesFor, placeOf }: FindingPlaces): readonly Diagnostic[] {
  if (proof.kind === 'proved') return [];
  const { source, root, path } = one.place;
  const range = rangeAt(root, { path: [...path, 'name'] });
  const common = { severity: 'error', uri: source.uri, range } as const;
  if (proof.kind === 'unknown') {
    const message = `neither proved nor refuted: ${proof.reasons.join('; ')}`;
    return [{ ...common, code: 'prove/unknown', message, args: { reasons: proof.reasons } }];
  }
  const related = proof.rules.map(rule => ({ ...placeOf(rule), message: 'this rule matches' }));
  const message = refutation(proof, rulesFor(proof));
  return [{ ...common, code: 'prove/refuted', message, args: {}, related }];
}

/** Returns the range of a rule's name, or of the whole rule. */
export function nameRange({ name, range }: Rule): Rule['range'] {
  return name?.range ?? range;
}

/** Returns a request that contradicts an invariant, and what the policy does with it. */
function refutation({ exchange, times = 1, decision, rules, route }: RefutedProof, all: readonly Rule[]): string {
  const outcomes = decision.outcomes.map(({ kind, status }) =>
    status === undefined ? kind : `${kind} with ${status}`,
  );
  const failed = decision.rules.flatMap((result, at) =>
    result.status === 'failed' ? [`; ${ruleText(all[at]!)} fails: ${result.error.message}`] : [],
  );
  const by = rules.length === 0 ? 'no rule matches' : `${rulesText(rules)} ${rules.length === 1 ? 'matches' : 'match'}`;
  const taker = route === undefined ? '' : ` on route \`${route.match}\``;
  const count = times === 1 ? '' : `the ${ordinal(times)} of equal requests `;
  return `refuted by ${count}${exchangeText(exchange)}${taker}: ${outcomes.join(' or ')}; ${by}${failed.join('')}`;
}

function ordinal(count: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd' }[ORDINALS.select(count) as 'one' | 'two' | 'few'] ?? 'th';
  return `${count}${ending}`;
}

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });
