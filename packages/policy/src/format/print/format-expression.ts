import { createEnvironment, formatExpression, type ParseEnvironment, parse, unparse } from '@tollgate/cel';

/** Macros are calls for a formatter, which so needs to know no profile. */
const SYNTAX: ParseEnvironment = { ...createEnvironment({ libraries: [] }), macros: new Map() };

/** An expression on as many lines as the width asks for; undefined when its syntax is wrong. */
export function layOut(source: string, width?: number): ReturnType<typeof formatExpression> | undefined {
  const { ast, diagnostics } = parse(source, SYNTAX);
  return diagnostics.length > 0 ? undefined : formatExpression(ast, width === undefined ? {} : { width });
}

/** The expression in a form that does not depend on its layout; the text itself when its syntax is wrong. */
export function normalized(source: string): string {
  const { ast, diagnostics } = parse(source, SYNTAX);
  return diagnostics.length > 0 ? source : unparse(ast);
}
