import { createEnvironment, formatExpression, type ParseEnvironment, parse, unparse } from '@tollgate/cel';

/** Without macros, the formatter needs no profile: macros parse as calls. */
const SYNTAX: ParseEnvironment = { ...createEnvironment({ libraries: [] }), macros: new Map() };

/** Returns a function that formats an expression, by default on one line; undefined if it has a syntax error. */
export function formatterOf(source: string): ((width?: number) => ReturnType<typeof formatExpression>) | undefined {
  const { ast, diagnostics } = parse(source, SYNTAX);
  if (diagnostics.length > 0) return undefined;
  return width => formatExpression(ast, width === undefined ? {} : { width });
}

/** Returns a form of the expression that does not depend on its layout; its source if it has a syntax error. */
export function normalized(source: string): string {
  const { ast, diagnostics } = parse(source, SYNTAX);
  return diagnostics.length > 0 ? source : unparse(ast);
}
