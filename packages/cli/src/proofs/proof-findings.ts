import type { Diagnostic, ReportedCase } from '@tollgate/diagnostics';
import { type Rule, rangeAt } from '@tollgate/policy';
import { exchangeText, type Proof } from '@tollgate/solver';
import { rulesText, ruleText } from '../diff/diff-report.ts';
import type { PlacedInvariant } from './find-invariants.ts';

/** Returns the case of a report that an invariant is. */
export function caseOf(
  { written, place }: PlacedInvariant,
  proof: Proof | undefined,
  diagnostics: readonly Diagnostic[],
): ReportedCase {
  const range = rangeAt(place.root, { path: [...place.path, 'name'] });
  const status = proof?.kind === 'proved' ? 'passed' : 'failed';
  return { uri: place.source.uri, name: written.name, range, status, diagnostics };
}

/** How findings name the rules of what is proved. */
export interface FindingPlaces {
  /** Returns all rules of the policy that decides, in order. */
  readonly rulesFor: (proof: RefutedProof) => readonly Rule[];
  /** Returns where the name of a rule is written. */
  readonly placeOf: (rule: Rule) => Pick<Diagnostic, 'uri' | 'range'>;
}

type RefutedProof = Extract<Proof, { kind: 'refuted' }>;

/** Returns a diagnostic unless the invariant is proved. */
export function findingsOf(
  one: PlacedInvariant,
  proof: Proof,
  { rulesFor, placeOf }: FindingPlaces,
): readonly Diagnostic[] {
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
function refutation({ exchange, decision, rules, route }: RefutedProof, all: readonly Rule[]): string {
  const outcomes = decision.outcomes.map(({ kind, status }) =>
    status === undefined ? kind : `${kind} with ${status}`,
  );
  const failed = decision.rules.flatMap((result, at) =>
    result.status === 'failed' ? [`; ${ruleText(all[at]!)} fails: ${result.error.message}`] : [],
  );
  const by = rules.length === 0 ? 'no rule matches' : `${rulesText(rules)} ${rules.length === 1 ? 'matches' : 'match'}`;
  const taker = route === undefined ? '' : ` on route \`${route.match}\``;
  return `refuted by ${exchangeText(exchange)}${taker}: ${outcomes.join(' or ')}; ${by}${failed.join('')}`;
}
