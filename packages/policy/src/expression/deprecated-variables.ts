import type { Deprecation, Profile } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';
import { childrenOf, inputPathOf } from '@tollgate/cel/tooling';
import type { Diagnostic, Range } from '@tollgate/diagnostics';

/** Returns a hint for each deprecated variable. */
export function deprecatedVariables(typed: TypedAst, profile: Profile): readonly Diagnostic[] {
  const facts = profile.variables.filter(fact => fact.deprecated);
  if (facts.length === 0 || !facts.some(({ path }) => typed.ast.source.includes(path.split('.').at(-1)!))) return [];
  const deprecated = new Map(facts.map(fact => [fact.path, fact.deprecated!]));
  const found = new Map<string, Diagnostic>();
  const visit = (expr: Expr): void => {
    const path = inputPathOf(typed, expr, { isField: () => true });
    const deprecation = path === undefined ? undefined : deprecated.get(path);
    if (deprecation) found.set(`${rangeOf(expr).start}`, hint(path!, deprecation, rangeOf(expr)));
    else for (const child of childrenOf(expr)) if (child) visit(child);
  };
  visit(typed.ast.root);
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
