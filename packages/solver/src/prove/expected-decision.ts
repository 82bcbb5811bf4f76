import type { Expr, TypedAst } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import { type Claim, type Expectation, OUTCOMES, type Rule } from '@tollgate/policy';
import { labelOf } from './decision-values.ts';

/** The value of `decision` in invariants. */
export type DecisionValues = Readonly<Record<string, unknown>>;

/**
 * Returns what a policy test can expect of an exchange that violates a claim: the first change of the decision after which it no longer
 * does. Undefined if no change of one part suffices.
 */
export function expectedDecision(
  claim: Claim,
  values: DecisionValues,
  { rules, isViolated }: { readonly rules: readonly Rule[]; readonly isViolated: (values: DecisionValues) => boolean },
): Expectation | undefined {
  switch (claim.kind) {
    case 'unreachable':
      return { rules: { [keyOf(claim.rule, rules)]: 'not-matched' } };
    case 'never_fails':
      return { rules: { [keyOf(claim.rule, rules)]: 'matched' } };
    default: {
      const read = claim.kind === 'implies' ? [claim.when, claim.typed] : [claim.typed];
      const literals = read.flatMap(({ ast }: TypedAst) => literalsIn(ast.root));
      return changesOf(values, literals, rules).find(change => !isViolated({ ...values, ...change.values }))?.expected;
    }
  }
}

/** Returns a unique name of a rule for a policy test. */
function keyOf(rule: Rule, rules: readonly Rule[]): string {
  const name = rule.name?.value;
  const isUnique = rules.filter(other => other.name?.value === name).length === 1;
  return name !== undefined && isUnique ? name : `${rule.phase} ${rule.index + 1}`;
}

interface Change {
  readonly values: DecisionValues;
  readonly expected: Expectation;
}

function changesOf(values: DecisionValues, literals: readonly unknown[], rules: readonly Rule[]): readonly Change[] {
  const isAsked = values.reachesUpstream === true;
  const statuses = literals.filter(literal => typeof literal === 'bigint').map(Number);
  const kinds = (Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[]).filter(kind => kind !== values.outcome);
  const named = rules.filter(rule => literals.includes(labelOf(rule)) || literals.includes(rule.name?.value));
  return [
    { values: { reachesUpstream: !isAsked }, expected: { upstream: { asked: !isAsked } } },
    ...statuses.map(status => ({ values: { status }, expected: { status } })),
    ...kinds.map(kind => ({ values: { outcome: kind }, expected: { outcome: kind } })),
    ...named.map(rule => changeOfRule(rule, values, rules)),
  ];
}

function changeOfRule(rule: Rule, values: DecisionValues, rules: readonly Rule[]): Change {
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const [matched, names] = [list(values.rules), list(values.names)];
  const [label, name] = [labelOf(rule), rule.name?.value];
  const key = keyOf(rule, rules);
  if (matched.includes(label)) {
    const others = { rules: matched.filter(one => one !== label), names: names.filter(one => one !== name) };
    return { values: others, expected: { rules: { [key]: 'not-matched' } } };
  }
  const all = { rules: [...matched, label], names: name === undefined ? names : [...names, name] };
  return { values: all, expected: { rules: { [key]: 'matched' } } };
}

function literalsIn(expr: Expr): readonly unknown[] {
  if (expr.kind === 'literal') return [expr.literal.type === 'int' ? BigInt(expr.literal.value) : expr.literal.value];
  return childrenOf(expr).flatMap(literalsIn);
}
