import { findInDocument, innerSource, type SearchContext } from '../documents/find-in-document.ts';
import type { EmbeddedPolicy, TextStyle } from '../model/embedded-policy.ts';
import { mentionsPhase } from '../recognition/policy-keys.ts';
import { objectText } from './object-text.ts';
import { type HclExpression, readAttributes } from './read-hcl.ts';
import { quotedText, type TemplateText } from './template-text.ts';

/**
 * Returns the policies in a Terraform file: in heredocs, strings and objects, also in the arguments of functions such as
 * `jsonencode` and `yamlencode`. What Terraform computes is unknown.
 */
export function findInTerraform(context: SearchContext): readonly EmbeddedPolicy[] {
  return readAttributes(context.source.text).flatMap(({ path, value }) =>
    search(context, value, [...context.path.steps, ...path]),
  );
}

function search(
  context: SearchContext,
  expression: HclExpression,
  steps: readonly string[],
): readonly EmbeddedPolicy[] {
  const { text } = context.source;
  const { start, end } = expression.range;
  switch (expression.kind) {
    case 'string':
      return searchText(context, 'hcl-string', quotedText(text, start, end), steps);
    case 'heredoc':
      return searchText(context, 'heredoc', expression.heredoc, steps);
    case 'object': {
      const found = searchText(context, 'hcl-object', objectText(text, expression), steps);
      if (found.length > 0) return found;
      return expression.entries.flatMap(({ key, value }) => search(context, value, [...steps, key ?? '*']));
    }
    case 'list':
      return expression.items.flatMap((item, index) => search(context, item, [...steps, String(index)]));
    case 'call': {
      const isSingle = expression.items.length === 1;
      return expression.items.flatMap((item, index) =>
        search(context, item, isSingle ? steps : [...steps, String(index)]),
      );
    }
    case 'literal':
    case 'other':
      return [];
  }
}

function searchText(
  context: SearchContext,
  style: TextStyle,
  { text, placeholders }: TemplateText,
  steps: readonly string[],
): readonly EmbeddedPolicy[] {
  if (!mentionsPhase(text.value)) return [];
  const path = { document: context.path.document, steps };
  const layers = [{ style, text, outer: context.source.text, placeholders }, ...context.layers];
  const source = innerSource(context.file, path, text.value);
  return findInDocument({ ...context, carrier: 'terraform', path, layers, source });
}
