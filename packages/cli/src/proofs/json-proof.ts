import { jsonText, type Report } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';
import type { Proof } from '@tollgate/solver';
import { exchangeRecord } from '../trace/json/exchange-record.ts';
import type { ReportedProofs } from './text-proof.ts';

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
  const jsonRule = (rule: Rule) => jsonRuleOf(rule, routeOf(rule));
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
        decision: { outcomes, needs, rules: proof.rules.map(jsonRule) },
      };
    }
    case 'unknown':
      return { result: 'unknown', reasons: proof.reasons };
  }
}

function jsonRuleOf({ phase, index, name }: Rule, route: string | undefined): object {
  return {
    ...(route !== undefined && { route }),
    phase,
    number: index + 1,
    ...(name && { name: name.value }),
  };
}
