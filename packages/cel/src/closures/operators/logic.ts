import type { CallExpr, Expr } from '../../ast/ast.ts';
import type { Activation } from '../../environment/program.ts';
import { BOOL } from '../../types/type.ts';
import { combineUndecided } from '../../values/combine-undecided.ts';
import type { Code, Compiler, Locals, Outcome } from '../code/code.ts';
import { convertCode } from '../code/conversion.ts';
import { mergeEqualities } from './equality-chain.ts';

/** The two operators differ only in the value that decides alone: false for `&&`, true for `||`. */
export function compileLogic(call: CallExpr, compiler: Compiler): Code {
  const decisive = call.function === '_||_';
  const operands = operandsOf(call, compiler);
  return decisive ? disjunction(operands) : conjunction(operands);
}

/** A chain is a tree of calls; it runs as one list. */
function operandsOf(call: CallExpr, compiler: Compiler): readonly Code[] {
  const operands: { readonly expr: Expr; readonly compile: () => Code }[] = [];
  const visit = (expr: Expr, parent: CallExpr): void => {
    if (expr.kind === 'call' && expr.function === call.function) {
      for (const arg of expr.args) visit(arg, expr);
    } else {
      const compile = (): Code =>
        convertCode(compiler.compile(expr), { from: compiler.typeOf(expr), to: BOOL, exprId: parent.id });
      operands.push({ expr, compile });
    }
  };
  visit(call, call);
  return mergeEqualities(operands, call.function === '_||_' ? '_==_' : '_!=_', compiler);
}

function conjunction(operands: readonly Code[]): Code {
  const [first, second, third] = operands;
  if (operands.length === 1 && first !== undefined) return first;
  if (operands.length === 2 && first !== undefined && second !== undefined) {
    return (activation, locals) => {
      const left = first(activation, locals);
      if (left === false) return false;
      const right = second(activation, locals);
      return left === true || right === false ? right : combineUndecided(left, right);
    };
  }
  if (operands.length === 3 && first !== undefined && second !== undefined && third !== undefined) {
    const rest = operands.slice(1);
    return (activation, locals) => {
      const left = first(activation, locals);
      if (left === false) return false;
      if (left !== true) return settle(rest, { decisive: false, pending: left, activation, locals });
      const middle = second(activation, locals);
      if (middle === false) return false;
      const right = third(activation, locals);
      return middle === true || right === false ? right : combineUndecided(middle, right);
    };
  }
  return (activation, locals) => {
    for (let i = 0; i < operands.length; i += 1) {
      const outcome = (operands[i] as Code)(activation, locals);
      if (outcome === true) continue;
      if (outcome === false) return false;
      return settle(operands.slice(i + 1), { decisive: false, pending: outcome, activation, locals });
    }
    return true;
  };
}

function disjunction(operands: readonly Code[]): Code {
  const [first, second, third] = operands;
  if (operands.length === 1 && first !== undefined) return first;
  if (operands.length === 2 && first !== undefined && second !== undefined) {
    return (activation, locals) => {
      const left = first(activation, locals);
      if (left === true) return true;
      const right = second(activation, locals);
      return left === false || right === true ? right : combineUndecided(left, right);
    };
  }
  if (operands.length === 3 && first !== undefined && second !== undefined && third !== undefined) {
    const rest = operands.slice(1);
    return (activation, locals) => {
      const left = first(activation, locals);
      if (left === true) return true;
      if (left !== false) return settle(rest, { decisive: true, pending: left, activation, locals });
      const middle = second(activation, locals);
      if (middle === true) return true;
      const right = third(activation, locals);
      return middle === false || right === true ? right : combineUndecided(middle, right);
    };
  }
  return (activation, locals) => {
    for (let i = 0; i < operands.length; i += 1) {
      const outcome = (operands[i] as Code)(activation, locals);
      if (outcome === false) continue;
      if (outcome === true) return true;
      return settle(operands.slice(i + 1), { decisive: true, pending: outcome, activation, locals });
    }
    return false;
  };
}

interface Pending {
  readonly decisive: boolean;
  readonly pending: Outcome;
  readonly activation: Activation;
  readonly locals: Locals;
}

/** After an operand that is an error or unknown, the others may still decide. */
function settle(operands: readonly Code[], { decisive, pending, activation, locals }: Pending): Outcome {
  let kept = pending;
  for (const operand of operands) {
    const outcome = operand(activation, locals);
    if (outcome === decisive) return decisive;
    kept = combineUndecided(kept, outcome);
  }
  return kept;
}

export function compileNot(call: CallExpr, compiler: Compiler): Code {
  const operand = call.args[0] as Expr;
  const code = convertCode(compiler.compile(operand), { from: compiler.typeOf(operand), to: BOOL, exprId: call.id });
  return (activation, locals) => {
    const outcome = code(activation, locals);
    if (outcome === true) return false;
    return outcome === false ? true : outcome;
  };
}

/** Evaluates only the chosen branch; a condition that is an error or unknown is the result. */
export function compileConditional(call: CallExpr, compiler: Compiler): Code {
  const [condition, then, otherwise] = call.args as readonly [Expr, Expr, Expr];
  const to = compiler.typeOf(call);
  const convert = (expr: Expr, type = to): Code => {
    const from = compiler.typeOf(expr);
    // The checker accepts null for a timestamp and the like; it stays null.
    const code = compiler.compile(expr);
    return from.kind === 'null' && expr !== condition ? code : convertCode(code, { from, to: type, exprId: call.id });
  };
  const test = convert(condition, BOOL);
  const whenTrue = convert(then);
  const whenFalse = convert(otherwise);
  return (activation, locals) => {
    const outcome = test(activation, locals);
    if (outcome === true) return whenTrue(activation, locals);
    return outcome === false ? whenFalse(activation, locals) : outcome;
  };
}

/** Returns false for false and true for everything else, as the reference implementation's loops require. */
export function compileNotStrictlyFalse(call: CallExpr, compiler: Compiler): Code {
  const code = compiler.compile(call.args[0] as Expr);
  return (activation, locals) => code(activation, locals) !== false;
}
