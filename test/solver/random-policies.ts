import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments, type Policy } from '@tollgate/policy';
import fc from 'fast-check';
import { expect } from 'vitest';
import { SOLVER_CONDITIONS } from './solver-conditions.ts';

const TARGET = { profile: EDGE_V2, endpoint: 'https-route' } as const;

/** What the policies are written for. */
export const CONTEXT = { ...TARGET, environments: createPhaseEnvironments(EDGE_V2, TARGET.endpoint) };

/** A rule as written. */
export interface RuleDocument {
  readonly expressions: readonly string[];
  readonly actions: readonly { readonly type: string }[];
}

const ACTIONS = [
  ...[{ type: 'deny' }, { type: 'deny', config: { status_code: 403 } }, { type: 'deny' }, { type: 'deny' }],
  { type: 'log', config: { metadata: { a: '1' } } },
  { type: 'url-rewrite', config: { from: '/a', to: '/b' } },
  { type: 'add-headers', config: { headers: { X: '1' } } },
  { type: 'remove-headers', config: { headers: ['X'] } },
  { type: 'restrict-ips', config: { allow: ['10.0.0.0/8'] } },
];

function rulesOver(conditions: readonly string[]) {
  const atom = fc.constantFrom(...conditions);
  const pair = fc.tuple(atom, fc.constantFrom('&&', '||'), atom).map(([a, operator, b]) => `(${a}) ${operator} (${b})`);
  const negated = atom.map(one => `!(${one})`);
  const expressions = fc.array(fc.oneof({ arbitrary: atom, weight: 2 }, pair, negated), { minLength: 1, maxLength: 3 });
  return fc.record({ expressions, actions: fc.tuple(fc.constantFrom(...ACTIONS)) });
}

const FEW_CONDITIONS = fc.uniqueArray(fc.constantFrom(...SOLVER_CONDITIONS), { minLength: 2, maxLength: 6 });

/** Rules over few conditions, so that they are related. */
export const RULES: fc.Arbitrary<readonly RuleDocument[]> = FEW_CONDITIONS.chain(conditions =>
  fc.array(rulesOver(conditions), { minLength: 1, maxLength: 6 }),
);

/** Rules, and what an edit made of them: rules are moved, removed, added, or get another condition or action. */
export const EDITED_RULES: fc.Arbitrary<readonly [readonly RuleDocument[], readonly RuleDocument[]]> =
  FEW_CONDITIONS.chain(conditions => {
    const rule = rulesOver(conditions);
    const edit = fc.record({
      kind: fc.constantFrom('move', 'remove', 'add', 'condition', 'action'),
      at: fc.nat(5),
      to: fc.nat(5),
      rule,
    });
    const edits = fc.array(edit, { minLength: 1, maxLength: 2 });
    return fc
      .tuple(fc.array(rule, { minLength: 1, maxLength: 5 }), edits)
      .map(([rules, all]) => [rules, all.reduce(applyEdit, rules)] as const);
  });

interface Edit {
  readonly kind: string;
  readonly at: number;
  readonly to: number;
  readonly rule: RuleDocument;
}

function applyEdit(rules: RuleDocument[], { kind, at, to, rule }: Edit): RuleDocument[] {
  const here = at % Math.max(1, rules.length);
  const old = rules[here];
  if (kind === 'add' || old === undefined) return rules.toSpliced(here, 0, rule);
  if (kind === 'remove') return rules.toSpliced(here, 1);
  if (kind === 'condition') return rules.with(here, { ...old, expressions: rule.expressions });
  if (kind === 'action') return rules.with(here, { ...old, actions: rule.actions });
  return rules.toSpliced(here, 1).toSpliced(to % rules.length, 0, old);
}

/** Returns the analysed policy with these rules for requests. */
export function policyOf(rules: readonly RuleDocument[]): Policy {
  const text = JSON.stringify({ inbound: rules });
  const { policy, diagnostics } = analyzePolicy(new SourceText('policy.json', text), CONTEXT);
  const errors = diagnostics.flatMap(one => (one.severity === 'error' ? [one.message] : []));
  expect({ text, errors }).toEqual({ text, errors: [] });
  return policy!;
}
