// The mutants of a policy: copies with one small mistake, in the order of the document.

import type { ConfigField } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';
import { childrenOf, parseCidr, printLiteral } from '@tollgate/cel/tooling';
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

// Small mistakes in a condition, as edits of its source: those that people make and tests may miss.

/** An edit of the source of an expression that makes a mistake. */
interface SourceMutation {
  /** What kind of mistake it is: `condition dropped`. */
  readonly operator: string;
  /** In the expression. */
  readonly range: Range;
  readonly newText: string;
  /** The part that is left out, if that is all. */
  readonly left?: Range;
}

/** Returns the mistakes in an expression, in the order of its source. Some may have no type. */
function conditionMutations({ ast }: TypedAst, source: string): readonly SourceMutation[] {
  const found: SourceMutation[] = [];
  const textOf = ({ start, end }: Range) => source.slice(start, end);
  const add: Add = (operator, range, newText, left) => {
    if (range.start < range.end && textOf(range) !== newText)
      found.push({ operator, range, newText, ...(left && { left }) });
  };
  const visit = (expr: Expr, inList: boolean): void => {
    if (expr.kind === 'call') mutateCall(expr, textOf, add);
    if (expr.kind === 'literal') mutateLiteral(expr, { text: textOf(expr.range), inList, add });
    if (expr.kind === 'list') mutateList(expr, textOf, add);
    for (const child of childrenOf(expr)) visit(child, expr.kind === 'list');
  };
  visit(ast.root, false);
  // Macros are expanded in the tree, but not in the source.
  const strings = stringsIn(ast.root);
  for (const [written, name, other] of MACROS) {
    for (const { index } of source.matchAll(written)) {
      const start = index + 1;
      if (strings.some(range => range.start <= start && start < range.end)) continue;
      add('some or all', { start, end: start + name.length }, other);
    }
  }
  const whole = ast.root.range;
  add('negated', whole, `!(${textOf(whole)})`);
  const distinct = new Map(found.map(one => [applied(source, one), one]));
  return [...distinct.values()].toSorted((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

/** Returns the source with a mistake. */
function applied(source: string, { range: { start, end }, newText }: SourceMutation): string {
  return source.slice(0, start) + newText + source.slice(end);
}

type Add = (operator: string, range: Range, newText: string, left?: Range) => void;
type TextOf = (range: Range) => string;

/** Returns a string literal in the quotes of another one, if it needs no escapes. */
function quoted(written: string, value: string): string {
  const mark = written[0];
  return mark === "'" && /^[^'\\\n\r]*$/.test(value) ? `'${value}'` : printLiteral({ type: 'string', value });
}

const MACROS = [
  [/[.]exists[(]/g, 'exists', 'all'],
  [/[.]all[(]/g, 'all', 'exists'],
] as const;

function stringsIn(expr: Expr): readonly Range[] {
  const own = expr.kind === 'literal' && expr.literal.type === 'string' ? [expr.range] : [];
  return [...own, ...childrenOf(expr).flatMap(stringsIn)];
}

const COMPARISONS: Readonly<Record<string, readonly [sign: string, changed: readonly string[]]>> = {
  '_<_': ['<', ['<=']],
  '_<=_': ['<=', ['<']],
  '_>_': ['>', ['>=']],
  '_>=_': ['>=', ['>']],
  '_==_': ['==', ['!=']],
  '_!=_': ['!=', ['==']],
};

const TESTS: Readonly<Record<string, string>> = { startsWith: 'contains', endsWith: 'contains' };

function mutateCall(call: Extract<Expr, { kind: 'call' }>, textOf: TextOf, add: Add): void {
  const { function: name, functionRange, target, args, range } = call;
  const written = textOf(functionRange);
  if (name === '_&&_' || name === '_||_') {
    const sign = name === '_&&_' ? '&&' : '||';
    // A macro makes such nodes without writing them.
    if (written !== sign) return;
    add('operator', functionRange, sign === '&&' ? '||' : '&&');
    const what = sign === '&&' ? 'condition dropped' : 'alternative dropped';
    args.forEach((dropped, at) => {
      const rest = args.filter((__, index) => index !== at).map(one => textOf(one.range));
      add(what, range, rest.length === 1 ? rest[0]! : rest.join(` ${sign} `), dropped.range);
    });
    return;
  }
  if (name === '!_' && written === '!') {
    add('negation removed', range, `(${textOf(args[0]!.range)})`);
    return;
  }
  const comparison = COMPARISONS[name];
  if (comparison !== undefined && written === comparison[0]) {
    for (const sign of comparison[1]) add('comparison', functionRange, sign);
    const [left, right] = args as [Expr, Expr];
    const isText = right.kind === 'literal' && right.literal.type === 'string' && right.literal.value.startsWith('/');
    if (name === '_==_' && isText)
      add('== to startsWith', range, `${textOf(left.range)}.startsWith(${textOf(right.range)})`);
  }
  const test = TESTS[name];
  if (test !== undefined && target !== undefined && written === name) add(`${name} to ${test}`, functionRange, test);
  const [first, second] = args;
  if (/^(?:startsWith|endsWith)$/.test(name) && first?.kind === 'literal' && first.literal.type === 'string') {
    const { value } = first.literal;
    const shorter = name === 'startsWith' ? value.slice(0, -1) : value.slice(1);
    if (shorter !== '') add('literal shortened', first.range, quoted(textOf(first.range), shorter));
  }
  if (name === 'matches' && first?.kind === 'literal' && first.literal.type === 'string')
    for (const { pattern, dropped } of patternMutations(first.literal.value)) {
      const at = dropped === undefined ? -1 : textOf(first.range).indexOf(dropped);
      const left =
        at < 0 ? undefined : { start: first.range.start + at, end: first.range.start + at + dropped!.length };
      add('pattern', first.range, quoted(textOf(first.range), pattern), left);
    }
  const key = name === '_[_]' || name === '_[?_]' ? second : name === '@in' || /Header$/.test(name) ? first : undefined;
  if (key?.kind === 'literal' && key.literal.type === 'string' && /^[A-Z][\w-]*$/.test(key.literal.value))
    add('header name', key.range, quoted(textOf(key.range), `X-${key.literal.value}`));
}

function mutateLiteral(
  { literal, range }: Extract<Expr, { kind: 'literal' }>,
  { text, inList, add }: { readonly text: string; readonly inList: boolean; readonly add: Add },
): void {
  if (literal.type === 'int' && /^\d+$/.test(text) && !inList) {
    add('bound', range, String(BigInt(literal.value) + 1n));
    if (BigInt(literal.value) > 0n) add('bound', range, String(BigInt(literal.value) - 1n));
  }
  if (literal.type === 'string' && /^['"]/.test(text)) {
    const shorter = shorterPrefix(literal.value);
    if (shorter !== undefined) add('CIDR prefix', range, quoted(text, shorter));
  }
}

function mutateList({ elements, range }: Extract<Expr, { kind: 'list' }>, textOf: TextOf, add: Add): void {
  if (elements.length < 2 || textOf(range)[0] !== '[') return;
  elements.forEach((dropped, at) => {
    const rest = elements.filter((__, index) => index !== at).map(one => textOf(one.range));
    add('list element', range, `[${rest.join(', ')}]`, dropped.range);
  });
}

/** Returns a range of addresses that is twice as large; undefined for other strings. */
function shorterPrefix(text: string): string | undefined {
  const cidr = text.includes('/') ? parseCidr(text) : undefined;
  if (cidr === undefined || cidr.prefixLength === 0) return undefined;
  return text.replace(/\/\d+$/, `/${cidr.prefixLength - 1}`);
}

/** A pattern that matches a little more or less than another one. */
interface PatternMutation {
  readonly pattern: string;
  /** The alternative that is left out, if that is all. */
  readonly dropped?: string;
}

/** Returns patterns that match a little more or less. */
export function patternMutations(pattern: string): readonly PatternMutation[] {
  const found = [
    pattern.replace(/^((?:\(\?i\))?)(?:\^|\\A)/, '$1'),
    pattern.replace(/(?<!\\)(?:\$|\\z)$/, ''),
    pattern.startsWith('(?i)') ? pattern.slice(4) : `(?i)${pattern}`,
    pattern.replace(/\[[.]\]|\\[.]/, '.'),
    withoutClass(pattern),
    pattern.replace(/\{(\d+),/, (_, least: string) => `{${Math.max(0, Number(least) - 1)},`),
    pattern.replace(/(?<=[\])\w])\+/, '*'),
  ].map(one => ({ pattern: one }));
  const all = [...found, ...alternatives(pattern)];
  const distinct = new Map(all.map(one => [one.pattern, one]));
  return [...distinct.values()].filter(one => one.pattern !== pattern && one.pattern !== '');
}

/**
 * Returns true if two patterns certainly find the same in every string without line breaks, as URLs are: they differ in anchors next to `.*`, or in
 * case where nothing has one. What begins with `.*` is found at the start or not at all, and what ends with it goes on to the end.
 */
export function findsAlike(pattern: string, other: string): boolean {
  const [own, others] = [pattern, other].map(partsOf);
  if (own!.core !== others!.core || own!.core.includes('|')) return false;
  const { core } = own!;
  if (own!.ignoresCase !== others!.ignoresCase && /[^\x20-\x40[-`{-~]/.test(core)) return false;
  if (own!.start !== others!.start && !/^(?:\((?:\?:)?)*[.][*]/.test(core)) return false;
  return own!.end === others!.end || /(?<!\\)[.][*]\)*$/.test(core);
}

function partsOf(pattern: string) {
  const [, flag = '', start = '', core = '', end = ''] = /^(\(\?i\))?(\^|\\A)?(.*?)((?<!\\)\$|\\z)?$/s.exec(pattern)!;
  return { ignoresCase: flag !== '', start: start !== '', core, end: end !== '' };
}

/** Lets the first class of characters match any. */
function withoutClass(pattern: string): string {
  const start = pattern.indexOf('[');
  const end = pattern.indexOf(']', start + 2);
  return start < 0 || end < start + 3 || pattern[start - 1] === '\\'
    ? pattern
    : `${pattern.slice(0, start)}.${pattern.slice(end + 1)}`;
}

/** Drops each alternative of the first group of plain ones. */
function alternatives(pattern: string): readonly PatternMutation[] {
  for (let start = pattern.indexOf('('); start >= 0; start = pattern.indexOf('(', start + 1)) {
    const end = pattern.indexOf(')', start);
    const inner = pattern.slice(start + 1, end).replace(/^[?]:/, '');
    if (end < 0 || !inner.includes('|') || /[()[\]\\]/.test(inner)) continue;
    const [before, after] = [pattern.slice(0, end - inner.length), pattern.slice(end)];
    const words = inner.split('|');
    return words.map((dropped, at) => ({
      pattern: before + words.filter((_, index) => index !== at).join('|') + after,
      ...(dropped !== '' && { dropped }),
    }));
  }
  return [];
}
