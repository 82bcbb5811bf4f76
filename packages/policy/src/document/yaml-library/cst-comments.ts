import type { Range } from '@tollgate/diagnostics';
import type { CST } from 'yaml';

/** Where the comments stand, in order. Works without recursion. */
export function commentsIn(tokens: readonly CST.Token[]): readonly Range[] {
  const found: Range[] = [];
  const open: CST.Token[] = [];
  // One by one: a call takes so many arguments only.
  const add = (more: readonly CST.Token[] | undefined): void => {
    for (const token of more ?? []) open.push(token);
  };
  add(tokens);
  for (let token = open.pop(); token; token = open.pop()) {
    if (token.type === 'comment') found.push({ start: token.offset, end: token.offset + token.source.length });
    if ('start' in token && Array.isArray(token.start)) add(token.start);
    if ('value' in token && token.value) open.push(token.value);
    if ('props' in token) add(token.props);
    if ('end' in token) add(token.end);
    if ('items' in token) for (const item of token.items) addParts(item, add);
  }
  return found.sort((a, b) => a.start - b.start);
}

function addParts(
  { start, key, sep, value }: CST.CollectionItem,
  add: (more: readonly CST.Token[] | undefined) => void,
) {
  add(start);
  add(key ? [key] : []);
  add(sep);
  add(value ? [value] : []);
}
