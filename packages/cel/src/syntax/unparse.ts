import type { Ast, CallExpr, Expr, ListExpr } from './ast.ts';
import { balancedTerms } from './balanced-terms.ts';
import {
  CONDITIONAL_PRECEDENCE,
  MEMBER_PRECEDENCE,
  OPERATORS,
  type OperatorInfo,
  UNARY_PRECEDENCE,
} from './operators.ts';
import { printField, printLiteral } from './print-literal.ts';

/**
 * Source text that parses to the same tree, ids and ranges aside: on one line, with only the parentheses that this needs,
 * macros as they were called, and error nodes as they were written. Nodes that no text stands for, such as comprehensions
 * without their macro call, are printed in a form that does not parse.
 */
export function unparse(ast: Ast): string {
  return new Printer(ast).print(ast.root, CONDITIONAL_PRECEDENCE);
}

const BINARY: ReadonlyMap<string, OperatorInfo> = new Map(OPERATORS.map(info => [info.function, info]));
const OR_PRECEDENCE = CONDITIONAL_PRECEDENCE + 1;

class Printer {
  private readonly ast: Ast;

  constructor(ast: Ast) {
    this.ast = ast;
  }

  /** The text of a node, in parentheses when it binds looser than `least`. */
  print(expr: Expr, least: number): string {
    const written = this.ast.macroCalls.get(expr.id);
    if (written !== undefined) return this.namedCall(written);
    const text = this.content(expr);
    return precedenceOf(expr) < least ? `(${text})` : text;
  }

  private content(expr: Expr): string {
    switch (expr.kind) {
      case 'literal':
        return printLiteral(expr.literal);
      case 'ident':
        return expr.name;
      case 'select': {
        const text = `${this.print(expr.operand, MEMBER_PRECEDENCE)}.${printField(expr.field)}`;
        return expr.testOnly ? `has(${text})` : text;
      }
      case 'call':
        return this.call(expr);
      case 'list':
        return this.list(expr);
      case 'error':
        return this.ast.source.slice(expr.range.start, expr.range.end);
      default:
        return this.structured(expr);
    }
  }

  private structured(expr: Extract<Expr, { kind: 'map' | 'struct' | 'comprehension' }>): string {
    if (expr.kind === 'comprehension') {
      const { iterVar, iterVar2, accuVar, iterRange, accuInit, loopCondition, loopStep, result } = expr;
      const names = [iterVar, ...(iterVar2 === undefined ? [] : [iterVar2]), accuVar];
      return `@fold(${[...names, this.all([iterRange, accuInit, loopCondition, loopStep, result])].join(', ')})`;
    }
    const items =
      expr.kind === 'map'
        ? expr.entries.map(({ key, value, optional }) => this.entry(this.print(key, 0), value, optional))
        : expr.fields.map(({ field, value, optional }) => this.entry(printField(field), value, optional));
    return `${expr.kind === 'struct' ? expr.typeName : ''}{${items.join(', ')}}`;
  }

  private entry(key: string, value: Expr, optional: boolean): string {
    return `${optional ? '?' : ''}${key}: ${this.print(value, CONDITIONAL_PRECEDENCE)}`;
  }

  private list({ elements, optionalIndices }: ListExpr): string {
    const texts = elements.map(element => this.print(element, CONDITIONAL_PRECEDENCE));
    for (const index of optionalIndices) texts[index] = `?${texts[index]}`;
    return `[${texts.join(', ')}]`;
  }

  private all(exprs: readonly Expr[]): string {
    return exprs.map(expr => this.print(expr, CONDITIONAL_PRECEDENCE)).join(', ');
  }

  private call(expr: CallExpr): string {
    const binary = BINARY.get(expr.function);
    if (isOperator(expr, 2) && binary !== undefined) return this.binary(expr, binary);
    if (isOperator(expr, 1) && UNARY.has(expr.function)) return this.unary(expr);
    if (isOperator(expr, 3) && expr.function === '_?_:_') return this.conditional(expr);
    if (isOperator(expr, 2) && MEMBER.has(expr.function)) return this.member(expr);
    return this.namedCall(expr);
  }

  private namedCall({ target, function: name, args }: CallExpr): string {
    const prefix = target === undefined ? '' : `${this.print(target, MEMBER_PRECEDENCE)}.`;
    return `${prefix}${name}(${this.all(args)})`;
  }

  private binary(expr: CallExpr, { text, precedence, balanced }: OperatorInfo): string {
    if (balanced) {
      const isChain = (one: Expr): one is CallExpr => isSameOperation(one, expr) && !this.ast.macroCalls.has(one.id);
      return balancedTerms(expr, isChain)
        .map(term => this.print(term, precedence + 1))
        .join(` ${text} `);
    }
    const [left, right] = expr.args as [Expr, Expr];
    return `${this.print(left, precedence)} ${text} ${this.print(right, precedence + 1)}`;
  }

  private unary(expr: CallExpr): string {
    const operand = this.print(expr.args[0] as Expr, MEMBER_PRECEDENCE);
    if (expr.function === '!_') return `!${operand}`;
    // A minus sign before a number would become part of it.
    return NUMBER_FIRST.test(operand) ? `-(${operand})` : `-${operand}`;
  }

  private conditional(expr: CallExpr): string {
    const [condition, then, otherwise] = expr.args as [Expr, Expr, Expr];
    const parts = [this.print(condition, OR_PRECEDENCE), this.print(then, OR_PRECEDENCE)];
    return `${parts.join(' ? ')} : ${this.print(otherwise, CONDITIONAL_PRECEDENCE)}`;
  }

  private member(expr: CallExpr): string {
    const [operand, key] = expr.args as [Expr, Expr];
    const text = this.print(operand, MEMBER_PRECEDENCE);
    if (expr.function === '_?._') return `${text}.?${printField(fieldName(key) ?? '')}`;
    return `${text}[${expr.function === '_[?_]' ? '?' : ''}${this.print(key, CONDITIONAL_PRECEDENCE)}]`;
  }
}

const UNARY: ReadonlySet<string> = new Set(['!_', '-_']);
const MEMBER: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);
/** An int or double, with or without its sign; a uint takes no sign. */
const NUMBER_FIRST = /^(?:-|(?![0-9]+u)[0-9])/;

function isOperator(expr: CallExpr, operands: number): boolean {
  return expr.target === undefined && expr.args.length === operands;
}

function isSameOperation(one: Expr, other: CallExpr): one is CallExpr {
  return one.kind === 'call' && one.function === other.function && isOperator(one, 2);
}

function fieldName(key: Expr): string | undefined {
  return key.kind === 'literal' && key.literal.type === 'string' ? key.literal.value : undefined;
}

function precedenceOf(expr: Expr): number {
  if (expr.kind === 'error') return CONDITIONAL_PRECEDENCE;
  if (expr.kind !== 'call') return MEMBER_PRECEDENCE;
  if (isOperator(expr, 3) && expr.function === '_?_:_') return CONDITIONAL_PRECEDENCE;
  if (isOperator(expr, 1) && UNARY.has(expr.function)) return UNARY_PRECEDENCE;
  const binary = isOperator(expr, 2) ? BINARY.get(expr.function) : undefined;
  return binary?.precedence ?? MEMBER_PRECEDENCE;
}
