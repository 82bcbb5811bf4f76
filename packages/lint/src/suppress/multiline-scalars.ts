import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode, Policy } from '@tollgate/policy';

/** Returns the ranges of multi-line scalars, without trailing line breaks. */
export function multilineScalars(document: string, policies: readonly Policy[]): readonly Range[] {
  const found: Range[] = [];
  const visit = (node: DocumentNode): void => {
    if (node.kind === 'list') for (const item of node.items) visit(item);
    else if (node.kind === 'map') for (const { value } of node.entries) visit(value);
    else if (node.kind === 'scalar' && node.text) {
      const text = document.slice(node.range.start, node.range.end).trimEnd();
      if (text.includes('\n')) found.push({ start: node.range.start, end: node.range.start + text.length });
    }
  };
  for (const { node } of policies) visit(node);
  return found;
}
