import type { Range } from '@tollgate/diagnostics';
import type { CST } from 'yaml';

/** Returns the ranges of the comments, in order. Not recursive, so that deep nesting cannot overflow the stack. */
export function commentsIn(tokens: readonly CST.Token[]): readonly Range[] {
  const found: Range[] = [];
  const open: CST.Token[] = [];
  // One by one: the number of arguments of a call is limited.
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
