// The mutants of a policy: copies with one small mistake, in the order of the document.

import type { Range } from '@tollgate/diagnostics';
import { checkExpression, documentRange, type Expression, entryOf, type Policy, type Rule } from '@tollgate/policy';
import type { PolicyContext } from '../policy/session.ts';
import { configMutations } from './mutate-action.ts';
import { applied, conditionMutations } from './mutate-condition.ts';

/** A copy of a policy with one mistake. */
export interface Mutant {
  /** The same in each run: `inbound 2: startsWith to contains (3)`. */
  readonly id: string;
  readonly operator: string;
  /** What is mutated, in the document of the policy. */
  readonly range: Range;
  /** What is there, and what the mutant has instead; empty if it is removed. */
  readonly original: string;
  readonly mutated: string;
  /** The position of the rule among the rules of all phases. */
  readonly rule: number;
  /** `condition`: the rule matches other traffic; `actions`: it does something else; `order`: the next rule runs before it. */
  readonly kind: 'condition' | 'actions' | 'order';
  readonly policy: Policy;
  /** The rule as it is in the mutant. */
  readonly changed: Rule;
}

/** Returns the mutants of a policy without errors. Those that would have an error are left out. */
export function mutantsOf(policy: Policy, { profile, endpoint, environments }: PolicyContext): readonly Mutant[] {
  const found: Mutant[] = [];
  const all = profile.phases.flatMap(phase => policy.rules[phase]);
  const known = new Map<string, number>();
  for (const [position, rule] of all.entries()) {
    const { phase, index, expressions, actions } = rule;
    const context = { profile, environment: environments[phase], place: { endpoint, phase } };
    const add = (mutation: Mutation) => {
      const { operator, changed, kind = 'condition' } = mutation;
      const rules = policy.rules[phase];
      const next = rules[index + 1];
      const mutated =
        kind === 'order'
          ? rules.with(index, { ...next!, index }).with(index + 1, { ...rule, index: index + 1 })
          : rules.with(index, changed);
      const name = `${phase} ${index + 1}: ${operator}`;
      const number = (known.get(name) ?? 0) + 1;
      known.set(name, number);
      found.push({
        ...{ id: `${name} (${number})`, operator, range: mutation.range, rule: position, kind, changed },
        ...{ original: mutation.original, mutated: mutation.mutated },
        policy: { ...policy, rules: { ...policy.rules, [phase]: mutated } },
      });
    };
    const whole = rule.name?.range ?? { start: rule.range.start, end: rule.range.start };
    const never = constant('false', expressions[0], context);
    if (never !== undefined)
      add({
        operator: 'rule removed',
        range: whole,
        original: 'the rule',
        mutated: '',
        changed: { ...rule, expressions: [never] },
      });
    const next = policy.rules[phase][index + 1];
    if (next !== undefined)
      add({
        operator: 'rules swapped',
        range: whole,
        original: 'the rule',
        mutated: 'after the next one',
        changed: rule,
        kind: 'order',
      });
    for (const [at, expression] of expressions.entries()) addConditions(rule, { at, expression, context, add });
    for (const [at, action] of actions.entries()) {
      const place = action.type.range;
      const rest = actions.filter((_, other) => other !== at);
      if (rest.length > 0)
        add({
          operator: 'action removed',
          range: place,
          original: action.type.value,
          mutated: '',
          changed: { ...rule, actions: rest },
          kind: 'actions',
        });
      for (const { operator, key, config } of configMutations(action)) {
        const node = action.configNode && entryOf(action.configNode, key);
        add({
          ...{ operator, range: node?.value.range ?? place, kind: 'actions' },
          original: `${key}: ${shown(action.config[key])}`,
          mutated: `${key}: ${shown(config[key])}`,
          changed: { ...rule, actions: actions.with(at, { ...action, config }) },
        });
      }
    }
  }
  return found;
}

interface Mutation extends Pick<Mutant, 'operator' | 'range' | 'original' | 'mutated' | 'changed'> {
  readonly kind?: Mutant['kind'];
}

type Context = Parameters<typeof checkExpression>[1];

interface MutatedExpression {
  readonly at: number;
  readonly expression: Expression;
  readonly context: Context;
  readonly add: (mutation: Mutation) => void;
}

function addConditions(rule: Rule, { at, expression, context, add }: MutatedExpression): void {
  const { expressions } = rule;
  const { source, text, typed } = expression;
  const whole = { start: 0, end: source.length };
  if (expressions.length > 1) {
    const rest = expressions.filter((_, other) => other !== at);
    const range = documentRange(text, whole);
    add({
      operator: 'condition dropped',
      range,
      original: source,
      mutated: '',
      changed: { ...rule, expressions: rest },
    });
  }
  for (const mutation of conditionMutations(typed!, source)) {
    const changed = checked(applied(source, mutation), expression, context);
    if (changed === undefined) continue;
    const shownRange = mutation.left ?? mutation.range;
    add({
      operator: mutation.operator,
      range: documentRange(text, shownRange),
      original: source.slice(shownRange.start, shownRange.end),
      mutated: mutation.left === undefined ? mutation.newText : '',
      changed: { ...rule, expressions: expressions.with(at, changed) },
    });
  }
}

/** Returns the expression with another source; undefined if that has an error or is not a condition. */
function checked(source: string, model: Expression, context: Context): Expression | undefined {
  const { typed } = checkExpression(source, context);
  return typed?.resultType.kind === 'bool' || typed?.resultType.kind === 'dyn'
    ? { ...model, source, typed }
    : undefined;
}

/** Rules without conditions have no model of one; nothing reads where it is. */
function constant(source: string, model: Expression | undefined, context: Context): Expression | undefined {
  const range = { start: 0, end: 0 };
  const text = { value: source, range, pieces: [] };
  return checked(source, model ?? { source, range, text, typed: undefined }, context);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
