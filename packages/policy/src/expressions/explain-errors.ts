import { type EvaluationContext, type Profile, variablesAt } from '@tollgate/catalog';
import {
  BOOL,
  BYTES,
  type CallExpr,
  DOUBLE,
  DURATION,
  DYN,
  type Environment,
  type Expr,
  formatType,
  INT,
  listOf,
  mapOf,
  NULL,
  objectType,
  optionalOf,
  parse,
  STRING,
  TIMESTAMP,
  type Type,
  type TypedAst,
  UINT,
  wrapperOf,
} from '@tollgate/cel';
import { childrenOf, literalString, type PlacedOperator, placedOperator } from '@tollgate/cel/tooling';
import { type Diagnostic, type Fix, InternalError, ownValue, type Range } from '@tollgate/diagnostics';

/** The expression that was probably meant. */
interface IntendedExpression {
  readonly source: string;
  readonly applicability: Fix['applicability'];
  /** Undefined if the source needs no parentheses inside another expression. */
  readonly operator?: PlacedOperator;
}

type HeaderNames = Profile['headerNames'];

/** Adds a suggestion to a type mismatch, such as `in` for a list of header values, if one is known. */
export function explainMismatch(
  diagnostic: Diagnostic,
  typed: TypedAst,
  { headerNames }: Pick<Profile, 'headerNames'>,
): Diagnostic {
  const cookie = COOKIE_CODES.has(diagnostic.code) ? cookieTest(typed, diagnostic, headerNames) : undefined;
  if (cookie) return withReplacement(diagnostic, cookie, { source: typed.ast.source, range: cookie.range });
  if (diagnostic.code !== 'type/no-matching-overload') return diagnostic;
  const call = callAt(typed.ast.root, diagnostic);
  const negated = call && negatedOperand(call, typed);
  if (negated) return withNegation(diagnostic, negated, typed);
  const quoted = call && quotedOperand(call, typed);
  if (quoted) return withQuotes(diagnostic, quoted);
  const meant = call && intendedExpression(call, typed, headerNames);
  return meant ? withReplacement(diagnostic, meant, { source: typed.ast.source, range: call.range }) : diagnostic;
}

const COOKIE_CODES: ReadonlySet<string> = new Set(['type/no-matching-overload', 'type/no-fields']);

/** Adds a suggestion to `has(m['a'])`: the macro takes a field, and the test for a key is `'a' in m`. */
export function explainHas(
  diagnostic: Diagnostic,
  source: string,
  { environment, profile: { headerNames } }: { readonly environment: Environment; readonly profile: Profile },
): Diagnostic {
  const { start, end } = diagnostic.range;
  const macro = /\bhas\(\s*$/.exec(source.slice(0, start));
  const close = /^\s*\)/.exec(source.slice(end));
  if (diagnostic.code !== 'syntax/invalid-macro-argument' || !macro || !close) return diagnostic;
  const argument = source.slice(start, end);
  const { ast, diagnostics } = parse(argument, environment);
  if (diagnostics.length > 0) return diagnostic;
  // The values of a header are never an empty list.
  const [list] = isIndex(ast.root) && numberOf(ast.root.args[1]) === '0' ? ast.root.args : [];
  const entry = entryOf(list ?? ast.root, argument, headerNames);
  if (!entry) return diagnostic;
  return withReplacement(
    diagnostic,
    { source: entry.question, applicability: list ? 'suggestion' : 'safe', operator: 'in' },
    { source, range: { start: macro.index, end: end + close[0].length } },
  );
}

function withReplacement(
  diagnostic: Diagnostic,
  { source: newText, applicability, operator }: IntendedExpression,
  place: { readonly source: string; readonly range: Diagnostic['range'] },
): Diagnostic {
  const placed = operator ? placedOperator(newText, operator, place) : newText;
  const edits = [{ range: place.range, newText: placed }];
  const fix: Fix = { title: `change to \`${newText}\``, applicability, edits };
  return { ...diagnostic, message: `${diagnostic.message}; write \`${newText}\``, fixes: [fix] };
}

const COMPARISONS: ReadonlySet<string> = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_']);

/** Returns the comparison of `!a in b` and `!a == b`, in which `!` applies to the first operand only. */
function negatedOperand(call: CallExpr, typed: TypedAst): CallExpr | undefined {
  if (call.function !== '!_') return undefined;
  const outer = parentOf(call, typed.ast.root);
  if (outer?.kind !== 'call' || outer.args[0] !== call) return undefined;
  if (outer.function !== '@in' && !COMPARISONS.has(outer.function)) return undefined;
  const between = typed.ast.source.slice(call.range.end, outer.functionRange.start);
  return between.trim() === '' ? outer : undefined;
}

function parentOf(expr: Expr, root: Expr): Expr | undefined {
  const children = childrenOf(root);
  if (children.includes(expr)) return root;
  return children.map(child => parentOf(expr, child)).find(found => found !== undefined);
}

function withNegation(diagnostic: Diagnostic, comparison: CallExpr, typed: TypedAst): Diagnostic {
  const { source } = typed.ast;
  const operator = source.slice(comparison.functionRange.start, comparison.functionRange.end);
  const whole = source.slice(diagnostic.range.end, comparison.range.end).trim();
  const problem = diagnostic.message.replace(/; expected .*$/, '');
  return withReplacement(
    { ...diagnostic, message: `${problem}, and \`!\` comes before \`${operator}\`` },
    { source: `!(${whole})`, applicability: 'suggestion' },
    { source, range: comparison.range },
  );
}

/** A literal with quotes that it must not have, or without quotes that it needs. */
interface QuotedOperand {
  readonly node: Expr;
  readonly newText: string;
  readonly remedy: string;
  /** What to compare with. */
  readonly noun: string;
}

function quotedOperand({ function: name, args }: CallExpr, typed: TypedAst): QuotedOperand | undefined {
  if (!COMPARISONS.has(name)) return undefined;
  for (const [node, other] of [args, args.toReversed()]) {
    if (node?.kind !== 'literal' || !other) continue;
    const { literal } = node;
    const type = typeOf(other, typed);
    const source = typed.ast.source.slice(node.range.start, node.range.end);
    if (literal.type === 'string' && fitsWithoutQuotes(literal.value, type))
      return {
        node,
        newText: literal.value,
        remedy: 'remove the quotes',
        noun: type === 'bool' ? 'a boolean' : 'a number',
      };
    if (type === 'string' && ['int', 'double', 'bool'].includes(literal.type))
      return { node, newText: `'${source}'`, remedy: `put quotes around it: \`'${source}'\``, noun: 'a string' };
  }
  return undefined;
}

function fitsWithoutQuotes(value: string, type: string): boolean {
  if (type === 'bool') return value === 'true' || value === 'false';
  return type === 'double' ? /^-?\d+\.?\d*$/.test(value) : type === 'int' && /^-?\d{1,18}$/.test(value);
}

/** Replaces the list of overloads, of which all take the same. */
function withQuotes(diagnostic: Diagnostic, { node, newText, remedy, noun }: QuotedOperand): Diagnostic {
  const edits = [{ range: node.range, newText }];
  const fix: Fix = { title: remedy.split(':')[0]!, applicability: 'suggestion', edits };
  const problem = diagnostic.message.replace(/; expected .*$/, '');
  return { ...diagnostic, message: `${problem}; compare with ${noun}: ${remedy}`, fixes: [fix] };
}

/** Returns the innermost call that a range belongs to. */
function callAt(node: Expr, { range }: Pick<Diagnostic, 'range'>): CallExpr | undefined {
  return pathTo(node, range).findLast(one => one.kind === 'call');
}

function intendedExpression(call: CallExpr, typed: TypedAst, headerNames: HeaderNames): IntendedExpression | undefined {
  const nodes = call.target ? [call.target, ...call.args] : call.args;
  const [a, b] = nodes.map(node => ({ node, type: typeOf(node, typed), source: operandOf(node, typed) }));
  if (!a || !b) return undefined;
  // A string that stands where a list belongs: `'GET'` in parentheses, or `'GET,POST'`.
  const listed = call.function === '@in' && a.type === 'string' && a.node.kind !== 'literal' && literalString(b.node);
  if (listed) return { source: membershipIn(a.source, listed), applicability: 'suggestion', operator: 'in' };
  if (call.function === '_[_]' && a.type === 'string' && b.type === 'int')
    return { source: `${a.source}.charAt(${b.source})`, applicability: 'suggestion' };
  if (call.function === 'slice' && a.type === 'string')
    return {
      source: `${a.source}.substring(${call.args.map(one => operandOf(one, typed)).join(', ')})`,
      applicability: 'suggestion',
    };
  if (call.function === '@in' && a.type === 'string' && b.type === 'string')
    return { source: `${b.source}.contains(${a.source})`, applicability: 'safe' };
  if (call.function === 'contains' && a.type.startsWith('map(string') && b.type === 'string')
    return {
      source: `${keyOf(b.node, a.source, typed.ast.source, headerNames) ?? b.source} in ${a.source}`,
      applicability: 'safe',
      operator: 'in',
    };
  const side = call.function === '@in' && a.type === 'string' ? cookieSide(b.source) : undefined;
  if (side !== undefined) return { source: `has${side}Cookie(${a.source})`, applicability: 'safe' };
  const isEither = call.function === '_==_' || call.function === '_!=_';
  const [first, second] = [a, b].map(one => valueOperand(one.node, typed, headerNames));
  if (first) return valueTest(call.function, first, b);
  return isEither && second ? valueTest(call.function, second, a) : undefined;
}

function membershipIn(operand: string, text: string): string {
  const elements = text.split(',').map(one => `'${one.trim()}'`);
  return elements.length === 1 ? `${operand} == ${elements[0]}` : `${operand} in [${elements.join(', ')}]`;
}

/** What was taken for a string: a list of strings, such as the values of a header, or cookies. */
interface ValueOperand {
  /** A condition that holds if there is a value. */
  readonly exists: string;
  readonly isMissing: string;
  /** True if reading it is an error without a value. */
  readonly mayFail: boolean;
  /** Returns the condition that one of the values meets a test. The name of a variable is given that the test does not use. */
  readonly holds: (test: (value: string) => string, variable: string) => string;
  /** Returns the condition that one of the values equals another. */
  readonly equals: (other: string, variable: string) => string;
}

/** Object types whose value is in a field. */
const COOKIE_VALUES: Readonly<Record<string, string>> = {
  request_cookie: 'value',
  response_cookie: 'value',
  cookie: 'Value',
};

function valueOperand(node: Expr, typed: TypedAst, headerNames: HeaderNames): ValueOperand | undefined {
  const type = typeOf(node, typed);
  const element = /^list\((\w+)\)$/.exec(type)?.[1];
  const field = ownValue(COOKIE_VALUES, element ?? type);
  if (element !== 'string' && field === undefined) return undefined;
  const entry = lookedUp(node, typed, headerNames);
  const source = entry?.source ?? operandOf(node, typed);
  const textOf = (one: string) => (field === undefined ? one : `${one}.${field}`);
  const isList = element !== undefined;
  const holds: ValueOperand['holds'] = (test, variable) =>
    isList ? `${source}.exists(${variable}, ${test(textOf(variable))})` : test(textOf(source));
  return {
    exists: entry?.question ?? `size(${source}) > 0`,
    isMissing: entry ? negated(entry.question) : `size(${source}) == 0`,
    mayFail: entry !== undefined,
    holds,
    equals: (other, variable) =>
      element === 'string' ? `${other} in ${source}` : holds(value => `${value} == ${other}`, variable),
  };
}

/**
 * Returns the test that was meant by one of the value of a list of cookies, or of an entry of a list of cookies that was taken for a map; with the
 * range of what it replaces.
 */
function cookieTest(
  typed: TypedAst,
  { range }: Diagnostic,
  headerNames: HeaderNames,
): (IntendedExpression & { readonly range: Range }) | undefined {
  const path = pathTo(typed.ast.root, range);
  const at = path.findLastIndex(node => wronglyRead(node, typed, headerNames) !== undefined);
  const cookie = path[at] && wronglyRead(path[at], typed, headerNames);
  if (!cookie) return undefined;
  const isField = (node: Expr | undefined) => node?.kind === 'select' && /^value$/i.test(node.field);
  const read = isField(path[at - 1]) ? at - 1 : at;
  const test = path[read - 1];
  if (test?.kind !== 'call') return undefined;
  const nodes = test.target ? [test.target, ...test.args] : test.args;
  const [other] = nodes.filter(node => node !== path[read]);
  const isFirst = nodes[0] === path[read] || test.function === '_==_' || test.function === '_!=_';
  if (!other || nodes.length !== 2 || !isFirst) return undefined;
  const meant = valueTest(test.function, cookie, {
    node: other,
    type: typeOf(other, typed),
    source: operandOf(other, typed),
  });
  return meant && { ...meant, range: test.range };
}

/** What reads cookies as if they were something else: `req.cookies['a'].value`, or `req.Cookies['a']` where cookies are a list. */
function wronglyRead(node: Expr, typed: TypedAst, headerNames: HeaderNames): ValueOperand | undefined {
  if (node.kind === 'select' && !node.testOnly && /^value$/i.test(node.field))
    return /^list\(\w+_cookie\)$/.test(typeOf(node.operand, typed))
      ? valueOperand(node.operand, typed, headerNames)
      : undefined;
  const [list, key] = isIndex(node) ? node.args : [];
  if (!list || key?.kind !== 'literal' || key.literal.type !== 'string') return undefined;
  const { source } = typed.ast;
  const side = cookieSide(source.slice(list.range.start, list.range.end));
  if (side === undefined || typeOf(list, typed) !== 'list(cookie)') return undefined;
  const name = source.slice(key.range.start, key.range.end);
  const [exists, value] = [`has${side}Cookie(${name})`, `get${side}Cookie(${name}).Value`];
  return {
    ...{ exists, isMissing: `!${exists}`, mayFail: true },
    holds: test => test(value),
    equals: other => `${value} == ${other}`,
  };
}

/** Returns the part of the names of functions that look up a cookie in a list of this source. */
function cookieSide(source: string): 'Req' | 'Res' | undefined {
  return /^re[qs]\.Cookies$/.test(source) ? (source.startsWith('req') ? 'Req' : 'Res') : undefined;
}

/** Returns the nodes from a root to the innermost one that a range belongs to. */
function pathTo(root: Expr, range: Range): readonly Expr[] {
  if (root.range.start > range.start || root.range.end < range.end) return [];
  for (const child of childrenOf(root)) {
    const path = pathTo(child, range);
    if (path.length > 0) return [root, ...path];
  }
  return [root];
}

function negated(question: string): string {
  return question.includes(' ') ? `!(${question})` : `!${question}`;
}

/** Returns the entry of a map that is read, its first element, or the call that looks a cookie up. */
function lookedUp(node: Expr, typed: TypedAst, headerNames: HeaderNames): EntryOperand | undefined {
  const { source } = typed.ast;
  if (isIndex(node) && numberOf(node.args[1]) === '0') {
    const list = node.args[0]!;
    const entry = lookedUp(list, typed, headerNames);
    return entry && { ...entry, source: `${entry.source}${source.slice(list.range.end, node.range.end)}` };
  }
  const [, side] = (node.kind === 'call' && /^get(Req|Res)Cookie$/.exec(node.function)) || [];
  if (side !== undefined && node.kind === 'call' && node.args[0]) {
    const { start, end } = node.args[0].range;
    return { source: operandOf(node, typed), question: `has${side}Cookie(${source.slice(start, end)})` };
  }
  return entryOf(node, source, headerNames) ?? selectedEntry(node, typed, headerNames);
}

const STRING_TESTS: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith', 'matches']);

/**
 * Returns the test of values that means what a test of their one string would mean. Without a value, the string would be empty: the header is
 * absent, and reading it would be an error.
 */
function valueTest(
  name: string,
  values: ValueOperand,
  other: { readonly node: Expr; readonly type: string; readonly source: string },
): IntendedExpression | undefined {
  const guarded = (test: string): IntendedExpression =>
    values.mayFail
      ? { source: `${values.exists} && ${test}`, applicability: 'suggestion', operator: '&&' }
      : { source: test, applicability: 'suggestion', operator: 'in' };
  const orMissing = (test: string): IntendedExpression => ({
    ...{ source: `${values.isMissing} || ${test}`, applicability: 'suggestion', operator: '||' },
  });
  const isEmpty = isEmptyString(other.node);
  const variable = /\bv\b/.test(other.source) ? 'value' : 'v';
  const equal = values.equals(other.source, variable);
  if (other.type === 'null' && (name === '_==_' || name === '_!=_'))
    return { source: name === '_==_' ? values.isMissing : values.exists, applicability: 'suggestion', operator: 'in' };
  if (name === '@in' && other.type === 'list(string)') {
    const test = values.holds(value => `${value} in ${other.source}`, variable);
    const isOptional = other.node.kind === 'list' && other.node.elements.some(isEmptyString);
    return isOptional ? orMissing(test) : guarded(test);
  }
  if (other.type !== 'string') return undefined;
  if (name === '_==_') return isEmpty ? orMissing(equal) : guarded(equal);
  if (name === '_!=_' && isEmpty)
    return { source: `${values.exists} && !(${equal})`, applicability: 'suggestion', operator: '&&' };
  if (name === '_!=_') return { source: `!(${guarded(equal).source})`, applicability: 'suggestion' };
  return STRING_TESTS.has(name)
    ? guarded(values.holds(value => `${value}.${name}(${other.source})`, variable))
    : undefined;
}

/** An entry of a map with a constant key, with the key in the spelling that the map has. */
interface EntryOperand {
  readonly source: string;
  /** The test that the map has the key. */
  readonly question: string;
}

function entryOf(node: Expr, source: string, headerNames: HeaderNames): EntryOperand | undefined {
  const [map, index] = isIndex(node) ? node.args : [];
  if (!map || index?.kind !== 'literal' || index.literal.type !== 'string') return undefined;
  const mapSource = source.slice(map.range.start, map.range.end);
  const key = keyOf(index, mapSource, source, headerNames) ?? source.slice(index.range.start, index.range.end);
  const side = cookieSide(mapSource);
  const question = side === undefined ? `${key} in ${mapSource}` : `has${side}Cookie(${key})`;
  return { source: `${mapSource}[${key}]`, question };
}

/** Returns the entry that a selection such as `m.key` reads of a map; undefined if it reads a field of an object. */
function selectedEntry(node: Expr, typed: TypedAst, headerNames: HeaderNames): EntryOperand | undefined {
  if (node.kind !== 'select' || node.testOnly || !typeOf(node.operand, typed).startsWith('map(string'))
    return undefined;
  const { start, end } = node.operand.range;
  const map = typed.ast.source.slice(start, end);
  const spelled = /\.headers$/i.test(map) ? spelledName(node.field, headerNames) : node.field;
  const key = `'${spelled}'`;
  return { source: spelled === node.field ? `${map}.${node.field}` : `${map}[${key}]`, question: `${key} in ${map}` };
}

function spelledName(name: string, headerNames: HeaderNames): string {
  return headerNames === 'canonical' ? canonicalHeaderName(name) : name.toLowerCase();
}

/** Returns the source of a header name as the map of headers spells it; undefined if it is right, or of another map. */
function keyOf(node: Expr, map: string, source: string, headerNames: HeaderNames): string | undefined {
  if (!/\.headers$/i.test(map) || node.kind !== 'literal' || node.literal.type !== 'string') return undefined;
  const { value } = node.literal;
  const spelled = spelledName(value, headerNames);
  return spelled === value ? undefined : source.slice(node.range.start, node.range.end).replace(value, spelled);
}

function isIndex(node: Expr): node is CallExpr {
  return node.kind === 'call' && node.function === '_[_]';
}

function isEmptyString(node: Expr): boolean {
  return node.kind === 'literal' && node.literal.type === 'string' && node.literal.value === '';
}

function numberOf(node: Expr | undefined): string | undefined {
  return node?.kind === 'literal' ? String(node.literal.value) : undefined;
}

function typeOf(node: Expr, { types }: TypedAst): string {
  const type = types[node.id];
  return type ? formatType(type) : '';
}

/** Returns the source of an operand, in parentheses if it is an operator. */
function operandOf(node: Expr, { ast }: TypedAst): string {
  const source = ast.source.slice(node.range.start, node.range.end);
  const isOperator = node.kind === 'call' && /^[^a-zA-Z]/.test(node.function) && !/^_\[/.test(node.function);
  return isOperator ? `(${source})` : source;
}

/** Where to look up a name. */
interface NameContext {
  readonly profile: Profile;
  readonly place: EvaluationContext;
  readonly environment: Environment;
}

interface NameInSource extends NameContext {
  /** The source of the expression. */
  readonly source: string;
}

/** The longest list of fields that a message shows. */
const MAX_FIELDS = 20;

/** Lists the fields that there are instead of an unknown one, as unknown keys do. */
function withKnownFields(diagnostic: Diagnostic, { environment }: NameContext): Diagnostic {
  if (diagnostic.code !== 'name/undeclared-field') return diagnostic;
  const known = [...(environment.objects.get(String(diagnostic.args.type))?.fields.keys() ?? [])]
    .filter(name => /^[a-z]/i.test(name))
    .sort();
  if (known.length === 0) return diagnostic;
  const rest = known.length > MAX_FIELDS ? [`${known.length - MAX_FIELDS} more`] : [];
  const names = [...known.slice(0, MAX_FIELDS).map(name => `\`${name}\``), ...rest];
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return { ...diagnostic, message: `${diagnostic.message}; it has ${list}`, args: { ...diagnostic.args, known } };
}

/** Suggests the equivalent of an unknown name that another language, gateway or profile has. Returns the given diagnostic if there is none. */
export function explainName(diagnostic: Diagnostic, source: string, context: NameContext): Diagnostic {
  const meant = intendedName(diagnostic, { ...context, source });
  const { suggestion } = diagnostic.args;
  if (!meant && suggestion === undefined) return withKnownFields(diagnostic, context);
  if (!meant || suggestion === meant.text || (suggestion !== undefined && suggestion === meant.newText))
    return diagnostic;
  const { fixes: _, ...rest } = diagnostic;
  const range = meant.range ?? diagnostic.range;
  const original = diagnostic.message.replace(/; did you mean .*$/, '');
  const message = meant.name === undefined ? original : `\`${meant.name}\` is not declared`;
  const edits = meant.newText === undefined ? [] : [{ range, newText: meant.newText }];
  return {
    ...rest,
    range,
    message: `${message}; write \`${meant.text}\``,
    args: { ...diagnostic.args, suggestion: meant.text },
    ...(edits.length > 0 && { fixes: [{ title: `change to \`${meant.text}\``, applicability: 'suggestion', edits }] }),
  };
}

interface IntendedName {
  readonly text: string;
  /** Replacement of the marked range; undefined if more has to change. */
  readonly newText: string | undefined;
  /** The whole name and its range, if it is longer than the diagnostic says. */
  readonly name?: string;
  readonly range?: Range;
}

function intendedName({ code, args, range }: Diagnostic, at: NameInSource): IntendedName | undefined {
  switch (code) {
    case 'name/undeclared-function':
      return functionMeant(String(args.name), at);
    case 'name/undeclared-reference':
      return referenceMeant(String(args.name), range, at);
    case 'name/undeclared-field': {
      const meant = variableMeant(`${args.type}.${args.field}`, at);
      const prefix = `${args.type}.`;
      if (!meant && at.environment.objects.get(String(args.type))?.stringKey !== undefined)
        return lengthMeant(args.field);
      return (
        meant && { ...meant, newText: meant.text.startsWith(prefix) ? meant.text.slice(prefix.length) : undefined }
      );
    }
    case 'type/no-fields':
      return lengthMeant(args.field);
    default:
      return undefined;
  }
}

/** Only `http` of `http.request.method` is reported, so this looks for the longest known name that begins there. */
function referenceMeant(name: string, range: Range, at: NameInSource): IntendedName | undefined {
  const rest = /^(?:\.[A-Za-z_]\w*)*(?![\w(])/.exec(at.source.slice(range.end))?.[0] ?? '';
  const fields = rest.split('.').slice(1);
  for (let count = fields.length; count >= 0; count--) {
    const whole = [name, ...fields.slice(0, count)].join('.');
    const meant = variableMeant(whole, at) ?? constantMeant(whole, at);
    if (meant) return { ...meant, name: whole, range: { start: range.start, end: range.start + whole.length } };
  }
  return undefined;
}

/** A method without quotes, and a header as nginx names it: `$http_x_api_key`. */
function constantMeant(name: string, { profile }: NameInSource): IntendedName | undefined {
  if (/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE)$/.test(name))
    return { text: `'${name}'`, newText: `'${name}'` };
  const [, header] = /^http_([a-z][a-z0-9_]*)$/.exec(name) ?? [];
  if (header === undefined || header === 'host') return undefined;
  const spelled = spelledName(header.replaceAll('_', '-'), profile.headerNames);
  const text = `req.${profile.headerNames === 'canonical' ? 'Headers' : 'headers'}['${spelled}'][0]`;
  return { text, newText: text };
}

function lengthMeant(field: unknown): IntendedName | undefined {
  return /^(?:length|len|count|size)$/i.test(String(field)) ? { text: 'size()', newText: 'size()' } : undefined;
}

function functionMeant(name: string, { environment }: NameInSource): IntendedName | undefined {
  const known = new Set([
    ...[...environment.index.callables.values()].map(one => one.declaration.name),
    ...[...environment.macros.values()].map(one => one.name),
  ]);
  return chosen(foreignFunction(name), one => one !== name && known.has(one));
}

function variableMeant(name: string, { profile, place }: NameInSource): IntendedName | undefined {
  const paths = variablesAt(profile, place).map(one => one.path);
  const known = new Set(paths);
  const foreign = chosen(foreignVariable(name), one => known.has(one));
  if (foreign) return foreign;
  const same = paths.find(path => normalizeName(path) === normalizeName(name));
  return same === undefined ? undefined : { text: same, newText: same };
}

function chosen(foreign: ForeignName | undefined, isKnown: (name: string) => boolean): IntendedName | undefined {
  const name = foreign?.names.find(isKnown);
  if (!foreign || (name === undefined && (foreign.names.length > 0 || foreign.written === undefined))) return undefined;
  const isConstant = foreign.names.length === 0 && /^\w+$/.test(foreign.written ?? '');
  if (foreign.written !== undefined)
    return { text: foreign.written, newText: isConstant ? foreign.written : undefined };
  return { text: name!, newText: name! };
}

/** What to write instead of a name from another language, gateway or profile. */
interface ForeignName {
  /** CEL names, in order of preference; the first that is declared is suggested. */
  readonly names: readonly string[];
  /** What to write if a name is not enough. */
  readonly written?: string;
}

type Row = readonly [words: string, ...names: string[]];

/** Functions and methods of other languages, in lowercase, with their equivalents in order of preference. */
const FUNCTIONS: readonly Row[] = [
  ['len length count strlen char_length cardinality', 'size'],
  ['includes include contain has_substring strpos instr substring_of', 'contains'],
  ['tolower tolowercase to_lower lowercase lcase downcase lower strtolower', 'lower', 'lowerAscii'],
  ['toupper touppercase to_upper uppercase ucase upcase upper strtoupper', 'upper', 'upperAscii'],
  ['hasprefix startwith starts_with beginswith begins_with', 'startsWith'],
  ['hassuffix endwith ends_with', 'endsWith'],
  ['test match regex regexmatch regex_match regexp rlike re_match search matchstring regexp_like', 'matches'],
  ['replaceall replace_all gsub sub regexreplace', 'replace'],
  ['substr mid', 'substring'],
  ['strip trimspace trim_space', 'trim'],
  ['explode', 'split'],
  ['implode concat_ws', 'join'],
  ['some any anymatch', 'exists'],
  ['every allmatch', 'all'],
  ['select', 'filter'],
  ['parseint number toint to_int atoi integer to_number', 'int'],
  ['parsefloat float tofloat to_float', 'double'],
  ['str tostring to_string sprintf', 'string'],
  ['boolean tobool', 'bool'],
  ['typeof type_of', 'type'],
  [
    'incidr in_cidr cidr_match cidrmatch ipmatch ip_in_range ipinrange iprange in_subnet insubnet isincidr',
    'inCidrRange',
  ],
  ['getheader get_header req_header header get_request_header', 'getReqHeader'],
  ['hasheader has_header headerexists', 'hasReqHeader'],
  ['getcookie get_cookie req_cookie', 'getReqCookie'],
  ['hascookie has_cookie', 'hasReqCookie'],
  ['getquery get_query getparam query_param queryparam urlparam', 'getQueryParam'],
  ['hasquery hasparam has_param', 'hasQueryParam'],
  ['urldecode decodeuri decodeuricomponent url_decode', 'url.unescape'],
  ['urlencode encodeuri encodeuricomponent url_encode', 'url.escape'],
  ['atob base64decode base64_decode', 'base64.decode'],
  ['btoa base64encode base64_encode', 'base64.encode'],
];

/** Functions whose equivalent is not a function. */
const OTHER_FORMS: Readonly<Record<string, ForeignName>> = {
  not: { names: [], written: '!a' },
  and: { names: [], written: 'a && b' },
  or: { names: [], written: 'a || b' },
  isempty: { names: ['size'], written: 'size(a) == 0' },
  empty: { names: ['size'], written: 'size(a) == 0' },
  isnull: { names: [], written: 'a == null' },
  equals: { names: [], written: 'a == b' },
  equalsignorecase: { names: [], written: 'a == b' },
  concat: { names: [], written: 'a + b' },
  iif: { names: [], written: 'a ? b : c' },
  ifelse: { names: [], written: 'a ? b : c' },
};

/** Variables of other languages, servers and gateways, in lowercase without underscores, with their equivalents. */
const VARIABLES: readonly Row[] = [
  [
    'path uri requesturi requestpath req.path req.pathname req.uri req.uri.path req.url.pathname url.path http.request.uri.path',
    'req.Path',
    'req.url.path',
  ],
  ['method requestmethod httpmethod verb req.verb http.request.method', 'req.Method', 'req.method'],
  ['host httphost hostname req.hostname http.host req.authority', 'req.Host', 'req.host'],
  ['headers header req.header http.headers http.request.headers', 'req.Headers', 'req.headers'],
  ['cookies cookie req.cookie http.cookie', 'req.Cookies', 'req.cookies'],
  [
    'args params query querystring req.query req.params req.args req.queryparams req.querystring req.url.query http.request.uri.args',
    'req.Params',
    'req.url.query_params',
  ],
  ['url fullurl req.uri.full http.request.fulluri', 'req.URL', 'req.url'],
  [
    'protocol httpversion req.httpversion req.proto req.protocol req.version http.request.version',
    'req.Protocol',
    'req.version',
  ],
  ['contentlength req.bodysize req.length req.size req.contentlength', 'req.ContentLength', 'req.content_length'],
  ['status statuscode res.status res.code res.statuscode http.response.code', 'res.StatusCode', 'res.status_code'],
  [
    'ip clientip client.ip remoteaddr remoteip sourceip source.ip src.ip ip.src ip.source req.ip req.clientip req.remoteaddr req.remoteip conn.ip conn.remoteaddr conn.remoteip',
    'conn.ClientIP',
    'conn.client_ip',
  ],
  [
    'country countrycode geo.country geoip.country geoip.countrycode ip.geoip.country ip.src.country clientcountry conn.country conn.geo.country',
    'conn.Geo.CountryCode',
    'conn.geo.country_code',
  ],
  ['sni ssl.sni tls.sni conn.sni', 'conn.TLS.SNI', 'conn.tls.sni'],
  ['asn ip.asnum ip.geoip.asnum ip.src.asnum conn.asn', 'conn.client_ip.as.number'],
  ['useragent http.useragent req.useragent', 'req.user_agent.name'],
  ['now date time', 'time.now'],
];

const CONSTANTS: Readonly<Record<string, string>> = {
  True: 'true',
  TRUE: 'true',
  False: 'false',
  FALSE: 'false',
  None: 'null',
  nil: 'null',
  NULL: 'null',
  Null: 'null',
  undefined: 'null',
};

const byWord = (rows: readonly Row[]): ReadonlyMap<string, ForeignName> =>
  new Map(rows.flatMap(([words, ...names]) => words.split(' ').map(word => [word, { names }] as const)));

const FUNCTIONS_BY_WORD = byWord(FUNCTIONS);
const VARIABLES_BY_WORD = byWord(VARIABLES);

/** Returns the equivalent of a foreign function or method. */
function foreignFunction(name: string): ForeignName | undefined {
  const word = name.toLowerCase();
  return ownValue(OTHER_FORMS, word) ?? FUNCTIONS_BY_WORD.get(word) ?? FUNCTIONS_BY_WORD.get(word.replace(/^.*\./, ''));
}

/** Returns the equivalent of a foreign variable. */
function foreignVariable(name: string): ForeignName | undefined {
  const constant = ownValue(CONSTANTS, name);
  return constant === undefined ? VARIABLES_BY_WORD.get(normalizeName(name)) : { names: [], written: constant };
}

/** Normalizes a name across naming conventions: `request.client_ip` and `req.ClientIP` become equal. */
function normalizeName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('_', '')
    .replace(/^(?:http\.)?request\b/, 'req')
    .replace(/^(?:http\.)?response\b/, 'res')
    .replace(/^connection\b/, 'conn');
}

const SIMPLE: ReadonlyMap<string, Type> = new Map([
  ['bool', BOOL],
  ['bytes', BYTES],
  ['double', DOUBLE],
  ['duration', DURATION],
  ['dyn', DYN],
  ['int', INT],
  ['null', NULL],
  ['string', STRING],
  ['timestamp', TIMESTAMP],
  ['uint', UINT],
]);

const GENERIC: ReadonlyMap<string, (...params: readonly Type[]) => Type> = new Map([
  ['list', (element = DYN) => listOf(element)],
  ['map', (key = DYN, value = DYN) => mapOf(key, value)],
  ['optional_type', (value = DYN) => optionalOf(value)],
  ['wrapper', (of = DYN) => wrapperOf(of)],
]);

/** The names of types that are not object types. */
export const TYPE_NAMES: readonly string[] = [...SIMPLE.keys(), ...GENERIC.keys()];

/** Returns the type names in a notation, in order; undefined if {@link parseType} rejects it. */
export function namesInType(notation: string): readonly string[] | undefined {
  try {
    parseType(notation);
    return notation.match(/[\w.]+/g) ?? [];
  } catch (error) {
    if (error instanceof InternalError) return undefined;
    throw error;
  }
}

/** Parses a type in the notation of `formatType`; unknown names are object types. Throws {@link InternalError} if malformed. */
export function parseType(notation: string): Type {
  const tokens = notation.match(/[\w.]+|[(),]/g) ?? [];
  const { type, next } = parseAt(tokens, 0, notation);
  if (next !== tokens.length) throw malformed(notation);
  return type;
}

function parseAt(tokens: readonly string[], at: number, notation: string): { type: Type; next: number } {
  const name = tokens[at];
  if (name === undefined || !/^[\w.]+$/.test(name)) throw malformed(notation);
  const generic = GENERIC.get(name);
  if (!generic || tokens[at + 1] !== '(') return { type: SIMPLE.get(name) ?? objectType(name), next: at + 1 };
  const params: Type[] = [];
  let next = at + 1;
  while (tokens[next] === '(' || tokens[next] === ',') {
    const param = parseAt(tokens, next + 1, notation);
    params.push(param.type);
    next = param.next;
  }
  if (tokens[next] !== ')') throw malformed(notation);
  return { type: generic(...params), next: next + 1 };
}

function malformed(notation: string): InternalError {
  return new InternalError(`the catalog has a malformed type: ${notation}`);
}

/** A token of RFC 9110, section 5.6.2. */
export const HEADER_NAME_PATTERN = "^[\\w!#$%&'*+.^`|~-]+$";

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Nearly every recorded header is in this form or in lowercase. */
const CANONICAL = /^[A-Z][a-z]*(?:-[A-Z][a-z]*)*$/;

/**
 * Returns the canonical form of a header name, which rules of `edge-v2` see. Like Go's `CanonicalMIMEHeaderKey`, it
 * capitalizes the first letter and those after `-`, and leaves names with a space or an invalid byte unchanged.
 */
export function canonicalHeaderName(name: string): string {
  if (CANONICAL.test(name) || !TOKEN.test(name)) return name;
  return name.toLowerCase().replace(/(^|-)[a-z]/g, start => start.toUpperCase());
}
