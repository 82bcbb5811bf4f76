import type { Expr } from '@tollgate/cel';
import { canonicalHeaderName } from '../../expression/header-name.ts';
import { type Rewriting, replaceString, textOf, warn } from './expression-rewriter.ts';

/** Rewrites a key of a map of headers. Returns false if it is not a literal and still has to be visited. */
export function rewriteHeaderKey(rewriting: Rewriting, key: Expr): boolean {
  rewriteHeaderName(rewriting, key);
  const name = textOf(key);
  if (name !== undefined) {
    replaceString(rewriting, key, name.toLowerCase());
    return true;
  }
  const isSafe =
    key.kind === 'ident' || key.kind === 'select' || (key.kind === 'call' && /^[a-z]|^_\[/i.test(key.function));
  const { start, end } = key.range;
  if (!isSafe) rewriting.edits.push({ range: { start, end: start }, newText: '(' });
  rewriting.edits.push({ range: { start: end, end }, newText: `${isSafe ? '' : ')'}.lowerAscii()` });
  return false;
}

/** Warns about a header name that did not match before and now does. */
export function rewriteHeaderName(rewriting: Rewriting, key: Expr): void {
  const name = textOf(key);
  if (name === undefined) {
    warn(rewriting, key, 'migrate/header-case', 'header names had to be in canonical form and now match in any case');
  } else if (canonicalHeaderName(name) !== name) {
    const message = `\`${name}\` never matched, because headers were named \`${canonicalHeaderName(name)}\`; now it matches`;
    warn(rewriting, key, 'migrate/header-case', message);
  }
}

/** Warns about an expression that reads the keys of a map of headers. */
export function warnOfKeys(rewriting: Rewriting, map: Expr): void {
  warn(rewriting, map, 'migrate/header-keys', 'its keys were in canonical form and are now in lowercase');
}
