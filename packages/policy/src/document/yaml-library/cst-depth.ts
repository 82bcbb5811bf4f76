import type { CST } from 'yaml';

/**
 * Returns the offset where nesting first exceeds `limit`, or undefined. Not recursive: the YAML composer is, so
 * it must only see what passed this check.
 */
export function tooDeepAt(tokens: readonly CST.Token[], limit: number): number | undefined {
  const open: { readonly token: CST.Token; readonly depth: number }[] = tokens.map(token => ({ token, depth: 0 }));
  while (open.length > 0) {
    const { token, depth } = open.pop()!;
    if (depth > limit) return token.offset;
    for (const child of childrenOf(token)) open.push({ token: child, depth: depth + ('items' in child ? 1 : 0) });
  }
  return undefined;
}

function childrenOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!('items' in token)) return [];
  return token.items.flatMap((item: CST.CollectionItem) => [item.key, item.value].filter(child => child != null));
}
