import type { Range } from '@tollgate/diagnostics';
import type { CST } from 'yaml';

/** Where the comments stand, in order. Works without recursion. */
export function commentsIn(tokens: readonly CST.Token[]): readonly Range[] {
  const found: Range[] = [];
  const open: CST.Token[] = [...tokens];
  while (open.length > 0) {
    const token = open.pop()!;
    if (token.type === 'comment') found.push({ start: token.offset, end: token.offset + token.source.length });
    for (const child of childrenOf(token)) open.push(child);
  }
  return found.sort((a, b) => a.start - b.start);
}

function childrenOf(token: CST.Token): readonly CST.Token[] {
  const children: CST.Token[] = [];
  if ('start' in token && Array.isArray(token.start)) children.push(...token.start);
  if ('value' in token && token.value) children.push(token.value);
  if ('props' in token) children.push(...token.props);
  if ('end' in token && token.end) children.push(...token.end);
  if ('items' in token) for (const item of token.items) children.push(...partsOf(item));
  return children;
}

function partsOf({ start, key, sep, value }: CST.CollectionItem): readonly CST.Token[] {
  return [...start, ...(key ? [key] : []), ...(sep ?? []), ...(value ? [value] : [])];
}
