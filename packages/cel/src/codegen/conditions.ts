// Generated code for what decides: code that jumps on true, on false and on failure instead of making a value.

import type { CallExpr, Expr, Literal } from '../ast/ast.ts';
import { BOOL, DYN, isOpen, STRING, type Type } from '../ast/types.ts';
import { readsWhole } from '../lowering/lower.ts';
import { type CompiledPattern, compileMatcher } from '../regex/compile-matcher.ts';
import { EvaluationError } from '../values/value.ts';
import { comprehensionDecision } from './loops.ts';
import { identityCondition, keyDecision, pathOf, presenceDecision } from './paths.ts';
import {
  adapt,
  branch,
  chargeOperand,
  constant,
  contextConstant,
  type Decision,
  type Exits,
  emit,
  errorConstant,
  fresh,
  type Generation,
  integerCode,
  operandsOf,
  overloadsOf,
  type PathTrieNode,
  runtimeName,
  staticType,
  stringCode,
  tagged,
  testedSteppingCall,
  wholeValue,
} from './scope.ts';

/** Returns a function that emits a call as a decision; undefined if the call is better emitted as a value. */
type DecisionOfCall = (g: Generation, call: CallExpr) => Decision | undefined;

const DECISIONS: ReadonlyMap<string, DecisionOfCall> = new Map<string, DecisionOfCall>([
  ['_&&_', (g, call) => exits => logicCondition(g, call, exits)],
  ['_||_', (g, call) => exits => logicCondition(g, call, exits)],
  ['!_', (g, call) => exits => g.condition(g, call.args[0] as Expr, negated(exits), call.id)],
  ['_?_:_', conditionalDecision],
  ['_==_', equalityDecision],
  ['_!=_', equalityDecision],
  ['_<_', comparisonDecision],
  ['_<=_', comparisonDecision],
  ['_>_', comparisonDecision],
  ['_>=_', comparisonDecision],
  ['@in', membershipDecision],
  ['contains', stringDecision],
  ['startsWith', stringDecision],
  ['endsWith', stringDecision],
  ['matches', stringDecision],
]);

/** Returns a function that emits a node as a decision; undefined for nodes that are emitted as values. */
export function decisionOf(g: Generation, node: Expr): Decision | undefined {
  if (node.kind === 'call') return DECISIONS.get(node.function)?.(g, node);
  if (node.kind === 'comprehension') return comprehensionDecision(g, node);
  return node.kind === 'select' && node.testOnly ? presenceDecision(g, node) : undefined;
}

function conditionalDecision(g: Generation, call: CallExpr): Decision | undefined {
  if (staticType(g, call).kind !== 'bool') return undefined;
  return exits => conditionalCondition(g, call, exits);
}

/** Emits a decision about any node; see `Generation.condition`. */
export function nodeCondition(g: Generation, node: Expr, exits: Exits, parentId: number): void {
  const decision = decisionOf(g, node);
  if (decision !== undefined) decision(exits);
  else if (node.kind === 'literal' && node.literal.type === 'bool') {
    emit(g, node.literal.value ? exits.whenTrue : exits.whenFalse);
  } else {
    const value = g.value(g, node, exits.fail);
    branch(g, adapt(g, value, { from: staticType(g, node), to: BOOL, exprId: parentId }, exits.fail), exits);
  }
}

/** `==` and `!=`: by identity if the static types allow it, otherwise by CEL equality. */
function equalityDecision(g: Generation, call: CallExpr): Decision | undefined {
  if (overloadsOf(g, call).length === 0) return undefined;
  return exits => equalityCondition(g, call, call.function === '_==_' ? exits : negated(exits));
}

function equalityCondition(g: Generation, call: CallExpr, exits: Exits): void {
  const [left, right] = call.args as readonly [Expr, Expr];
  const types = [staticType(g, left), staticType(g, right)] as const;
  const literal = identityCodes([right], types[0]);
  if (literal !== undefined) {
    identityCondition(g, left, js => oneOfTest(g, js, literal), exits);
    return;
  }
  const a = wholeValue(g, left, exits.fail);
  if (right.kind !== 'literal') chargeOperand(g, { node: left, js: a, type: types[0] });
  const b = wholeValue(g, right, exits.fail);
  if (comparedByIdentity(types[0], types[1])) branch(g, `${a}===${b}`, exits);
  else generalTest(g, { call, operands: [a, b], types, right }, exits);
}

interface Comparison {
  readonly call: CallExpr;
  readonly operands: readonly [string, string];
  readonly types: readonly [Type, Type];
  readonly right: Expr;
}

/** A dynamic value equals a string or bool only if it is identical; an int may also equal a number of another type. */
function generalTest(g: Generation, { call, operands: [a, b], types, right }: Comparison, exits: Exits): void {
  const literal = right.kind === 'literal' && isOpen(types[0]) ? right.literal.type : undefined;
  if (literal === 'string' || literal === 'bool') branch(g, `${a}===${b}`, exits);
  else if (literal === 'int') {
    branch(g, `${a}===${b}||typeof ${a}==="object"&&${runtimeName(g.scope, 'equalsNumber')}(${a},${b})`, exits);
  } else {
    const operands = `${contextConstant(g)},${tagged(g, a, types[0])},${tagged(g, b, types[1])}`;
    testedSteppingCall(g, `${runtimeName(g.scope, 'equals')}(${operands})`, call.id, exits);
  }
}

const IDENTICAL_WHEN_EQUAL: ReadonlySet<Type['kind']> = new Set(['bool', 'int', 'uint', 'double', 'string']);

/**
 * Canonical integers are equal if and only if they are identical, bigints included. For doubles, NaN differs from itself and 0 equals -0.
 */
function comparedByIdentity(left: Type, right: Type): boolean {
  return left.kind === right.kind && IDENTICAL_WHEN_EQUAL.has(left.kind);
}

const OPERATORS: Readonly<Record<string, string>> = { '_<_': '<', '_<=_': '<=', '_>_': '>', '_>=_': '>=' };

/** Not for integers next to doubles, which are rounded beyond 2^53 first; the runtime handles those. */
const NUMERIC = /^(less|greater)(_equals)?_(bool|u?int64(_u?int64)?|double)$/;

/** Compares numbers, which JavaScript compares exactly even between numbers and bigints, and strings. */
function comparisonDecision(g: Generation, call: CallExpr): Decision | undefined {
  const overloads = overloadsOf(g, call);
  const [overload] = overloads;
  if (overload === undefined || overloads.length > 1) return undefined;
  const operator = OPERATORS[call.function] ?? '';
  if (NUMERIC.test(overload.id)) {
    return (
      sizeComparison(g, call, operator) ?? (exits => branch(g, operandsCode(g, call, exits).join(operator), exits))
    );
  }
  if (!overload.id.endsWith('_string')) return undefined;
  return exits => {
    const [a, b] = operandsCode(g, call, exits);
    branch(g, `${runtimeName(g.scope, 'compareStrings')}(${a},${b})${operator}0`, exits);
  };
}

function operandsCode(g: Generation, call: CallExpr, exits: Exits): readonly string[] {
  const params = overloadsOf(g, call)[0]?.params ?? [];
  return call.args.map((arg, index) => {
    const to = params[index] ?? DYN;
    const js = adapt(g, g.value(g, arg, exits.fail), { from: staticType(g, arg), to, exprId: call.id }, exits.fail);
    chargeOperand(g, { node: arg, js, type: to });
    return js;
  });
}

/** Emits a chain of `&&` or `||`. */
function logicCondition(g: Generation, call: CallExpr, exits: Exits): void {
  const conjunction = call.function === '_&&_';
  chainCondition(g, mergeEqualities(g, operandsOfChain(call), conjunction), conjunction, exits);
}

/**
 * Emits operands joined by `&&` or `||`. An error or unknown does not end the chain: it is kept in a variable and counts only if no other
 * operand decides.
 */
export function chainCondition(g: Generation, operands: readonly Decision[], conjunction: boolean, exits: Exits): void {
  const done = fresh(g, 'L');
  const decided = (conjunction ? exits.whenFalse : exits.whenTrue) || `break ${done};`;
  const pending = fresh(g, 'p');
  emit(g, `${done}:{let ${pending};\n`);
  operands.forEach((operand, index) => {
    const next = fresh(g, 'L');
    const keep = (nonValue: string) => (index === 0 ? nonValue : mergeCode(g, pending, nonValue));
    emit(g, `${next}:{`);
    operand({
      whenTrue: conjunction ? '' : decided,
      whenFalse: conjunction ? decided : '',
      fail: nonValue => `${pending}=${keep(nonValue)};break ${next};`,
    });
    emit(g, '}\n');
  });
  const undecided = conjunction ? exits.whenTrue : exits.whenFalse;
  emit(g, `if(${pending}!==undefined){${exits.fail(pending)}}${undecided}}\n`);
}

function mergeCode(g: Generation, pending: string, nonValue: string): string {
  return `${runtimeName(g.scope, 'combineUndecided')}(${pending},${nonValue})`;
}

/** A chain is a tree of calls; it is emitted as one list. */
function operandsOfChain(call: CallExpr): readonly Operand[] {
  const operands: Operand[] = [];
  const visit = (node: Expr, parent: CallExpr): void => {
    if (node.kind === 'call' && node.function === call.function) {
      for (const arg of node.args) visit(arg, node);
    } else operands.push({ node, parent });
  };
  visit(call, call);
  return operands;
}

/** Emits `c ? a : b` as a decision. */
function conditionalCondition(g: Generation, call: CallExpr, exits: Exits): void {
  const [test, then, otherwise] = call.args as readonly [Expr, Expr, Expr];
  const done = fresh(g, 'L');
  const other = fresh(g, 'L');
  const leaving: Exits = {
    whenTrue: exits.whenTrue || `break ${done};`,
    whenFalse: exits.whenFalse || `break ${done};`,
    fail: exits.fail,
  };
  emit(g, `${done}:{${other}:{`);
  g.condition(g, test, { whenTrue: '', whenFalse: `break ${other};`, fail: exits.fail }, call.id);
  g.condition(g, then, leaving, call.id);
  emit(g, '}\n');
  g.condition(g, otherwise, leaving, call.id);
  emit(g, '}\n');
}

/** Up to here, comparisons are faster than a set lookup (measured with strings of 4 to 20 UTF-16 units). */
const MAX_COMPARISONS = 6;

/** Returns the source of a literal that `===` compares as CEL does if the other side has the same static type. */
function identityCode(literal: Literal): string | undefined {
  switch (literal.type) {
    case 'string':
      return stringCode(literal.value);
    case 'int':
    case 'uint':
      return integerCode(literal.value);
    default:
      return undefined;
  }
}

/** Returns the distinct sources of literals of one type; undefined if there are other nodes. */
function identityCodes(nodes: readonly Expr[], type: Type): readonly string[] | undefined {
  const codes = new Set<string>();
  for (const node of nodes) {
    if (node.kind !== 'literal' || node.literal.type !== type.kind) return undefined;
    const code = identityCode(node.literal);
    if (code === undefined) return undefined;
    codes.add(code);
  }
  return [...codes];
}

/** Returns a test that a value is one of some literals. */
function oneOfTest(g: Generation, js: string, codes: readonly string[]): string {
  if (codes.length === 0) return 'false';
  if (codes.length <= MAX_COMPARISONS) return codes.map(code => `${js}===${code}`).join('||');
  return `${constant(g.scope, `new Set([${codes.join(',')}])`)}.has(${js})`;
}

/** An operand and its call. */
interface Operand {
  readonly node: Expr;
  readonly parent: CallExpr;
}

interface Equality {
  readonly node: Expr;
  readonly literals: Expr[];
}

/** Merges `p == a || p == b` into one membership test, and `p != a && p != b` likewise. */
function mergeEqualities(g: Generation, operands: readonly Operand[], conjunction: boolean): readonly Decision[] {
  const groups = new Map<PathTrieNode, Equality>();
  const codes: Decision[] = [];
  for (const { node, parent } of operands) {
    const equality = equalityOf(g, node, conjunction ? '_!=_' : '_==_');
    const known = equality && groups.get(equality.key);
    if (known !== undefined) known.literals.push(equality?.literal as Expr);
    else if (equality === undefined) codes.push(exits => g.condition(g, node, exits, parent.id));
    else {
      const group: Equality = { node: equality.path, literals: [equality.literal] };
      groups.set(equality.key, group);
      codes.push(exits => oneOfCondition(g, group, conjunction ? negated(exits) : exits));
    }
  }
  return codes;
}

function oneOfCondition(g: Generation, group: Equality, exits: Exits): void {
  const codes = identityCodes(group.literals, staticType(g, group.node)) ?? [];
  identityCondition(g, group.node, js => oneOfTest(g, js, codes), exits);
}

function negated(exits: Exits): Exits {
  return { whenTrue: exits.whenFalse, whenFalse: exits.whenTrue, fail: exits.fail };
}

/** Matches `path == literal`, in either order, for a static type that is compared by identity. */
function equalityOf(
  g: Generation,
  node: Expr,
  operator: string,
): { key: PathTrieNode; path: Expr; literal: Expr } | undefined {
  if (node.kind !== 'call' || node.function !== operator) return undefined;
  const [left, right] = node.args as readonly [Expr, Expr];
  const [path, literal] = left.kind === 'literal' ? [right, left] : [left, right];
  const key = pathOf(g, path)?.trieNodes.at(-1);
  if (key === undefined || identityCodes([literal], staticType(g, path)) === undefined) return undefined;
  return { key, path, literal };
}

/** `x in y`. */
function membershipDecision(g: Generation, call: CallExpr): Decision | undefined {
  const overloads = overloadsOf(g, call);
  if (overloads.length === 0) return undefined;
  if (overloads.length > 1) return exits => dynamicMembership(g, call, exits);
  const literals = literalsOf(g, call);
  if (literals !== undefined) return exits => literalMembership(g, call, literals, exits);
  if (overloads[0]?.id === 'in_map') return keyDecision(g, call);
  return exits => elementMembership(g, call, exits);
}

function literalsOf(g: Generation, call: CallExpr): readonly string[] | undefined {
  const [element, list] = call.args as readonly [Expr, Expr];
  if (list.kind !== 'list' || list.optionalIndices.length > 0) return undefined;
  return identityCodes(list.elements, staticType(g, element));
}

function literalMembership(g: Generation, call: CallExpr, codes: readonly string[], exits: Exits): void {
  identityCondition(g, call.args[0] as Expr, js => oneOfTest(g, js, codes), exits);
}

/** The value decides whether it is a list or a map. */
function dynamicMembership(g: Generation, call: CallExpr, exits: Exits): void {
  const [element, container] = call.args as readonly [Expr, Expr];
  const found = tagged(g, wholeValue(g, element, exits.fail), staticType(g, element));
  const within = tagged(g, g.value(g, container, exits.fail), staticType(g, container));
  testedSteppingCall(g, `${runtimeName(g.scope, 'inValue')}(${contextConstant(g)},${found},${within})`, call.id, exits);
}

/** An element of a list; strings and bools are compared by identity. */
function elementMembership(g: Generation, call: CallExpr, exits: Exits): void {
  const [element, list] = call.args as readonly [Expr, Expr];
  const elementType = staticType(g, element);
  const listType = staticType(g, list);
  const found = tagged(g, wholeValue(g, element, exits.fail), elementType);
  const from = g.value(g, list, exits.fail);
  const to = { kind: 'list', element: DYN } as const;
  const listCode = adapt(g, from, { from: listType, to, exprId: call.id }, exits.fail);
  testedSteppingCall(
    g,
    `${runtimeName(g.scope, 'inList')}(${contextConstant(g)},${found},${listCode})`,
    call.id,
    exits,
  );
}

/**
 * Emits `size(string) < n` and the like by the number of UTF-16 units where that decides: the number of code points is at most that and at
 * least half of it.
 */
function sizeComparison(g: Generation, call: CallExpr, operator: string): Decision | undefined {
  const [left, right] = call.args as readonly [Expr, Expr];
  const text = sizedString(g, left);
  if (text === undefined || right.kind !== 'literal' || right.literal.type !== 'int') return undefined;
  const bound = right.literal.value;
  if (typeof bound !== 'number' || bound < 1 || bound > 1e9) return undefined;
  // For `<` and `>=`, the question is whether the size is below `least`; for the others, whether it is below one more.
  const least = operator === '<' || operator === '>=' ? bound : bound + 1;
  const fewer = operator === '<' || operator === '<=';
  return exits =>
    fewerThan(g, { text, least }, fewer ? exits : { ...exits, whenTrue: exits.whenFalse, whenFalse: exits.whenTrue });
}

function fewerThan(g: Generation, { text, least }: { text: Expr; least: number }, exits: Exits): void {
  const value = g.value(g, text, exits.fail);
  chargeOperand(g, { node: text, js: value, type: STRING });
  const size = `${runtimeName(g.scope, 'sizeOfString')}(${value})`;
  branch(g, `${value}.length<${least}||${value}.length<${2 * least}&&${size}<${least}`, exits);
}

/** Returns the string whose size a node is. */
function sizedString(g: Generation, node: Expr): Expr | undefined {
  if (node.kind !== 'call' || node.function !== 'size' || overloadsOf(g, node).length !== 1) return undefined;
  const [text] = operandsOf(g, node);
  return text !== undefined && staticType(g, text).kind === 'string' ? text : undefined;
}

/** JavaScript methods for overloads with the same meaning for all strings. */
const METHODS: Readonly<Record<string, string>> = {
  contains_string: 'includes',
  starts_with_string: 'startsWith',
  ends_with_string: 'endsWith',
};

const PATTERN_OVERLOADS: ReadonlySet<string> = new Set(['matches', 'matches_string']);

/** Emits tests of a string. */
function stringDecision(g: Generation, call: CallExpr): Decision | undefined {
  const overloads = overloadsOf(g, call);
  const id = overloads.length === 1 ? (overloads[0]?.id ?? '') : '';
  const method = METHODS[id];
  if (method !== undefined) return exits => methodCondition(g, call, method, exits);
  const pattern = operandsOf(g, call)[1];
  if (!PATTERN_OVERLOADS.has(id) || pattern?.kind !== 'literal' || pattern.literal.type !== 'string') return undefined;
  const compiled = compileMatcher(pattern.literal.value, g.env.limits, g.env.patternEngine);
  return exits => patternCondition(g, call, compiled, exits);
}

function methodCondition(g: Generation, call: CallExpr, method: string, exits: Exits): void {
  const [text, part] = textsOf(g, call, exits);
  branch(g, `${text}.${method}(${part})`, exits);
}

/** Emits the fastest test that is equivalent to a constant pattern. */
function patternCondition(
  g: Generation,
  call: CallExpr,
  compiled: CompiledPattern | EvaluationError,
  exits: Exits,
): void {
  const [text = '', pattern = ''] = textsOf(g, call, exits);
  if (compiled instanceof EvaluationError) {
    emit(g, `{${exits.fail(errorConstant(g.scope, compiled.code, compiled.message, call.id))}}\n`);
  } else branch(g, patternTest(g, compiled, { text, pattern }), exits);
}

function patternTest(
  g: Generation,
  compiled: CompiledPattern,
  { text, pattern }: { text: string; pattern: string },
): string {
  switch (compiled.kind) {
    case 'literal':
      return `${text}.includes(${stringCode(compiled.text)})`;
    case 'prefix':
      return `${text}.startsWith(${stringCode(compiled.text)})`;
    case 'suffix':
      return `${text}.endsWith(${stringCode(compiled.text)})`;
    case 'equals':
      return `${text}===${stringCode(compiled.text)}`;
    case 'regexp': {
      const { source, flags } = compiled.regexp;
      return `${constant(g.scope, `new RegExp(${stringCode(source)},${stringCode(flags)})`)}.test(${text})`;
    }
    case 're2':
      return `${constant(g.scope, `${runtimeName(g.scope, 'compileRe2')}(${pattern})`)}.test(${text})`;
  }
}

function textsOf(g: Generation, call: CallExpr, exits: Exits): readonly string[] {
  return operandsOf(g, call).map((node, index) => {
    const change = { from: staticType(g, node), to: STRING, exprId: call.id };
    const js = adapt(g, g.value(g, node, exits.fail), change, exits.fail);
    if (readsWhole(overloadsOf(g, call), index)) chargeOperand(g, { node, js, type: STRING });
    return js;
  });
}
