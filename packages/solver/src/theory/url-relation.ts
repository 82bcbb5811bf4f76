import type { ValueRole } from '@tollgate/catalog';
import type { Signal } from '../logic/formula.ts';
import { complementLanguage, wordsLanguage } from '../values/language.ts';
import { rewritableLanguage } from '../values/rewritten-urls.ts';
import { partOfUrl, type UrlPart, urlLanguage } from '../values/url-parts.ts';
import type { StringLiteral } from './strings.ts';
import { type Cell, isAsSent, type Vocabulary } from './vocabulary.ts';

/** Literals about the URL as received and about parts of it, as literals about the URL. */
interface UrlQuestion {
  readonly url: Cell;
  readonly parts: readonly Cell[];
  readonly literals: readonly Signal[];
  readonly strings: readonly StringLiteral[];
}

/**
 * Returns what literals say about the URL and its parts together; undefined if they are not about both.
 * @param related cells that literals relate to others
 */
export function urlQuestion(
  groups: ReadonlyMap<Cell, readonly Signal[]>,
  vocabulary: Vocabulary,
  related: ReadonlySet<Cell> = new Set(),
): UrlQuestion | undefined {
  const url = vocabulary.received('url');
  const isAbout = (cell: Cell) => groups.has(cell) || related.has(cell);
  const parts = PARTS.flatMap(role => vocabulary.received(role) ?? []).filter(isAbout);
  if (url === undefined) return undefined;
  const intern = vocabulary.language.bind(vocabulary);
  const rewritten = rewrittenPaths(groups, vocabulary);
  if (rewritten.length === 0 && (!isAbout(url) || parts.length === 0)) return undefined;
  const about = [url, ...parts].flatMap(cell =>
    (groups.get(cell) ?? []).flatMap(literal => {
      const meaning = vocabulary.meaningOf(literal);
      if (meaning.kind !== 'language') return [];
      const part = partOf(cell);
      const language = part === undefined ? meaning.language : urlLanguage(intern, meaning.language, part);
      return [{ literal, string: { kind: 'language', language, isNegated: literal < 0 } as const }];
    }),
  );
  const all = [...about, ...rewritten];
  return { url, parts, literals: all.map(one => one.literal), strings: all.map(one => one.string) };
}

/** Returns what literals about the path after a rewrite say about the URL before it. */
function rewrittenPaths(groups: ReadonlyMap<Cell, readonly Signal[]>, vocabulary: Vocabulary) {
  const intern = vocabulary.language.bind(vocabulary);
  return [...groups].flatMap(([cell, literals]) => {
    const isPath = cell.role === 'path' && cell.sort === 'string' && cell.list === undefined && !isAsSent(cell);
    const rewrite = isPath ? vocabulary.rewriteOf(cell.version) : undefined;
    if (rewrite === undefined) return [];
    return literals.flatMap(literal => {
      const meaning = vocabulary.meaningOf(literal);
      if (meaning.kind !== 'language' || meaning.language.definition.isPartial === true) return [];
      const { language: own } = meaning;
      const path = urlLanguage(intern, literal < 0 ? complementLanguage(intern, own) : own, 'path', true);
      const language = rewritableLanguage(intern, path, rewrite);
      return language === undefined
        ? []
        : [{ literal, string: { kind: 'language', language, isNegated: false } as const }];
    });
  });
}

/**
 * Returns URLs whose parts have values that were found for each of them alone, spelled in several ways: what the URL must contain may stand in
 * its query, and what it must not contain may be encoded in its path.
 */
export function likelyUrls(
  values: ReadonlyMap<Cell, string | undefined>,
  literals: readonly StringLiteral[],
): readonly string[] {
  const found = (role: ValueRole) => [...values].find(([cell]) => cell.role === role)?.[1];
  const [, named, authority, rest = '/'] = /^(https?:\/\/)([^/?#]*)([^?#]*)/.exec(found('url') ?? '') ?? [];
  const own = found('scheme');
  const scheme = own === undefined ? named : `${own}://`;
  const path = found('path');
  const spelled =
    path === undefined ? [rest] : [encodedPath(path), escaped(path, /[^/]/gu), escaped(path, /(?!^)./gsu)];
  const contained = literals.flatMap(one =>
    one.kind === 'language' && !one.isNegated ? (one.language.definition.part ?? []) : [],
  );
  const tails = ['', ...(contained.length === 0 ? [] : [`?${contained.join('')}`, `?${contained.join('/')}`])];
  const hosts = [...new Set([found('host') ?? authority ?? 'example.com', authority ?? 'example.com'])];
  const schemes = scheme === undefined ? ['https://', 'http://'] : [scheme];
  return schemes.flatMap(first =>
    hosts.flatMap(host => tails.flatMap(tail => spelled.map(one => `${first}${host}${one}${tail}`))),
  );
}

function encodedPath(path: string): string {
  return escaped(path, /[^\w.~!$&'()*+,;=:@/-]/gu);
}

/** Returns the path with some of its characters encoded. */
function escaped(path: string, characters: RegExp): string {
  const bytes = (character: string) => [...new TextEncoder().encode(character)];
  return path.replace(characters, one =>
    bytes(one)
      .map(byte => `%${byte.toString(16).padStart(2, '0')}`)
      .join(''),
  );
}

/** Returns the strings that a part of the URL can be if literals name the whole URL, and the literal that does; undefined if none does. */
export function namedParts(
  part: Cell,
  groups: ReadonlyMap<Cell, readonly Signal[]>,
  vocabulary: Vocabulary,
): { readonly words: readonly string[]; readonly literal: Signal } | undefined {
  const [url, role] = [vocabulary.received('url'), partOf(part)];
  // The host may have a port that the URL does not have.
  if (url === undefined || role !== 'path' || part.version !== '') return undefined;
  for (const literal of groups.get(url) ?? []) {
    const meaning = vocabulary.meaningOf(literal);
    const urls = literal > 0 && meaning.kind === 'language' ? meaning.language.definition.words : undefined;
    const words = urls?.map(one => partOfUrl(one, role));
    // URLs of another form say nothing about their parts.
    if (words?.every(word => word !== undefined)) return { words, literal };
  }
  return undefined;
}

/** Returns literals about the URL that say that it and its parts have these values. */
export function fixedUrl<Value>(values: ReadonlyMap<Cell, Value>, vocabulary: Vocabulary): readonly StringLiteral[] {
  const intern = vocabulary.language.bind(vocabulary);
  return [...values].flatMap(([cell, value]): readonly StringLiteral[] => {
    if (!isAboutUrl(cell)) return [];
    const word = wordsLanguage(intern, [String(value)]);
    const part = partOf(cell);
    return [
      { kind: 'language', language: part === undefined ? word : urlLanguage(intern, word, part), isNegated: false },
    ];
  });
}

const PARTS: readonly UrlPart[] = ['scheme', 'host', 'path'];

function partOf(cell: Cell): UrlPart | undefined {
  return isAsSent(cell) ? undefined : PARTS.find(part => part === cell.role);
}

/** Returns true for the URL as received and the parts of it that are values of their own. */
export function isAboutUrl(cell: Cell): boolean {
  const { role, version } = cell;
  return version === '' && role !== undefined && ROLES.has(role) && !isAsSent(cell);
}

const ROLES: ReadonlySet<ValueRole> = new Set(['url', ...PARTS]);

/** Gives the parts of a URL the values that it says they have, or the URL those of its parts. */
export function completeLocation<Value>(values: Map<Cell, Value | string>, vocabulary: Vocabulary): void {
  const url = vocabulary.received('url');
  if (url === undefined) return;
  const known = values.get(url);
  const cells = PARTS.flatMap(part => vocabulary.received(part) ?? []);
  if (known !== undefined) {
    for (const cell of cells) {
      const value = partOfUrl(String(known), partOf(cell)!);
      if (value !== undefined) values.set(cell, value);
    }
  } else if (cells.some(cell => values.has(cell))) {
    const [scheme, host, path] = PARTS.map(part => vocabulary.received(part)).map(cell => cell && values.get(cell));
    values.set(url, `${scheme ?? 'https'}://${host ?? 'example.com'}${encodeURI(String(path ?? '/'))}`);
  }
}
