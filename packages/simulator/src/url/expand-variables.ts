import { queryParams } from '@tollgate/traffic';
import { authorityOf, splitUrl, targetOf, type UrlParts } from './split-url.ts';

/** The variables that a replacement may use in addition to capture groups. `arg_` is followed by the name of a parameter. */
const VARIABLES: Readonly<Record<string, (url: UrlParts) => string>> = {
  args: url => url.query ?? '',
  query_string: url => url.query ?? '',
  is_args: url => (url.query ? '?' : ''),
  uri: targetOf,
  scheme: url => url.scheme,
  host: url => url.host,
  authority: authorityOf,
  port: url => url.port,
  user: url => url.user,
  is_user: url => (url.user === '' ? '' : '@'),
};

/**
 * Replaces `$args`, `$scheme`, `$arg_name` and so on by parts of a URL. The longest run of word characters is the name, so `$argsx` is not a
 * variable; unknown names are left for capture groups. Dollar signs in inserted values are doubled unless they are to be expanded: `?a=$1`
 * from a client must not be expanded (our choice; the vendor documents nothing).
 */
export function expandVariables(replacement: string, url: string, dollars: 'text' | 'expanded' = 'text'): string {
  if (!replacement.includes('$')) return replacement;
  const parts = splitUrl(url);
  return replacement.replace(/\$\$|\$([\p{L}\p{Nd}_]+)/gu, (written, name) => {
    const value = variableValue(name, parts);
    if (value === undefined || dollars === 'expanded') return value ?? written;
    return value.replaceAll('$', '$$$$');
  });
}

function variableValue(name: string | undefined, url: UrlParts): string | undefined {
  if (name === undefined) return undefined;
  if (Object.hasOwn(VARIABLES, name)) return VARIABLES[name]!(url);
  if (!name.startsWith('arg_')) return undefined;
  const params = queryParams(url.query ?? '');
  const parameter = name.slice('arg_'.length);
  return Object.hasOwn(params, parameter) ? params[parameter]![0]! : '';
}
