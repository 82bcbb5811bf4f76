import { nearest } from '@tollgate/cel/tooling';
import { ownValue } from '@tollgate/diagnostics';
import { CODES_BY_ID } from '@tollgate/lint';
import type { CodePage } from '../codes/code-table.ts';
import { UsageError } from '../process/usage-error.ts';

/** The page of a code, or the codes of an area. */
interface FoundPages {
  readonly kind: 'page' | 'list';
  readonly pages: readonly CodePage[];
}

/**
 * Returns the pages for a code, a catalog id that stands for codes, the last part of a code, or an area. Throws a {@link UsageError} for
 * anything else.
 */
export function findPages(word: string, all: readonly CodePage[]): FoundPages {
  const name = word.toLowerCase().replace(/^`|`$|\/\*?$/g, '');
  const exact = all.filter(({ code }) => code === name);
  if (exact.length > 0) return { kind: 'page', pages: exact };
  const others: readonly ((page: CodePage) => boolean)[] = [
    ({ code }) => ownValue(CODES_BY_ID, name)?.some(one => matches(code, one)) === true,
    ({ code }) => code.startsWith(`${name}/`),
    ({ code }) => code.endsWith(`/${name}`),
  ];
  for (const matches of others) {
    const pages = all.filter(matches);
    if (pages.length > 0) return { kind: pages.length === 1 ? 'page' : 'list', pages };
  }
  throw new UsageError(unknown(word, all));
}

function matches(code: string, pattern: string): boolean {
  return pattern.endsWith('/*') ? code.startsWith(pattern.slice(0, -1)) : code === pattern;
}

function unknown(word: string, all: readonly CodePage[]): string {
  const codes = all.map(({ code }) => code);
  const areas = new Set(codes.map(code => code.slice(0, code.indexOf('/'))));
  const closest = nearest(word.toLowerCase(), [...codes, ...areas]);
  const hint = closest === undefined ? 'run `tollgate explain` to list all codes' : `did you mean \`${closest}\`?`;
  return `unknown code \`${word}\`; ${hint}`;
}
