import type { Ast } from '../../ast/ast.ts';
import { layOutExpression } from './expression-layout.ts';
import { flatText } from './layout.ts';
import { printLiteral } from './print-literal.ts';

/**
 * Source text that parses to the same tree, ids and ranges aside: on one line, with only the parentheses that this needs,
 * macros as they were called, and error nodes as they were written. Nodes that no text stands for, such as comprehensions
 * without their macro call, are printed in a form that does not parse.
 */
export function unparse(ast: Ast): string {
  const layout = layOutExpression(ast, {
    literal: ({ literal }) => printLiteral(literal),
    isExplicit: false,
    comments: undefined,
  });
  return flatText(layout);
}
