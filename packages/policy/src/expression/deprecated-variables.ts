import type { Deprecation, Profile } from '@tollgate/catalog';
import { childrenOf, type Expr, type TypedAst } from '@tollgate/cel';
import type { Diagnostic, Range } from '@tollgate/diagnostics';

/** Returns a hint for each deprecated variable. */
export function deprecatedVariables({ ast, references }: TypedAst, profile: Profile): readonly Diagnostic[] {
  const facts = profile.variables.filter(fact => fact.deprecated);
  if (facts.length === 0 || !facts.some(({ path }) => ast.source.includes(path.split('.').at(-1)!))) return [];
  const deprecated = new Map(facts.map(fact => [fact.path, fact.deprecated!]));
  const found = new Map<string, Diagnostic>();
  const pathOf = (expr: Expr): string | undefined => {
    if (expr.kind === 'ident')
      return references[expr.id]?.kind === 'variable' ? expr.name.replace(/^\./, '') : undefined;
    if (expr.kind !== 'select') return undefined;
    const operand = pathOf(expr.operand);
    return operand === undefined ? undefined : `${operand}.${expr.field}`;
  };
  const visit = (expr: Expr): void => {
    const path = pathOf(expr);
    const deprecation = path === undefined ? undefined : deprecated.get(path);
    if (deprecation) found.set(`${rangeOf(expr).start}`, hint(path!, deprecation, rangeOf(expr)));
    else for (const child of childrenOf(expr)) if (child) visit(child);
  };
  visit(ast.root);
  return [...found.values()];
}

/** The range of a presence test is the whole of `has(…)`. */
function rangeOf(expr: Expr): Range {
  return expr.kind === 'select' ? { start: expr.operand.range.start, end: expr.fieldRange.end } : expr.range;
}

function hint(path: string, { use, since }: Deprecation, range: Range): Diagnostic {
  const when = since === undefined ? '' : ` since ${since}`;
  const instead = use === undefined ? 'it has no replacement' : `use \`${use}\``;
  return {
    code: 'name/deprecated-variable',
    severity: 'hint',
    message: `\`${path}\` is deprecated${when}; ${instead}`,
    uri: '',
    range,
    args: { name: path, ...(use !== undefined && { use }), ...(since !== undefined && { since }) },
    tags: ['deprecated'],
    ...(use !== undefined && {
      fixes: [{ title: `change to \`${use}\``, applicability: 'safe', edits: [{ range, newText: use }] }],
    }),
  };
}
