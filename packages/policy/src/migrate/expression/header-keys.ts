import type { Expr } from '@tollgate/cel';
import { canonicalHeaderName } from '../../config/header-name.ts';
import { type Rewriting, replaceText, textOf, warn } from './expression-rewriter.ts';

/** Rewrites what a map of headers is asked for. Gives false when that is more than a literal, and still to be visited. */
export function rewriteHeaderKey(rewriting: Rewriting, key: Expr): boolean {
  rewriteHeaderName(rewriting, key);
  const name = textOf(key);
  if (name !== undefined) {
    replaceText(rewriting, key, name.toLowerCase());
    return true;
  }
  const isSafe =
    key.kind === 'ident' || key.kind === 'select' || (key.kind === 'call' && /^[a-z]|^_\[/i.test(key.function));
  const { start, end } = key.range;
  if (!isSafe) rewriting.edits.push({ range: { start, end: start }, newText: '(' });
  rewriting.edits.push({ range: { start: end, end }, newText: `${isSafe ? '' : ')'}.lowerAscii()` });
  return false;
}

/** Warns where a name would be found now that was not before. */
export function rewriteHeaderName(rewriting: Rewriting, key: Expr): void {
  const name = textOf(key);
  if (name === undefined) {
    warn(rewriting, key, 'migrate/header-case', 'names of headers were found in canonical form only, now in any case');
  } else if (canonicalHeaderName(name) !== name) {
    const message = `\`${name}\` was never found, because the name was \`${canonicalHeaderName(name)}\`; now it is found`;
    warn(rewriting, key, 'migrate/header-case', message);
  }
}

/** Warns where the keys of a map of headers are looked at. */
export function warnOfKeys(rewriting: Rewriting, map: Expr): void {
  warn(rewriting, map, 'migrate/header-keys', 'the names in it were in canonical form, and are now in lower case');
}
