import { check, type Expr, parse } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import { contentRange, findInterpolations } from '@tollgate/policy';
import { literalSource, sourceFix } from '../../rule-api/fixes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports `${…}` in profiles and keys without interpolation, and `${.conn.client_ip}` instead of `${conn.client_ip}`. */
export const INTERPOLATION_NOT_EVALUATED: LintRule = {
  id: 'type/interpolation-not-evaluated',
  severity: 'warning',
  summary: 'interpolation that is not evaluated',
  rationale:
    'Not every profile supports interpolation, and not every configuration key does. Elsewhere, `${…}` is sent literally. Strings inside of an expression are ' +
    'never interpolated: a comparison with one is a comparison with `$`, `{` and the name.',
  bad: {
    policy: `\
inbound:
  - name: pass the client address
    actions: [{ type: add-headers, config: { headers: { X-Client: "«\${conn.ClientIP}»" } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: pass the client address
    actions: [{ type: add-headers, config: { headers: { X-Edge: one } } }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: {
    nodes: { literal: checkLiteral },
    configString: ({ node, action, path }, context) => {
      const interpolation = node.value.includes('${') ? INTERPOLATION.exec(node.value) : undefined;
      const field = action.fact?.config.find(({ name }) => name === path[0]);
      // For keys with nested fields, the fields say whether they are interpolated.
      if (!interpolation || !field || !node.text || !FLAT.has(field.type.kind)) return;
      if (field.interpolation && (field.interpolation !== 'path-templates' || interpolation[0].startsWith('${.')))
        return;
      const { start } = contentRange(node.text);
      const isVerbatim = context.file.source.text.startsWith(node.value, start);
      const range = isVerbatim
        ? { start: start + interpolation.index, end: start + interpolation.index + interpolation[0].length }
        : contentRange(node.text);
      const message = `\`${interpolation[0]}\` is not evaluated here and is sent literally; remove it`;
      context.report({ range, message, args: { key: path[0]! } });
    },
  },
};

/** Reports `'/users/${req.host}'` in an expression if what is in braces would be an expression there. */
function checkLiteral(
  node: Extract<Expr, { readonly kind: 'literal' }>,
  at: LintedExpression,
  context: LintContext,
): void {
  const { literal } = node;
  if (literal.type !== 'string' || !literal.value.includes('${')) return;
  const { expressions, unclosed } = findInterpolations(literal.value, 'none');
  const environment = context.file.environments[at.rule.phase];
  if (unclosed || expressions.length === 0 || !environment) return;
  const like = sourceOf(at, node.range);
  const parts: string[] = [];
  const addText = (text: string) => {
    if (text !== '') parts.push(literalSource(like, text));
  };
  let end = 0;
  for (const range of expressions) {
    const source = literal.value.slice(range.start, range.end).trim();
    const { ast, diagnostics } = parse(source, environment);
    if (diagnostics.length > 0 || !readsVariable(ast.root)) return;
    const checked = check(ast, environment);
    if (checked.diagnostics.length > 0) return;
    addText(literal.value.slice(end, range.start - 2));
    const operand = ast.root.kind === 'call' && /^[^a-zA-Z]/.test(ast.root.function) ? `(${source})` : source;
    parts.push(checked.typed.resultType.kind === 'string' ? operand : `string(${source})`);
    end = range.end + 1;
  }
  addText(literal.value.slice(end));
  const newText = parts.join(' + ');
  context.report({
    range: rangeInDocument(at, node.range),
    message: `strings in expressions are not interpolated; write \`${newText}\``,
    args: { found: like },
    fixes: [sourceFix(at, node, { newText, title: `write \`${newText}\``, applicability: 'suggestion' })],
  });
}

/** Scanners send `${7*7}`, and policies look for it. */
function readsVariable(node: Expr): boolean {
  return node.kind === 'ident' || childrenOf(node).some(readsVariable);
}

const INTERPOLATION = /\$\{[a-z.][^{}]*\}/i;
const FLAT: ReadonlySet<string> = new Set(['string', 'map', 'any']);
