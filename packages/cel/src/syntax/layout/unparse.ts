import type { Ast } from '../../ast/ast.ts';
import { layOutExpression } from './expression-layout.ts';
import { flatString } from './layout.ts';
import { printLiteral } from './print-literal.ts';

/**
 * Returns source that parses to the same tree, apart from ids and ranges: on one line, with the fewest parentheses, macros as they were
 * called, and error nodes as they were written. Nodes without source, such as comprehensions without a macro call, are printed in a form
 * that does not parse.
 */
export function unparse(ast: Ast): string {
  const layout = layOutExpression(ast, {
    literal: ({ literal }) => printLiteral(literal),
    isExplicit: false,
    comments: undefined,
  });
  return flatString(layout);
}
