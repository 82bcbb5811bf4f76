import {
  type Availability,
  type Deprecation,
  type EvaluationContext,
  isAvailable,
  type Profile,
  variablesAt,
} from '@tollgate/catalog';
import {
  type Ast,
  type CallExpr,
  check,
  type Environment,
  type Expr,
  formatType,
  parse,
  type TypedAst,
} from '@tollgate/cel';
import { childrenOf, foreignForm, inputPathOf, mapChildren, placedOperator } from '@tollgate/cel/tooling';
import type { Diagnostic, Fix, Range, TextEdit } from '@tollgate/diagnostics';
import type { Reporter } from '../document/document-node.ts';
import { applyEdits, editScalar } from '../document/edits.ts';
import { documentRange, type MappedText } from '../document/scalar-text.ts';
import { hasStandIns, STAND_IN_VARIABLE } from '../embedded/placeholders.ts';
import { explainHas, explainMismatch, explainName } from './explain-errors.ts';
import { convertOpenValues } from './interpolation.ts';

/** Where an expression is evaluated, and what it can use there. */
export interface ExpressionContext {
  readonly profile: Profile;
  readonly place: EvaluationContext;
  readonly environment: Environment;
}

/** The result of checking an expression. */
export interface CheckedExpression {
  /** Undefined if there is an error. Includes the conversions of open values. */
  readonly typed: TypedAst | undefined;
  /** Ranges are relative to the expression; the uri is empty. */
  readonly diagnostics: readonly Diagnostic[];
}

/** How to name the condition in messages. */
interface ConditionContext {
  readonly what: string;
}

/** Parses and checks the condition of a rule: its names must be available in the context, and its type must be bool. */
export function checkCondition(
  source: string,
  context: ExpressionContext,
  { what }: ConditionContext = { what: 'the condition of a rule' },
): CheckedExpression {
  const { typed, diagnostics } = checkAny(source, context);
  const isWrapped = diagnostics[0]?.code === NEEDLESS;
  // After a syntax error, the type of the partial tree means nothing.
  const isPartial = diagnostics.some(({ code }) => code.startsWith('syntax/'));
  const all = [...diagnostics, ...(isWrapped || isPartial ? [] : nonBoolean(typed, what))];
  return { typed: all.some(isError) ? undefined : typed, diagnostics: all };
}

/** Parses and checks an expression of any type. */
export function checkExpression(source: string, context: ExpressionContext): CheckedExpression {
  const { typed, diagnostics } = checkAny(source, context);
  return { typed: diagnostics.some(isError) ? undefined : typed, diagnostics };
}

interface AnyExpression {
  readonly typed: TypedAst;
  readonly diagnostics: readonly Diagnostic[];
}

function checkAny(source: string, context: ExpressionContext): AnyExpression {
  const { typed, diagnostics } = checkAsWritten(source, context);
  const foreign = foreignConstruct(source, diagnostics);
  if (foreign) return { typed, diagnostics: [completedForm(foreign, source, context) ?? foreign] };
  const meant = diagnostics.some(isError) ? meantCall(diagnostics, source, context) : undefined;
  return { typed, diagnostics: meant ? [meant] : diagnostics };
}

const FOREIGN = 'syntax/foreign-form';

/** Returns the finding about a construct of another language, also about one that CEL can parse. */
function foreignConstruct(source: string, diagnostics: readonly Diagnostic[]): Diagnostic | undefined {
  const reported = diagnostics.find(({ code }) => code === FOREIGN);
  if (reported) return reported;
  const undeclared = diagnostics.filter(({ code }) => /^name\/undeclared-(?:reference|function)$/.test(code));
  if (undeclared.length === 0) return undefined;
  const form = foreignForm(source);
  if (!form) return undefined;
  const { related: _, args = {}, ...found } = form;
  return { ...found, args, severity: 'error', uri: '' };
}

const UNKNOWN_CALL: ReadonlySet<string> = new Set(['name/undeclared-function', 'type/wrong-call-form']);

/** Returns a finding for a call that other languages have, with the first of its meanings that checks. */
function meantCall(
  diagnostics: readonly Diagnostic[],
  source: string,
  context: ExpressionContext,
): Diagnostic | undefined {
  // Operators of other languages, such as `not`, are replaced first.
  const operators = diagnostics.filter(({ code }) => code.startsWith('syntax/'));
  if (operators.some(({ fixes = [] }) => fixes.length === 0)) return undefined;
  const base = applyEdits(
    source,
    operators.flatMap(({ fixes }) => fixes![0]!.edits),
  );
  const { typed, diagnostics: left } = checkAsWritten(base, context);
  const errors = left.filter(isError);
  const unknown = errors.find(({ code }) => UNKNOWN_CALL.has(code));
  const call = unknown && callOf(typed.ast.root, unknown.range);
  const foreign = call && foreignCall(call, base, unknown.code === 'type/wrong-call-form');
  if (!foreign) return undefined;
  const findings = foreign.meant.map(({ text, isOperator }): Diagnostic => {
    const newText = isOperator ? placedOperator(text, 'in', { source: base, range: call.range }) : text;
    const found = base.slice(call.range.start, call.range.end);
    return {
      ...{ code: unknown.code === 'type/wrong-call-form' ? unknown.code : FOREIGN, severity: 'error', uri: '' },
      ...{ range: base === source ? call.range : { start: 0, end: source.length }, args: { ...unknown.args, found } },
      message: `${foreign.what}; write \`${text}\``,
      fixes: [{ title: `write \`${text}\``, applicability: 'suggestion', edits: [{ range: call.range, newText }] }],
    };
  });
  // What checks as it is comes first; only the likeliest meaning is completed.
  const completed = findings.map(one => completedForm(one, base, context));
  const chosen = completed.find((one, at) => one === findings[at]) ?? completed[0];
  return chosen && (base === source ? chosen : replacingAll(chosen, applied(chosen, base), source));
}

function applied({ fixes = [] }: Diagnostic, source: string): string {
  return applyEdits(source, fixes[0]?.edits ?? []);
}

/** Returns a finding whose fix replaces the whole expression. */
function replacingAll(finding: Diagnostic, text: string, source: string): Diagnostic {
  const fix = {
    title: `write \`${text}\``,
    applicability: 'suggestion',
    edits: [{ range: { start: 0, end: source.length }, newText: text }],
  } as const;
  return { ...finding, message: `${finding.message.replace(/; write .*$/s, '')}; write \`${text}\``, fixes: [fix] };
}

/** Completes a fix until the expression checks, such as with a test that a header exists; undefined if it never does. */
function completedForm(foreign: Diagnostic, source: string, context: ExpressionContext): Diagnostic | undefined {
  let text = source;
  let edits = foreign.fixes?.[0]?.edits;
  for (let step = 0; step < MAX_STEPS && edits; step++) {
    text = applyEdits(text, edits);
    const checked = checkAsWritten(text, context);
    const errors = checked.diagnostics.filter(isError);
    if (errors.length === 0) return step === 0 ? foreign : replacingAll(foreign, text, source);
    edits = errors.every(({ fixes = [] }) => fixes.length > 0) ? disjoint(errors.map(firstEdits)) : undefined;
  }
  return undefined;
}

/** `if ($a ~ b)`: the statement, the prefix, the operator and the name. */
const MAX_STEPS = 4;

function firstEdits({ fixes = [] }: Diagnostic): readonly TextEdit[] {
  return fixes[0]?.edits ?? [];
}

/** Returns all edits in order of their places, leaving out those of a finding that touch others. */
function disjoint(groups: readonly (readonly TextEdit[])[]): readonly TextEdit[] {
  const kept: TextEdit[] = [];
  for (const edits of groups) {
    const touches = edits.some(one =>
      kept.some(({ range }) => range.start <= one.range.end && one.range.start <= range.end),
    );
    if (!touches) kept.push(...edits);
  }
  return kept.toSorted((a, b) => a.range.start - b.range.start);
}

function checkAsWritten(source: string, context: ExpressionContext): AnyExpression {
  const { ast: parsed, diagnostics: syntax } = parse(source, context.environment);
  const ast = withUnknownStrings(parsed);
  const wrapped = needlessInterpolation(source);
  if (wrapped) return { typed: check(ast, context.environment).typed, diagnostics: [wrapped] };
  let checked = check(ast, context.environment);
  if (checked.diagnostics.length > 0) {
    const converted = convertOpenValues(checked.typed, variablesAt(context.profile, context.place));
    if (converted) checked = check(converted, context.environment);
  }
  const written = syntax.map(one => explainHas(one, source, context));
  const explained = checked.diagnostics.map(one => explainMismatch(one, checked.typed, context.profile));
  const named = explained.map(one => explainAvailability(one, context.profile, context.place));
  const names = named.map(one => explainName(one, source, context));
  const deprecated = deprecatedVariables(checked.typed, context.profile);
  return { typed: checked.typed, diagnostics: [...written, ...names, ...deprecated] };
}

const NEEDLESS = 'expression/needless-interpolation';

/** Reports `${…}` around the whole expression. The parser would only report an unexpected `$`. */
function needlessInterpolation(source: string): Diagnostic | undefined {
  const found = /^(\s*\$\{).*?(\}\s*)$/s.exec(source);
  if (!found) return undefined;
  const begin = { start: 0, end: found[1]!.length };
  const end = { start: source.length - found[2]!.length, end: source.length };
  const edits = [begin, end].map(range => ({ range, newText: '' }));
  return {
    ...{ code: NEEDLESS, severity: 'error', uri: '', args: {} },
    message: '`${…}` around an expression, which is needed only inside strings; remove `${` and `}`',
    range: { start: begin.end - 2, end: source.trimEnd().length },
    fixes: [{ title: 'leave `${` and `}` out', applicability: 'safe', edits }],
  };
}

/** Type dyn is accepted: its values are checked at run time. */
function nonBoolean({ ast, resultType }: TypedAst, what: string): readonly Diagnostic[] {
  if (['bool', 'dyn', 'error'].includes(resultType.kind)) return [];
  const found = formatType(resultType);
  const message = `${what} must be a bool, found ${found}`;
  const args = { expected: 'bool', found };
  const { range } = ast.root;
  return [{ code: 'type/non-boolean-expression', severity: 'error', message, uri: '', range, args }];
}

function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error';
}

/**
 * Explains a name that is unknown here but exists in another phase or on another endpoint kind. Returns the
 * explanation, or the given diagnostic if there is none.
 */
function explainAvailability(diagnostic: Diagnostic, profile: Profile, place: EvaluationContext): Diagnostic {
  const found = findElsewhere(diagnostic, profile);
  if (!found || found.facts.length === 0 || found.facts.some(fact => isAvailable(fact, place))) return diagnostic;
  const { fixes: _, ...rest } = diagnostic;
  const area = found.facts.some(fact => fact.endpoints.includes(place.endpoint)) ? 'phase' : 'endpoint';
  const available = [...new Set(found.facts.flatMap(fact => (area === 'phase' ? fact.phases : fact.endpoints)))];
  return {
    ...rest,
    code: `${area}/${found.what}-unavailable`,
    message: unavailableMessage(found.name, place, area, available),
    args: { name: found.name, [area]: place[area], available },
  };
}

/** `` `res` is not available in `inbound`, only in `outbound` ``. */
export function unavailableMessage(
  name: string,
  place: EvaluationContext,
  area: 'phase' | 'endpoint',
  available: readonly string[],
): string {
  const preposition = area === 'phase' ? 'in' : 'on';
  const where = available.map(one => `\`${one}\``).join(' or ');
  return `\`${name}\` is not available ${preposition} \`${place[area]}\`, only ${preposition} ${where}`;
}

interface Found {
  readonly what: 'variable' | 'function';
  readonly name: string;
  readonly facts: readonly Availability[];
}

function findElsewhere({ code, args }: Diagnostic, profile: Profile): Found | undefined {
  switch (code) {
    case 'name/undeclared-reference':
      return variablesUnder(String(args.name), profile);
    case 'name/undeclared-field':
      return variablesUnder(`${args.type}.${args.field}`, profile);
    case 'name/undeclared-function': {
      const name = String(args.name);
      return { what: 'function', name, facts: profile.functions.filter(fact => fact.name === name) };
    }
    default:
      return undefined;
  }
}

function variablesUnder(path: string, profile: Profile): Found {
  const facts = profile.variables.filter(fact => fact.path === path || fact.path.startsWith(`${path}.`));
  return { what: 'variable', name: path, facts };
}

/** Reports a diagnostic of an expression at its range in the document. Fixes are encoded in the style of the scalar. */
export function reportExpression(
  diagnostic: Diagnostic,
  text: MappedText,
  { document, reporter }: { readonly document: string; readonly reporter: Reporter },
): void {
  const { uri: _, related, fixes, ...rest } = diagnostic;
  const mapped = fixes?.map((fix): Fix => ({ ...fix, edits: editScalar(document, text, fix.edits) }));
  reporter.report({
    ...rest,
    range: documentRange(text, diagnostic.range),
    ...(related && { related: related.map(one => ({ message: one.message, range: documentRange(text, one.range) })) }),
    ...(mapped && mapped.length > 0 && { fixes: mapped }),
  });
}

/** Returns a hint for each deprecated variable. */
function deprecatedVariables(typed: TypedAst, profile: Profile): readonly Diagnostic[] {
  const facts = profile.variables.filter(fact => fact.deprecated);
  if (facts.length === 0 || !facts.some(({ path }) => typed.ast.source.includes(path.split('.').at(-1)!))) return [];
  const deprecated = new Map(facts.map(fact => [fact.path, fact.deprecated!]));
  const found = new Map<string, Diagnostic>();
  const visit = (expr: Expr): void => {
    const path = inputPathOf(typed, expr, { isField: () => true });
    const deprecation = path === undefined ? undefined : deprecated.get(path);
    if (deprecation) found.set(`${rangeOf(expr).start}`, hint(path!, deprecation, rangeOf(expr)));
    else for (const child of childrenOf(expr)) if (child) visit(child);
  };
  visit(typed.ast.root);
  return [...found.values()];
}

/** The range of a presence test is the whole of `has(…)`. */
function rangeOf(expr: Expr): Range {
  return expr.kind === 'select' ? { start: expr.operand.range.start, end: expr.fieldRange.end } : expr.range;
}

function hint(path: string, { use, since }: Deprecation, range: Range): Diagnostic {
  const when = since === undefined ? '' : ` since ${since}`;
  const instead = use === undefined ? 'it has no replacement' : `use \`${use}\``;
  return {
    code: 'name/deprecated-variable',
    severity: 'hint',
    message: `\`${path}\` is deprecated${when}; ${instead}`,
    uri: '',
    range,
    args: { name: path, ...(use !== undefined && { use }), ...(since !== undefined && { since }) },
    tags: ['deprecated'],
    ...(use !== undefined && {
      fixes: [{ title: `change to \`${use}\``, applicability: 'safe', edits: [{ range, newText: use }] }],
    }),
  };
}

/**
 * Returns the tree with each string that contains a placeholder replaced by an unknown string: `'/{{ x }}/y'` becomes
 * `string(placeholder_.s1_)`, a field of the variable of the stand-ins, which no traffic contains.
 */
function withUnknownStrings(ast: Ast): Ast {
  if (!hasStandIns(ast.source)) return ast;
  let { nextId } = ast;
  const call = (name: string, range: Expr['range'], argument: Expr): CallExpr => ({
    ...{ kind: 'call', id: nextId++, range, function: name, functionRange: range, target: undefined },
    args: [argument],
  });
  const rewrite = (expr: Expr): Expr => {
    if (expr.kind !== 'literal') return mapChildren(expr, rewrite);
    const { range, literal } = expr;
    const isText = literal.type === 'string' || literal.type === 'bytes';
    if (!isText || !hasStandIns(ast.source.slice(range.start, range.end))) return expr;
    const operand: Expr = { kind: 'ident', id: nextId++, range, name: STAND_IN_VARIABLE };
    const field = `s${expr.id}_`;
    const value: Expr = { kind: 'select', id: expr.id, range, operand, field, fieldRange: range, testOnly: false };
    const text = call('string', range, value);
    return literal.type === 'bytes' ? call('bytes', range, text) : text;
  };
  const root = rewrite(ast.root);
  return { ...ast, root, nextId };
}

// Calls that JavaScript, Python and PHP have for what CEL writes otherwise, such as `m.get('a')` or `isset(m['a'])`: the expressions that may be meant.

/** An expression that may be meant instead of a call; whether it is, only its types show. */
interface MeantExpression {
  readonly text: string;
  /** True if it needs parentheses inside of another expression. */
  readonly isOperator: boolean;
}

/** What is wrong with a call, and what may be meant, the likeliest first. */
interface ForeignCall {
  readonly what: string;
  readonly meant: readonly MeantExpression[];
}

/** Returns the call whose function has this range. */
function callOf(node: Expr, range: Range): CallExpr | undefined {
  if (node.range.start > range.start || node.range.end < range.end) return undefined;
  const isIt = node.kind === 'call' && node.functionRange.start === range.start && node.functionRange.end === range.end;
  return isIt
    ? node
    : childrenOf(node).reduce<CallExpr | undefined>((found, one) => found ?? callOf(one, range), undefined);
}

/** Returns what may be meant by a call that CEL does not have, or has as a method only; undefined if nothing is known about it. */
function foreignCall(
  { function: name, target, args }: CallExpr,
  source: string,
  isMethod: boolean,
): ForeignCall | undefined {
  const [first, ...others] = args.map(one => source.slice(one.range.start, one.range.end));
  const of = target && source.slice(target.range.start, target.range.end);
  const plain = (text: string): MeantExpression => ({ text, isOperator: false });
  const isIn = (key: string, map: string): MeantExpression => ({ text: `${key} in ${map}`, isOperator: true });
  if (isMethod)
    return first === undefined || of !== undefined
      ? undefined
      : { what: `\`${name}\` is a method`, meant: [plain(`${first}.${name}(${others.join(', ')})`)] };
  if (of === undefined) {
    const tests = args.length === 1 && /^(?:isset|defined|is_?defined|exists?|present)$/i.test(name);
    return tests
      ? { what: '`in` tests for a key, and `has` for a field', meant: presenceOf(args[0]!, source) }
      : undefined;
  }
  if (first === undefined)
    return /^(?:keys|keySet)$/.test(name) ? { what: '`in` looks up the keys of a map', meant: [plain(of)] } : undefined;
  const loop = /^(?:any|some|every|find)$/.test(name) && args.length === 2 && args[0]!.kind === 'ident';
  if (loop) {
    const own = name === 'every' ? 'all' : 'exists';
    return { what: `CEL has no \`${name}\``, meant: [plain(`${of}.${own}(${first}, ${others.join(', ')})`)] };
  }
  if (name === 'get') return { what: 'maps have no `get`', meant: [plain(`${of}[${first}]`), isIn(first, of)] };
  if (/^(?:has|has_?own_?property|has_?key|contains_?key)$/i.test(name))
    return { what: '`in` tests for a key', meant: [isIn(first, of)] };
  if (/^includes?$/i.test(name))
    return { what: `CEL has no \`${name}\``, meant: [plain(`${of}.contains(${first})`), isIn(first, of)] };
  return undefined;
}

/** A test that something is there: the key of a map, or a field. */
function presenceOf(node: Expr, source: string): readonly MeantExpression[] {
  const text = source.slice(node.range.start, node.range.end);
  const [map, key] = node.kind === 'call' && node.function === '_[_]' ? node.args : [];
  if (!map || !key) return [{ text: `has(${text})`, isOperator: false }];
  const [of, name] = [map, key].map(one => source.slice(one.range.start, one.range.end));
  return [{ text: `${name} in ${of}`, isOperator: true }];
}
