import { EDGE_V2, MODERN, type Phase } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments, type Policy } from '@tollgate/policy';
import type { PolicyContext } from '@tollgate/solver';
import fc from 'fast-check';
import { expect } from 'vitest';
import { MODERN_CONDITIONS } from '../lint/whole-exchanges.ts';
import { RICH_CONDITIONS, SOLVER_CONDITIONS } from './solver-conditions.ts';

/** What policies are written for, and how. */
export interface Dialect {
  readonly context: PolicyContext;
  readonly phase: Phase;
  readonly conditions: readonly string[];
  readonly actions: readonly { readonly type: string; readonly config?: object }[];
}

/** What the policies are written for. */
export const CONTEXT: PolicyContext = {
  ...{ profile: EDGE_V2, endpoint: 'https-route' },
  environments: createPhaseEnvironments(EDGE_V2, 'https-route'),
};

/** A rule as written. */
export interface RuleDocument {
  readonly expressions: readonly string[];
  readonly actions: readonly { readonly type: string; readonly config?: object }[];
}

const ACTIONS = [
  ...[{ type: 'deny' }, { type: 'deny', config: { status_code: 403 } }, { type: 'deny' }, { type: 'deny' }],
  { type: 'log', config: { metadata: { a: '1' } } },
  { type: 'url-rewrite', config: { from: '/a', to: '/b' } },
  { type: 'add-headers', config: { headers: { X: '1' } } },
  { type: 'remove-headers', config: { headers: ['X'] } },
  { type: 'restrict-ips', config: { allow: ['10.0.0.0/8'] } },
];

/** Policies of the oldest profile. */
export const OLDEST: Dialect = { context: CONTEXT, phase: 'inbound', conditions: SOLVER_CONDITIONS, actions: ACTIONS };

/** Policies of the modern profile, whose conditions relate several values, and compute values from others. */
export const RICH: Dialect = {
  context: {
    ...{ profile: MODERN, endpoint: 'http-endpoint' },
    environments: createPhaseEnvironments(MODERN, 'http-endpoint'),
  },
  phase: 'on_http_request',
  conditions: [...MODERN_CONDITIONS, ...RICH_CONDITIONS, ...RICH_CONDITIONS],
  actions: [
    ...[{ type: 'deny' }, { type: 'deny', config: { status_code: 401 } }, { type: 'deny' }],
    { type: 'custom-response', config: { status_code: 404 } },
    { type: 'redirect', config: { to: 'https://e.co/x' } },
    { type: 'log', config: { metadata: { a: '1' } } },
    { type: 'url-rewrite', config: { from: '/a', to: '/b' } },
    { type: 'add-headers', config: { headers: { x: '1' } } },
    { type: 'remove-headers', config: { headers: ['x'] } },
    { type: 'restrict-ips', config: { enforce: true, allow: ['10.0.0.0/8'] } },
    { type: 'forward-internal', config: { url: 'https://a.internal' } },
  ],
};

function rulesOver(conditions: readonly string[], actions: Dialect['actions']) {
  const atom = fc.constantFrom(...conditions);
  const pair = fc.tuple(atom, fc.constantFrom('&&', '||'), atom).map(([a, operator, b]) => `(${a}) ${operator} (${b})`);
  const negated = atom.map(one => `!(${one})`);
  const expressions = fc.array(fc.oneof({ arbitrary: atom, weight: 2 }, pair, negated), { minLength: 1, maxLength: 3 });
  return fc.record({ expressions, actions: fc.tuple(fc.constantFrom(...actions)) });
}

function fewOf(conditions: readonly string[]) {
  return fc.uniqueArray(fc.constantFrom(...conditions), { minLength: 2, maxLength: 6 });
}

/** Rules over few conditions, so that they are related. */
export const RULES: fc.Arbitrary<readonly RuleDocument[]> = relatedRules(SOLVER_CONDITIONS);

/** Returns rules over a few of these conditions. */
export function relatedRules(
  conditions: readonly string[],
  actions: Dialect['actions'] = ACTIONS,
): fc.Arbitrary<readonly RuleDocument[]> {
  return fewOf(conditions).chain(few => fc.array(rulesOver(few, actions), { minLength: 1, maxLength: 6 }));
}

/** Policies of the modern profile, whose actions have expressions in their configuration, search the URL, or depend on chance. */
export const FILLING: Dialect = {
  ...RICH,
  conditions: [...MODERN_CONDITIONS, 'rand.double() < 0.5'],
  actions: [
    { type: 'deny' },
    { type: 'redirect', config: { to: 'https://e.co/x' } },
    { type: 'redirect', config: { from: '/a', to: '/b' } },
    { type: 'redirect', config: { from: '^http://(.*)', to: 'https://$1' } },
    { type: 'redirect', config: { from: 'b+', to: 'b' } },
    { type: 'url-rewrite', config: { from: '/a', to: '/b' } },
    { type: 'custom-response', config: { status_code: 404, content: 'no ${req.url.path} for ${req.headers["x"][0]}' } },
    { type: 'add-headers', config: { headers: { y: '${req.method}', x: '${req.url.query_params["q"][0]}' } } },
    { type: 'log', config: { metadata: { a: '${int(req.headers["y"][0])}', b: '${rand.int(1, 6)}' } } },
    { type: 'remove-headers', config: { headers: ['x'] } },
  ],
};

/** Rules of such policies. */
export const FILLING_RULES: fc.Arbitrary<readonly RuleDocument[]> = relatedRules(FILLING.conditions, FILLING.actions);

/** Rules, and what an edit made of them: rules are moved, swapped, removed, added, or get another condition or action. */
export function editedRules({
  conditions: all,
  actions,
}: Dialect): fc.Arbitrary<readonly [readonly RuleDocument[], readonly RuleDocument[]]> {
  return fewOf(all).chain(conditions => {
    const rule = rulesOver(conditions, actions);
    const edit = fc.record({
      kind: fc.constantFrom('move', 'swap', 'remove', 'add', 'condition', 'action'),
      at: fc.nat(5),
      to: fc.nat(5),
      rule,
    });
    const edits = fc.array(edit, { minLength: 1, maxLength: 2 });
    return fc
      .tuple(fc.array(rule, { minLength: 1, maxLength: 5 }), edits)
      .map(([rules, changes]) => [rules, changes.reduce(applyEdit, rules)] as const);
  });
}

/** As {@link editedRules}, in the oldest profile. */
export const EDITED_RULES = editedRules(OLDEST);

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
  if (kind === 'swap') return rules.with(here, rules[to % rules.length]!).with(to % rules.length, old);
  return rules.toSpliced(here, 1).toSpliced(to % rules.length, 0, old);
}

/** Returns the analysed policy with these rules for requests. */
export function policyOf(rules: readonly RuleDocument[], { context, phase }: Dialect = OLDEST): Policy {
  const text = JSON.stringify({ [phase]: rules });
  const { policy, diagnostics } = analyzePolicy(new SourceText('policy.json', text), context);
  const errors = diagnostics.flatMap(one => (one.severity === 'error' ? [one.message] : []));
  expect({ text, errors }).toEqual({ text, errors: [] });
  return policy!;
}
