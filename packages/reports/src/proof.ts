// Which invariants are proved and which are refuted, for terminals and as JSON.

import {
  type Diagnostic,
  jsonText,
  type Paint,
  printable,
  type Report,
  type ReportedCase,
  type Style,
  textReport,
} from '@tollgate/diagnostics';
import {
  type Claim,
  checkInvariant,
  type Invariant,
  type InvariantLocation,
  type InvariantTarget,
  type Rule,
  rangeAt,
  type WrittenInvariant,
} from '@tollgate/policy';
import { exchangeText, type Proof } from '@tollgate/solver';
import { exchangeRecord } from '@tollgate/traffic';
import { rulesText, ruleText } from './diff.ts';
import { formatTally } from './text/figures.ts';
import { ruleRecord } from './text/json.ts';
import type { Layout } from './text/layout.ts';

/** What was found about the invariants of one policy that are written in one file, which all report formats render. */
export interface ReportedProofs {
  readonly path: string;
  /** As written. */
  readonly policy: string;
  /** Without the invariants that have errors. */
  readonly proved: readonly ProvedInvariant[];
  /** Returns the `match` of the route whose policy has a rule, if the group is about an edge. */
  readonly routeOf?: (rule: Rule) => string | undefined;
}

/** An invariant and what was found about it. */
interface ProvedInvariant {
  readonly invariant: Invariant;
  readonly proof: Proof;
}

const MARKS: Readonly<Record<Proof['kind'], readonly [mark: string, style: Style]>> = {
  proved: ['✓', 'hint'],
  refuted: ['✗', 'error'],
  unknown: ['?', 'warning'],
};

/** Returns a report for people: each invariant with its result, then the findings with their positions, then the counts. */
export function textProof(groups: readonly ReportedProofs[], report: Report, layout: Layout): string {
  const { paint } = layout;
  const lists = groups.map(({ path, policy, proved, routeOf }) =>
    [
      `${paint('strong', printable(path))} about ${printable(policy)}`,
      ...proved.map(one => resultLine(one, paint, routeOf)),
    ].join('\n'),
  );
  const findings = report.diagnostics.length === 0 ? [] : [textReport(report, layout).trimEnd()];
  return `${[...lists, ...findings, paint('strong', formatTally(countProofs(groups), 'invariant') ?? 'no invariants were decided')].join('\n\n')}\n`;
}

function resultLine(
  { invariant, proof }: ProvedInvariant,
  paint: Paint,
  routeOf: ReportedProofs['routeOf'] = () => undefined,
): string {
  const [mark, style] = MARKS[proof.kind];
  const because =
    proof.kind === 'proved' && proof.because.length > 0
      ? paint('frame', ` (because of ${printable(becauseText(proof.because, routeOf))})`)
      : '';
  return `  ${paint(style, mark)} ${printable(invariant.name)}${because}`;
}

/** `` `inbound 1` (no probes) of route `/` ``, and so on. */
function becauseText(rules: readonly Rule[], routeOf: NonNullable<ReportedProofs['routeOf']>): string {
  const byRoute = [...Map.groupBy(rules, routeOf)];
  return byRoute
    .map(([route, own]) => (route === undefined ? rulesText(own) : `${rulesText(own)} of route \`${route}\``))
    .join(', ');
}

/** Adds up the results of all groups. */
export function countProofs(groups: readonly ReportedProofs[]): Readonly<Record<Proof['kind'], number>> {
  const counts: Record<Proof['kind'], number> = { proved: 0, refuted: 0, unknown: 0 };
  for (const { proved } of groups) for (const { proof } of proved) counts[proof.kind]++;
  return counts;
}

/** Returns the results as JSON. Members are added, never changed. */
export function jsonProof(groups: readonly ReportedProofs[], found: object, { failures = [] }: Report): string {
  const document = {
    version: 1,
    ...found,
    files: groups.map(({ path, policy, proved, routeOf }) => ({
      file: path,
      policy,
      invariants: proved.map(({ invariant, proof }) => ({ name: invariant.name, ...jsonOf(proof, routeOf) })),
    })),
    failures: failures.map(({ code, message }) => ({ code, message })),
  };
  return `${jsonText(document, 2)}\n`;
}

function jsonOf(proof: Proof, routeOf: ReportedProofs['routeOf'] = () => undefined): object {
  const jsonRule = (rule: Rule) => {
    const route = routeOf(rule);
    return { ...(route !== undefined && { route }), ...ruleRecord(rule) };
  };
  switch (proof.kind) {
    case 'proved':
      return { result: 'proved', because: proof.because.map(jsonRule) };
    case 'refuted': {
      const { outcomes, needs } = proof.decision;
      const { route } = proof;
      return {
        result: 'refuted',
        ...(route && { route: { id: route.id, match: route.match } }),
        exchange: exchangeRecord(proof.exchange),
        ...(proof.times !== undefined && { times: proof.times }),
        decision: { outcomes, needs, rules: proof.rules.map(jsonRule) },
      };
    }
    case 'unknown':
      return { result: 'unknown', reasons: proof.reasons };
  }
}

/** An invariant, and where it is written. */
export interface PlacedInvariant {
  readonly written: WrittenInvariant;
  readonly place: InvariantLocation;
}

/** What was found about invariants. */
interface ProvedInvariants {
  readonly proved: readonly ProvedInvariant[];
  readonly diagnostics: readonly Diagnostic[];
  readonly cases: readonly ReportedCase[];
}

/** What proves invariants, and how it names rules. */
interface Proving extends FindingPlaces {
  readonly about: InvariantTarget;
  readonly prover: { readonly prove: (claim: Claim) => Proof };
}

/** Checks and proves invariants. */
export function proveInvariants(invariants: readonly PlacedInvariant[], proving: Proving): ProvedInvariants {
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
