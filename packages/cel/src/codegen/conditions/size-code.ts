import type { CallExpr, Expr } from '../../ast/ast.ts';
import { STRING } from '../../types/type.ts';
import { chargeOperand } from '../scope/context-code.ts';
import {
  branch,
  type Decision,
  type Exits,
  type Generation,
  operandsOf,
  overloadsOf,
  staticType,
} from '../scope/generation.ts';
import { runtimeName } from '../scope/module-scope.ts';

/**
 * Emits `size(string) < n` and the like by the number of UTF-16 units where that decides: the number of code points is at most that and at
 * least half of it.
 */
export function sizeComparison(g: Generation, call: CallExpr, operator: string): Decision | undefined {
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
