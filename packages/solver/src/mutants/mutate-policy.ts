// The mutants of a policy: copies with one small mistake, in the order of the document.

import type { ConfigField } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import {
  type Action,
  checkExpression,
  documentRange,
  type Expression,
  entryOf,
  type PlainValue,
  type Policy,
  type Rule,
} from '@tollgate/policy';
import { mayBeAssumed } from '@tollgate/simulator';
import type { PolicyContext } from '../policy/session.ts';
import { applied, conditionMutations, patternMutations, shorterPrefix } from './mutate-condition.ts';

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

// Small mistakes in what an action does, by the types of its configuration.

/** Another configuration of an action. */
interface ConfigMutation {
  readonly operator: string;
  /** The key that differs. */
  readonly key: string;
  readonly config: Action['config'];
}

/** Returns the mistakes in the configuration of an action. What an opaque action is told decides nothing that a test can show. */
function configMutations({ type, fact, config }: Action): readonly ConfigMutation[] {
  if (mayBeAssumed(type.value) && type.value !== 'restrict-ips') return [];
  return (fact?.config ?? []).flatMap(field => {
    const { name } = field;
    const given = config[name] ?? (field.type.kind === 'bool' ? field.default : undefined);
    if (given === undefined || given === null) return [];
    const changed = valuesFor(field, given as PlainValue, type.value);
    return changed.map(([operator, value]) => ({ operator, key: name, config: { ...config, [name]: value } }));
  });
}

type Changed = readonly (readonly [operator: string, value: PlainValue])[];

function valuesFor({ name, type, role }: ConfigField, value: PlainValue, action: string): Changed {
  switch (type.kind) {
    case 'int': {
      if (typeof value !== 'number') return [];
      if (/status/.test(name)) return [['status', otherStatus(value)]];
      const near = action === 'rate-limit' ? [value + 1, value - 1] : [value + 1];
      return near.filter(one => one >= (type.min ?? 0)).map(one => ['bound', one] as const);
    }
    case 'bool':
      return typeof value === 'boolean' ? [['switch', !value]] : [];
    case 'choice': {
      const other = type.values.find(one => one !== value);
      return other === undefined || name === 'algorithm' ? [] : [['switch', other]];
    }
    case 'regex':
      return typeof value === 'string'
        ? patternMutations(value)
            .slice(0, MAX_PATTERNS)
            .map(one => ['pattern', one.pattern])
        : [];
    case 'list':
      return Array.isArray(value) ? listChanges(value) : [];
    case 'map':
      return mapChanges(value, action);
    case 'string':
    case 'url':
      return typeof value === 'string' && value !== '' && (role !== undefined || name === 'url')
        ? [['text', `${value}x`]]
        : [];
    default:
      return [];
  }
}

const MAX_PATTERNS = 3;
const MAX_ITEMS = 5;

function otherStatus(status: number): number {
  const [usual, other] =
    status >= 500 ? [503, 500] : status >= 400 ? [404, 403] : status >= 300 ? [302, 301] : [200, 201];
  return status === usual ? other : usual;
}

function listChanges(items: readonly PlainValue[]): Changed {
  const dropped: Changed =
    items.length < 2
      ? []
      : items.slice(0, MAX_ITEMS).map((_, at) => ['list element', items.filter((__, index) => index !== at)]);
  const wider = items.slice(0, MAX_ITEMS).flatMap((item, at): Changed => {
    const shorter = typeof item === 'string' ? shorterPrefix(item) : undefined;
    return shorter === undefined ? [] : [['CIDR prefix', items.with(at, shorter)]];
  });
  return [...dropped, ...wider];
}

/** Of headers, each value counts; of what is logged, one. */
function mapChanges(value: PlainValue, action: string): Changed {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const entries = Object.entries(value as Readonly<Record<string, PlainValue>>);
  const most = action === 'log' ? 1 : MAX_ITEMS;
  return entries.slice(0, most).flatMap(([key, member]): Changed => {
    const changed: Changed = typeof member === 'string' ? [['text', { ...value, [key]: `${member}x` }]] : [];
    // The header of an answer that is not named may have a default.
    if (action !== 'add-headers') return changed;
    const renamed = Object.fromEntries(entries.map(([name, one]) => [name === key ? `X-${name}` : name, one]));
    return [...changed, ['header name', renamed]];
  });
}
