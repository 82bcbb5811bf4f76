import type { Report } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';
import type { Proof } from '@tollgate/solver';
import { exchangeRecord } from '../trace/json/exchange-record.ts';
import type { ProvedGroup } from './prove-group.ts';

/** Returns the results as JSON. Members are added, never changed. */
export function jsonProof(groups: readonly ProvedGroup[], found: object, { failures = [] }: Report): string {
  const document = {
    version: 1,
    ...found,
    files: groups.map(({ path, policy, proved }) => ({
      file: path,
      policy,
      invariants: proved.map(({ invariant, proof }) => ({ name: invariant.name, ...jsonOf(proof) })),
    })),
    failures: failures.map(({ code, message }) => ({ code, message })),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function jsonOf(proof: Proof): object {
  switch (proof.kind) {
    case 'proved':
      return { result: 'proved', because: proof.because.map(jsonRule) };
    case 'refuted': {
      const { outcomes, needs } = proof.decision;
      return {
        result: 'refuted',
        exchange: exchangeRecord(proof.exchange),
        decision: { outcomes, needs, rules: proof.rules.map(jsonRule) },
      };
    }
    case 'unknown':
      return { result: 'unknown', reasons: proof.reasons };
  }
}

function jsonRule({ phase, index, name }: Rule): object {
  return { phase, number: index + 1, ...(name && { name: name.value }) };
}
