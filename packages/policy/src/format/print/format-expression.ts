import { createEnvironment, formatExpression, type ParseEnvironment, parse, unparse } from '@tollgate/cel';

/** Without macros, the formatter needs no profile: macros parse as calls. */
const SYNTAX: ParseEnvironment = { ...createEnvironment({ libraries: [] }), macros: new Map() };

/** Formats an expression to fit the width; undefined if it has a syntax error. */
export function formatToWidth(source: string, width?: number): ReturnType<typeof formatExpression> | undefined {
  const { ast, diagnostics } = parse(source, SYNTAX);
  return diagnostics.length > 0 ? undefined : formatExpression(ast, width === undefined ? {} : { width });
}

/** Returns a form of the expression that does not depend on its layout; its source if it has a syntax error. */
export function normalized(source: string): string {
  const { ast, diagnostics } = parse(source, SYNTAX);
  return diagnostics.length > 0 ? source : unparse(ast);
}
