// Conditions as clauses: each part of an expression becomes one statement, negations move into the statements, and statements about the
// same subject that differ in a value only are put together. Nothing is left out: what has no words is shown as code.

import { type CallExpr, type Expr, formatType, type Type, type TypedAst } from '@tollgate/cel';
import { comparatorOf, inputPathOf } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import {
  codeOf,
  codeSpan,
  entryOf,
  isPlural,
  presenceOf,
  statementOf,
  type Term,
  type TermContext,
  termOf,
  textIn,
} from './terms.ts';

/** A condition in words. */
export type Clause = Statement | { readonly kind: 'and' | 'or'; readonly clauses: readonly Clause[] };

/** One statement: `the path starts with \`/admin/\``. */
export interface Statement {
  readonly kind: 'statement';
  /** In the source of the expression. */
  readonly range: Range;
  readonly subject: string;
  readonly verb: Verb;
  /** What the verb is about, in words; several are alternatives. */
  readonly values: readonly string[];
  readonly holds: boolean;
  /** Whether a part of it is shown as code, because there are no words for it. */
  readonly isCode: boolean;
}

/** The verbs of statements: as it holds, as it does not, and before `none of`. */
const VERBS = {
  says: ['', '', ''],
  is: ['is', 'is not', 'is'],
  starts: ['starts with', 'does not start with', 'starts with'],
  ends: ['ends with', 'does not end with', 'ends with'],
  contains: ['contains', 'does not contain', 'contains'],
  matches: ['contains a match of', 'contains no match of', 'contains a match of'],
  matchesAnyCase: [
    'contains a case-insensitive match of',
    'contains no case-insensitive match of',
    'contains a case-insensitive match of',
  ],
  within: ['is in', 'is outside', 'is in'],
  has: ['has the value', 'does not have the value', 'has the value'],
  hasEntry: ['has an entry', 'has no entry', 'has an entry'],
  before: ['is before', 'is not before', ''],
  after: ['is after', 'is not after', ''],
  atOrBefore: ['is at or before', 'is not at or before', ''],
  atOrAfter: ['is at or after', 'is not at or after', ''],
  less: ['is less than', 'is not less than', ''],
  greater: ['is greater than', 'is not greater than', ''],
  atMost: ['is at most', 'is not at most', ''],
  atLeast: ['is at least', 'is not at least', ''],
  empty: ['is empty', 'is not empty', ''],
  empties: ['has no value', 'has a value', ''],
  present: ['is present', 'is absent', ''],
  true: ['is true', 'is false', ''],
  holds: ['holds', 'does not hold', ''],
  private: ['is a private address', 'is not a private address', ''],
  url: ['is a URL', 'is not a URL', ''],
  json: ['is JSON', 'is not JSON', ''],
  queryString: ['is a query string', 'is not a query string', ''],
} as const satisfies Readonly<Record<string, readonly [string, string, string]>>;

type Verb = keyof typeof VERBS;

const COMPARATORS: Readonly<Record<string, readonly [Verb, boolean]>> = {
  '==': ['is', true],
  '!=': ['is', false],
  '<': ['less', true],
  '>': ['greater', true],
  '<=': ['atMost', true],
  '>=': ['atLeast', true],
};

const OF_TIMES: Readonly<Partial<Record<Verb, Verb>>> = {
  less: 'before',
  greater: 'after',
  atMost: 'atOrBefore',
  atLeast: 'atOrAfter',
};

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

const STRING_TESTS: Readonly<Record<string, Verb>> = { startsWith: 'starts', endsWith: 'ends', contains: 'contains' };

const KINDS: Readonly<Record<string, Verb>> = {
  isPrivateIp: 'private',
  isURL: 'url',
  isJson: 'json',
  isQueryString: 'queryString',
};

/** Returns what a condition says. */
export function clauseOf(typed: TypedAst): Clause {
  return clausesOf([typed])[0]!;
}

/** Returns what each of several conditions says, of which all must hold. */
export function clausesOf(all: readonly TypedAst[]): readonly Clause[] {
  const contexts = all.map((typed): TermContext => ({ typed, locals: new Map(), guarded: new Set() }));
  const conjuncts = contexts.flatMap(context =>
    operandsOf(context.typed.ast.root, '_&&_').flatMap(one => presentIf(one, true, context)),
  );
  const guarded = new Set(conjuncts);
  return contexts.map(context => clause(context.typed.ast.root, true, { ...context, guarded }));
}

function clause(expr: Expr, holds: boolean, context: TermContext): Clause {
  if (expr.kind === 'call' && !context.typed.ast.macroCalls.has(expr.id)) {
    const [first] = expr.args;
    if (expr.function === '!_' && first) return clause(first, !holds, context);
    if (expr.function === '_&&_' || expr.function === '_||_') {
      const kind = (expr.function === '_&&_') === holds ? 'and' : 'or';
      return junction(kind, operandsOf(expr, expr.function), holds, context);
    }
  }
  return statement(expr, holds, context) ?? code(expr, holds, context);
}

/** `a && b && c` as one list. */
function operandsOf(expr: Expr, operator: string): readonly Expr[] {
  return expr.kind === 'call' && expr.function === operator
    ? expr.args.flatMap(one => operandsOf(one, operator))
    : [expr];
}

function junction(kind: 'and' | 'or', exprs: readonly Expr[], holds: boolean, context: TermContext): Clause {
  // In `'x' in headers && headers['x'] …` and in `!('x' in headers) || headers['x'] …`, the header is present where it is read.
  const present = exprs.flatMap(one => presentIf(one, kind === 'and' ? holds : !holds, context));
  const within = {
    ...context,
    guarded: { has: (entry: string) => present.includes(entry) || context.guarded.has(entry) },
  };
  const parts = exprs.flatMap(one => {
    const made = clause(one, holds, within);
    return made.kind === kind ? made.clauses : [made];
  });
  const merged: Clause[] = [];
  for (const next of parts) {
    const last = merged.at(-1);
    const put = last && together(last, next, kind);
    if (put) merged[merged.length - 1] = put;
    else merged.push(next);
  }
  return merged.length === 1 ? merged[0]! : { kind, clauses: merged };
}

/** Returns the entries that are present if an expression has this value. */
function presentIf(expr: Expr, value: boolean, context: TermContext): readonly string[] {
  const { typed } = context;
  if (expr.kind === 'select') {
    const entry = expr.testOnly ? entryOf(expr.operand, expr.field, context) : undefined;
    return value && entry !== undefined ? [entry] : [];
  }
  const macro = typed.ast.macroCalls.get(expr.id);
  const key = macro && oneKeyOf(macro, context);
  if (key !== undefined) return value ? [key] : [];
  if (expr.kind !== 'call' || macro !== undefined) return [];
  const [first] = expr.args;
  if (expr.function === '!_' && first) return presentIf(first, !value, context);
  const entry = presenceOf(expr) ?? entryIn(expr, context);
  return value && entry !== undefined ? [entry] : [];
}

/** `'x' in req.headers`. */
function entryIn({ function: name, args }: CallExpr, context: TermContext): string | undefined {
  const [key, map] = args;
  const text = name === '@in' ? textIn(key) : undefined;
  return text === undefined || map === undefined ? undefined : entryOf(map, text, context);
}

/** Verbs with several values, which are alternatives. `has the value` has no words for none of several. */
const MERGED: ReadonlySet<Verb> = new Set(['is', 'starts', 'ends', 'contains', 'within', 'has']);

/** Puts two statements about one subject together: `is \`a\` or \`b\``, `is none of …`. */
function together(one: Clause, other: Clause, kind: 'and' | 'or'): Statement | undefined {
  if (one.kind !== 'statement' || other.kind !== 'statement') return undefined;
  if (one.subject !== other.subject || one.verb !== other.verb || !MERGED.has(one.verb)) return undefined;
  const isSame = one.holds === other.holds && one.holds === (kind === 'or') && (one.holds || one.verb !== 'has');
  // In `x == a || x == b`, one may fail, and in `x in [a, b]` none.
  if (![...one.values, ...other.values].every(text => /^[`\d-]/.test(text))) return undefined;
  // Some value is not `a`, and some value is not `b`: not necessarily the same one.
  const quantifier = /^(?:some|every|no) value /.exec(one.subject)?.[0];
  if (!isSame || (quantifier !== undefined && quantifier !== (kind === 'or' ? 'some value ' : 'every value ')))
    return undefined;
  return {
    ...one,
    range: { start: Math.min(one.range.start, other.range.start), end: Math.max(one.range.end, other.range.end) },
    values: [...one.values, ...other.values],
    isCode: one.isCode || other.isCode,
  };
}

function code(expr: Expr, holds: boolean, context: TermContext): Statement {
  const subject = `the condition ${codeOf(expr, context)}`;
  return { kind: 'statement', range: expr.range, subject, verb: 'holds', values: [], holds, isCode: true };
}

function statement(expr: Expr, holds: boolean, context: TermContext): Clause | undefined {
  const { typed } = context;
  const says = (subject: string): Statement => ({
    ...of(expr, holds),
    subject,
    verb: 'says',
    values: [],
    isCode: false,
  });
  if (expr.kind === 'literal' && expr.literal.type === 'bool')
    return says(expr.literal.value === holds ? 'always' : 'never');
  const path = inputPathOf(typed, expr);
  const own = path === undefined ? undefined : statementOf(path, holds);
  if (own !== undefined) return says(own);
  if (expr.kind === 'select' && expr.testOnly) {
    const entry = entryOf(expr.operand, expr.field, context);
    const { text, isCode } = termOf({ ...expr, testOnly: false }, context);
    return {
      ...of(expr, holds),
      subject: entry ?? text,
      verb: 'present',
      values: [],
      isCode: entry === undefined && isCode,
    };
  }
  if (expr.kind === 'comprehension' || typed.ast.macroCalls.has(expr.id)) {
    const written = typed.ast.macroCalls.get(expr.id);
    return written && quantified(written, expr, holds, context);
  }
  if (expr.kind === 'call') {
    const found = called(expr, holds, context);
    if (found !== undefined) return found;
  }
  const { text, isCode } = termOf(expr, context);
  return isCode ? undefined : { ...of(expr, holds), subject: text, verb: 'true', values: [], isCode };
}

function of({ range }: Expr, holds: boolean) {
  return { kind: 'statement', range, holds } as const;
}

function called(call: CallExpr, holds: boolean, context: TermContext): Statement | undefined {
  const entry = presenceOf(call) ?? entryIn(call, context);
  if (entry !== undefined) return { ...of(call, holds), subject: entry, verb: 'present', values: [], isCode: false };
  const { function: name, target, args } = call;
  const [first, second] = args;
  const about = (subject: Term, verb: Verb, values: readonly Term[], isTrue = holds): Statement => ({
    ...of(call, isTrue),
    subject: subject.text,
    verb,
    values: values.map(({ text }) => text),
    isCode: subject.isCode || values.some(({ isCode }) => isCode),
  });
  const comparator = comparatorOf(call);
  if (comparator && first && second) return compared(comparator, first, second, holds, context, about);
  if (name === '@in' && first && second) return contained(first, second, context, about);
  if (target && first && args.length === 1) {
    const verb = STRING_TESTS[name];
    if (verb !== undefined) return about(termOf(target, context), verb, [termOf(first, context)]);
    if (name === 'matches') return matching(target, first, context, about);
  }
  if (name === 'matches' && first && second && !target) return matching(first, second, context, about);
  if (!target && first && args.length === 1 && Object.hasOwn(KINDS, name))
    return about(termOf(first, context), KINDS[name]!, []);
  if ((name === 'inCidrRange' || name === 'inCidrRanges') && first && second) {
    const ranges = second.kind === 'list' ? second.elements : [second];
    if (name === 'inCidrRanges' && (second.kind !== 'list' || ranges.length === 0)) return undefined;
    return about(
      termOf(first, context),
      'within',
      ranges.map(one => termOf(one, context)),
    );
  }
  return undefined;
}

type About = (subject: Term, verb: Verb, values: readonly Term[], isTrue?: boolean) => Statement;

function compared(
  comparator: string,
  first: Expr,
  second: Expr,
  holds: boolean,
  context: TermContext,
  about: About,
): Statement | undefined {
  const isMirrored = first.kind === 'literal' && second.kind !== 'literal';
  const [left, right] = isMirrored ? [second, first] : [first, second];
  const [verb, isPositive] = COMPARATORS[isMirrored ? (MIRRORED[comparator] ?? comparator) : comparator]!;
  const isTrue = isPositive === holds;
  const subject = termOf(left, context);
  if (left.kind === 'literal') return undefined;
  const sized = emptied(left, comparator, right, isMirrored, context);
  if (sized) return about(termOf(sized.of, context), 'empties', [], sized.isEmpty === holds);
  if (verb === 'is' && textIn(right) === '') return about(subject, 'empty', [], isTrue);
  if (verb === 'is' && right.kind === 'literal' && right.literal.type === 'bool')
    return statementOfBool(left, right.literal.value === isTrue, context, about);
  const isTime = [left, right].some(one => isTimestamp(context.typed.types[one.id]));
  return about(subject, (isTime ? OF_TIMES[verb] : undefined) ?? verb, [termOf(right, context)], isTrue);
}

/** `size(values) == 0`, `size(values) > 0`. */
function emptied(left: Expr, comparator: string, right: Expr, isMirrored: boolean, { typed }: TermContext) {
  const list = left.kind === 'call' && left.function === 'size' ? (left.target ?? left.args[0]) : undefined;
  if (list === undefined || isMirrored || typed.types[list.id]?.kind !== 'list') return undefined;
  if (right.kind !== 'literal' || right.literal.type !== 'int' || right.literal.value !== 0) return undefined;
  if (comparator === '==') return { of: list, isEmpty: true };
  return comparator === '!=' || comparator === '>' ? { of: list, isEmpty: false } : undefined;
}

function isTimestamp(type: Type | undefined): boolean {
  return type !== undefined && formatType(type) === 'timestamp';
}

/** `x == true`. */
function statementOfBool(expr: Expr, value: boolean, context: TermContext, about: About): Statement {
  const path = inputPathOf(context.typed, expr);
  const own = path === undefined ? undefined : statementOf(path, value);
  return own === undefined
    ? about(termOf(expr, context), 'true', [], value)
    : about({ text: own, isCode: false }, 'says', [], value);
}

function contained(item: Expr, whole: Expr, context: TermContext, about: About): Statement | undefined {
  if (whole.kind === 'list') {
    if (whole.optionalIndices.length > 0 || whole.elements.length === 0) return undefined;
    const values = whole.elements.map(one => termOf(one, context));
    return item.kind === 'literal' ? undefined : about(termOf(item, context), 'is', values);
  }
  const subject = termOf(whole, context);
  const type = context.typed.types[whole.id];
  return about(subject, type?.kind === 'map' ? 'hasEntry' : 'has', [termOf(item, context)]);
}

function matching(subject: Expr, pattern: Expr, context: TermContext, about: About): Statement | undefined {
  const text = textIn(pattern);
  if (text === undefined) return undefined;
  const anyCase = /^\(\?i\)(?!$)/.test(text);
  const shown = anyCase ? text.slice('(?i)'.length) : text;
  return about(termOf(subject, context), anyCase ? 'matchesAnyCase' : 'matches', [
    { text: codeSpan(shown), isCode: false },
  ]);
}

/** `list.exists(v, …)` and `list.all(v, …)`. */
function quantified(call: CallExpr, expr: Expr, holds: boolean, context: TermContext): Clause | undefined {
  const { function: name, target, args } = call;
  const [variable, body] = args;
  const entry = oneKeyOf(call, context);
  if (entry !== undefined)
    return { kind: 'statement', range: expr.range, subject: entry, verb: 'present', values: [], holds, isCode: false };
  if ((name !== 'exists' && name !== 'all') || !target || variable?.kind !== 'ident' || !body || args.length !== 2)
    return undefined;
  const isSome = (name === 'exists') === holds;
  if (target.kind === 'list')
    return alternatives(target, variable.name, body, { isSome, holds, range: expr.range, context });
  const itself = `the value \`${variable.name}\``;
  const inner = clause(body, name === 'exists' ? true : holds, {
    ...context,
    locals: new Map([...context.locals, [variable.name, itself]]),
  });
  const { text, isCode } = termOf(target, context);
  // No value is …, rather than each value is not …; some value is not …, rather than not every value is.
  const quantifier = name === 'exists' ? (holds ? 'some' : 'no') : holds ? 'every' : 'some';
  if (inner.kind === 'statement' && inner.subject === itself && !inner.values.some(one => one.includes(itself)))
    return { ...inner, range: expr.range, subject: `${quantifier} value of ${text}`, isCode: isCode || inner.isCode };
  const words = textOf(inner);
  return {
    kind: 'statement',
    range: expr.range,
    subject: `for ${quantifier} value \`${variable.name}\` of ${text}, (${words})`,
    verb: 'says',
    values: [],
    holds: true,
    isCode: isCode || hasCode(inner),
  };
}

/** `headers.exists_one(name, name == 'x')`: the keys of a map differ, so this asks whether there is such an entry. */
function oneKeyOf(
  { function: name, target, args: [variable, body] }: CallExpr,
  context: TermContext,
): string | undefined {
  if (name !== 'exists' && name !== 'exists_one') return undefined;
  if (!target || context.typed.types[target.id]?.kind !== 'map') return undefined;
  if (variable?.kind !== 'ident' || body?.kind !== 'call' || body.function !== '_==_') return undefined;
  const [left, right] = body.args;
  const key = left?.kind === 'ident' && left.name === variable.name ? textIn(right) : undefined;
  return key === undefined ? undefined : entryOf(target, key, context);
}

interface Alternatives {
  readonly isSome: boolean;
  readonly holds: boolean;
  readonly range: Range;
  readonly context: TermContext;
}

/** `['/a', '/b'].exists(p, path.startsWith(p))`: the path starts with `/a` or `/b`. */
function alternatives(
  list: Extract<Expr, { kind: 'list' }>,
  variable: string,
  body: Expr,
  { isSome, holds, range, context }: Alternatives,
): Clause | undefined {
  const itself = `the value \`${variable}\``;
  if (list.elements.length === 0 || list.elements.some(one => one.kind !== 'literal')) return undefined;
  const inner = clause(body, holds, { ...context, locals: new Map([...context.locals, [variable, itself]]) });
  if (inner.kind !== 'statement' || !MERGED.has(inner.verb) || inner.subject.includes(itself)) return undefined;
  if (inner.values.length !== 1 || inner.values[0] !== itself || inner.holds !== isSome) return undefined;
  return { ...inner, range, values: list.elements.map(one => termOf(one, context).text) };
}

/** Returns true if a part of a clause is shown as code, because there are no words for it. */
export function hasCode(clause: Clause): boolean {
  return clause.kind === 'statement' ? clause.isCode : clause.clauses.some(hasCode);
}

/** Returns a clause as text. */
export function textOf(clause: Clause): string {
  return phrasesOf(clause)
    .map(({ text }) => text)
    .join('');
}

/** A part of a sentence; the words of a statement have its range in the source of the expression. */
export interface Phrase {
  readonly text: string;
  readonly range?: Range;
  readonly isCode?: boolean;
}

/** Returns the phrases of a clause. Alternatives within a list of conditions are in parentheses, and the other way round. */
export function phrasesOf(clause: Clause): readonly Phrase[] {
  if (clause.kind === 'statement') return [{ text: wordsOf(clause), range: clause.range, isCode: clause.isCode }];
  const { kind, clauses } = clause;
  const parts = clauses.map((one): readonly Phrase[] =>
    one.kind === 'statement' ? phrasesOf(one) : [{ text: '(' }, ...phrasesOf(one), { text: ')' }],
  );
  const isLong = parts.length > 2 || parts.some(part => part.some(({ text }) => text.includes(', ')));
  return parts.flatMap((part, index) => {
    if (index === 0) return part;
    const isLast = index === parts.length - 1;
    return [{ text: isLast ? `${isLong ? ',' : ''} ${kind} ` : ', ' }, ...part];
  });
}

function wordsOf({ subject, verb, values, holds }: Statement): string {
  const [yes, no, before] = VERBS[verb].map(words => (isPlural(subject) ? plural(words) : words)) as [
    string,
    string,
    string,
  ];
  if (values.length === 0) return verb === 'says' ? subject : `${subject} ${holds ? yes : no}`;
  if (values.length === 1) return `${subject} ${holds ? yes : no} ${values[0]}`;
  if (holds) return `${subject} ${yes} ${listed(values, 'or')}`;
  if (values.length === 2) return `${subject} ${before} neither ${values[0]} nor ${values[1]}`;
  return `${subject} ${before} none of ${listed(values, 'and')}`;
}

const WHOLE: Readonly<Record<string, string>> = {
  'has the value': 'include',
  'does not have the value': 'do not include',
  'has no value': 'have no value',
};

const PLURALS: Readonly<Record<string, string>> = {
  is: 'are',
  has: 'have',
  does: 'do',
  starts: 'start',
  ends: 'end',
  contains: 'contain',
};

/** `is not` as `are not`. */
function plural(words: string): string {
  return WHOLE[words] ?? words.replace(/^\w+/, verb => PLURALS[verb] ?? verb);
}

function listed(values: readonly string[], word: string): string {
  return `${values.slice(0, -1).join(', ')} ${word} ${values.at(-1)}`;
}
