// Builds the tree while the grammar parses: operators by precedence, chains balanced, macros expanded.

import type { Range } from '@tollgate/diagnostics';
import type { CallExpr, Expr, FieldInit, Literal, MapEntry, SelectExpr } from '../ast/ast.ts';
import { doubleValue, intValue, quotedLiteral, uintValue } from './literal-value.ts';
import { ExpansionFactory, findMacro, type Macro } from './macros.ts';
import { LimitExceeded, limitFinding, type ParseFinding, type Reporter } from './reporter.ts';
import * as T from './tokens.ts';
import { OPERATORS, type OperatorInfo, RESERVED_WORDS, type Token } from './tokens.ts';

/** Creates and numbers the nodes of one tree, expands macros, and collects errors beyond syntax. */
export class TreeBuilder {
  /** Created when the first macro is expanded; most expressions have none. */
  private expanded: Map<number, CallExpr> | undefined;
  nextId = 1;
  readonly source: string;
  private readonly macros: ReadonlyMap<string, Macro>;
  readonly reporter: Reporter;

  constructor(source: string, macros: ReadonlyMap<string, Macro>, reporter: Reporter) {
    this.source = source;
    this.macros = macros;
    this.reporter = reporter;
  }

  get macroCalls(): Map<number, CallExpr> {
    this.expanded ??= new Map();
    return this.expanded;
  }

  /** The macro calls for the finished tree. */
  get expansions(): ReadonlyMap<number, CallExpr> {
    return this.expanded ?? NO_EXPANSIONS;
  }

  /** @throws LimitExceeded if the tree has too many nodes */
  newId(): number {
    const { limits } = this.reporter;
    if (this.nextId > limits.maxNodes) {
      throw new LimitExceeded(limitFinding('maxNodes', limits, { start: 0, end: this.source.length }));
    }
    return this.nextId++;
  }

  error(start: number, end: number): Expr {
    return { kind: 'error', id: this.newId(), range: { start, end } };
  }

  ident(token: T.Token, leadingDot: T.Token | undefined): Expr {
    const start = leadingDot === undefined ? token.startOffset : leadingDot.startOffset;
    if (RESERVED_WORDS.has(token.image)) return this.reserved(token);
    const name = leadingDot === undefined ? token.image : `.${token.image}`;
    return { kind: 'ident', id: this.newId(), range: { start, end: token.end }, name };
  }

  private reserved(token: T.Token): Expr {
    this.reporter.report({
      code: 'syntax/reserved-word',
      message: `\`${token.image}\` is a reserved word and may not be used as a name`,
      range: { start: token.startOffset, end: token.end },
      args: { found: token.image },
    });
    return this.error(token.startOffset, token.end);
  }

  literal(token: T.Token): Expr {
    switch (token.tokenType) {
      case T.StringLiteral:
      case T.BytesLiteral:
        return this.quoted(token);
      case T.True:
        return this.literalNode({ type: 'bool', value: true }, token.startOffset, token.end);
      case T.False:
        return this.literalNode({ type: 'bool', value: false }, token.startOffset, token.end);
      case T.Null:
        return this.literalNode({ type: 'null', value: null }, token.startOffset, token.end);
      case T.UnterminatedLiteral:
        return this.error(token.startOffset, token.end);
      default:
        return this.number(token, undefined);
    }
  }

  private quoted(token: T.Token): Expr {
    const { startOffset: start, end } = token;
    const value = quotedLiteral(this.source, start, end, this.reporter);
    return value === undefined ? this.error(start, end) : this.literalNode(value, start, end);
  }

  /** Returns a number, negated by a directly preceding minus sign. */
  number(token: T.Token, minus: T.Token | undefined): Expr {
    const text = this.source.slice(token.startOffset, token.end);
    const range = { start: minus === undefined ? token.startOffset : minus.startOffset, end: token.end };
    const value = this.numberValue(token, text, { negative: minus !== undefined, range });
    if ('code' in value) {
      this.reporter.report(value);
      return this.error(range.start, range.end);
    }
    return this.literalNode(value, range.start, range.end);
  }

  private numberValue(token: T.Token, text: string, sign: { negative: boolean; range: Range }): Literal | ParseFinding {
    switch (token.tokenType) {
      case T.DoubleLiteral:
        return doubleValue(sign.negative ? `-${text}` : text, sign.range);
      case T.UintLiteral:
        return uintValue(text, sign.range);
      default:
        return intValue(text, sign.negative, sign.range);
    }
  }

  private literalNode(literal: Literal, start: number, end: number): Expr {
    return { kind: 'literal', id: this.newId(), range: { start, end }, literal };
  }

  select(operand: Expr, field: T.Token, start: number): Expr {
    return {
      kind: 'select',
      id: this.newId(),
      range: { start, end: field.end },
      operand,
      field: field.image,
      fieldRange: { start: field.startOffset, end: field.end },
      testOnly: false,
    };
  }

  optionalSelect(operand: Expr, question: T.Token, field: T.Token, start: number): Expr {
    const range = { start: field.startOffset, end: field.end };
    const name: Expr = { kind: 'literal', id: this.newId(), range, literal: { type: 'string', value: field.image } };
    return this.operator('_?._', [operand, name], { operator: question, start, end: field.end });
  }

  /** Returns an operator's call; `start` and `end` include parentheses around the operands. */
  operator(name: string, args: readonly Expr[], at: { operator: T.Token; start: number; end: number }): Expr {
    return {
      kind: 'call',
      id: this.newId(),
      range: { start: at.start, end: at.end },
      function: name,
      functionRange: { start: at.operator.startOffset, end: at.operator.end },
      target: undefined,
      args,
    };
  }

  /** Returns an operand that ends at `end` with an odd number of prefix operators. */
  prefixed(signs: readonly T.Token[], operand: Expr, end: number): Expr {
    const operator = signs[0] as T.Token;
    const name = operator.tokenType === T.Bang ? '!_' : '-_';
    return this.operator(name, [operand], { operator, start: operator.startOffset, end });
  }

  /** Returns a call by name, expanded if it is a macro. */
  call(name: T.Token, args: readonly Expr[], at: { target: Expr | undefined; start: number; end: number }): Expr {
    const { target, start, end } = at;
    const isGlobal = target === undefined;
    if (isGlobal && RESERVED_WORDS.has(name.image)) return this.reserved(name);
    const call: CallExpr = {
      kind: 'call',
      id: this.newId(),
      range: { start, end },
      function: isGlobal && this.source[start] === '.' ? `.${name.image}` : name.image,
      functionRange: { start: name.startOffset, end: name.end },
      target,
      args,
    };
    const macro = findMacro(this.macros, call);
    return macro === undefined ? call : this.expand(macro, call);
  }

  private expand(macro: Macro, call: CallExpr): Expr {
    const expansion = macro.expand(new ExpansionFactory(this, call), call);
    if (expansion === undefined) return call;
    if (expansion.kind !== 'error') this.macroCalls.set(expansion.id, call);
    return expansion;
  }

  list(elements: readonly Expr[], optionalIndices: readonly number[], start: number, end: number): Expr {
    return { kind: 'list', id: this.newId(), range: { start, end }, elements, optionalIndices };
  }

  entry(key: Expr, value: Expr, at: { optional: boolean; start: number; end: number }): MapEntry {
    return { id: this.newId(), range: { start: at.start, end: at.end }, key, value, optional: at.optional };
  }

  map(entries: readonly MapEntry[], start: number, end: number): Expr {
    return { kind: 'map', id: this.newId(), range: { start, end }, entries };
  }

  field(field: T.Token, value: Expr, at: { optional: boolean; start: number; end: number }): FieldInit {
    return {
      id: this.newId(),
      range: { start: at.start, end: at.end },
      field: field.image,
      value,
      optional: at.optional,
    };
  }

  struct(typeName: Expr, fields: readonly FieldInit[], at: { brace: T.Token; start: number; end: number }): Expr {
    const name = qualifiedName(typeName, at.start);
    if (name === undefined) {
      if (typeName.kind !== 'error') {
        this.reporter.report({
          code: 'syntax/unexpected-token',
          message: 'expected a type name before `{`, or an operator between the expression and the map',
          range: { start: at.brace.startOffset, end: at.brace.end },
          args: { found: '{' },
        });
      }
      return this.error(at.start, at.end);
    }
    return { kind: 'struct', id: this.newId(), range: { start: at.start, end: at.end }, typeName: name, fields };
  }
}

const NO_EXPANSIONS: ReadonlyMap<number, CallExpr> = new Map();

/** Returns `a.b.c` as a string if the expression consists only of names; `start` reveals parentheses, which are not allowed. */
function qualifiedName(expr: Expr, start: number): string | undefined {
  const fields: string[] = [];
  let at = expr;
  while (at.kind === 'select' && !at.testOnly) {
    // A type name contains neither parentheses nor backticks.
    if (at.fieldRange.end - at.fieldRange.start !== at.field.length || at.range.start !== start) return undefined;
    fields.push((at satisfies SelectExpr).field);
    at = at.operand;
  }
  if (at.kind !== 'ident' || at.range.start !== start) return undefined;
  return [at.name, ...fields.reverse()].join('.');
}

const BY_TOKEN_TYPE: readonly (OperatorInfo | undefined)[] = T.TOKEN_TYPES.reduce(
  (table: (OperatorInfo | undefined)[], type) => {
    table[type.tokenTypeIdx as number] = OPERATORS.find(info => info.text === type.LABEL);
    return table;
  },
  [],
);

/**
 * Builds a tree from operands and operators by precedence. One stack serves all nested chains: a chain starts at the current size. Hot:
 * parallel arrays avoid an object per operand.
 */
export class OperationStack {
  /** The number of operands of all open chains. */
  size = 0;
  /** The size at which the current chain started. */
  base = 0;
  private tree!: TreeBuilder;
  private readonly operands: Expr[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  /** The operator at `i` is between operands `i - 1` and `i` of a chain. */
  private readonly operators: (Token | undefined)[] = [];
  private readonly infos: (OperatorInfo | undefined)[] = [];

  /** The range of the operand includes its parentheses. */
  pushFirst(operand: Expr, start: number, end: number): void {
    this.set(this.size++, operand, start, end);
  }

  /** Combines operators that bind tighter than the new one, then pushes it with its right operand. */
  push(operator: Token, operand: Expr, start: number, end: number): void {
    const info = BY_TOKEN_TYPE[operator.tokenTypeIdx] as OperatorInfo;
    while (this.size - 1 > this.base && isDone(this.infos[this.size - 1] as OperatorInfo, info)) this.reduce();
    const index = this.size++;
    this.operators[index] = operator;
    this.infos[index] = info;
    this.set(index, operand, start, end);
  }

  /** Ends the chain and returns its tree. */
  finish(): Expr {
    while (this.size - 1 > this.base) this.reduce();
    this.size = this.base;
    return this.operands[this.base] as Expr;
  }

  /** Starts a tree. Old entries are overwritten, or dropped if there are many, because clearing arrays means growing them again. */
  reset(tree: TreeBuilder): void {
    this.tree = tree;
    this.size = 0;
    this.base = 0;
    if (this.operands.length > KEPT_LENGTH) {
      this.operands.length = 0;
      this.operators.length = 0;
    }
  }

  private set(index: number, operand: Expr, start: number, end: number): void {
    this.operands[index] = operand;
    this.starts[index] = start;
    this.ends[index] = end;
  }

  /** Combines the topmost operands that are joined by one operator, or by a run of one balanced operator. */
  private reduce(): void {
    const info = this.infos[this.size - 1] as OperatorInfo;
    let first = this.size - 2;
    if (info.balanced) while (first > this.base && this.infos[first] === info) first--;
    const last = this.size - 1;
    this.operands[first] = this.combine(info, first, last);
    this.ends[first] = this.ends[last] as number;
    this.size = first + 1;
  }

  /** Returns the balanced tree over operands `first` to `last`, split like in the reference implementation. */
  private combine(info: OperatorInfo, first: number, last: number): Expr {
    if (first === last) return this.operands[first] as Expr;
    const split = (first + 1 + last + 1) >> 1;
    const left = this.combine(info, first, split - 1);
    const right = this.combine(info, split, last);
    return this.tree.operator(info.function, [left, right], {
      operator: this.operators[split] as Token,
      start: this.starts[first] as number,
      end: this.ends[last] as number,
    });
  }
}

const KEPT_LENGTH = 256;

function isDone(top: OperatorInfo, next: OperatorInfo): boolean {
  return top.precedence > next.precedence || (top.precedence === next.precedence && !top.balanced);
}

/** An operand with its start, parentheses included. */
interface Placed {
  readonly value: Expr;
  readonly start: number;
}

/** `? then : otherwise` with its end. */
export interface Branch {
  readonly question: Token;
  readonly then: Expr;
  readonly otherwise: Placed;
  readonly end: number;
}

/** Builds `first ? a : b ? c : d`, which is right-associative. Iterative, because brackets do not bound its length. */
export function conditionalTree(tree: TreeBuilder, first: Placed, branches: readonly Branch[]): Expr {
  const last = branches.at(-1) as Branch;
  return branches.reduceRight((otherwise, { question, then }, index) => {
    const condition = branches[index - 1]?.otherwise ?? first;
    const at = { operator: question, start: condition.start, end: last.end };
    return tree.operator('_?_:_', [condition.value, then, otherwise], at);
  }, last.otherwise.value);
}
