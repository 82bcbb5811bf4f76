// Which invariants are proved and which are refuted, for terminals and as JSON.

import { jsonText, type Paint, printable, type Report, type Style, textReport } from '@tollgate/diagnostics';
import type { Invariant, Rule } from '@tollgate/policy';
import type { Proof } from '@tollgate/solver';
import { exchangeRecord } from '@tollgate/traffic';
import { rulesText } from './diff.ts';
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
