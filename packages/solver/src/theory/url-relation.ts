import type { ValueRole } from '@tollgate/catalog';
import type { Signal } from '../logic/formula.ts';
import { type Cuts, cutsAround, type LazyAutomaton, mergeCuts, SURROGATES } from '../values/automaton.ts';
import { complementLanguage, type Intern, type Language, wordsLanguage } from '../values/language.ts';
import { codePointsOf } from '../values/literal-automata.ts';
import { rewritableLanguage } from '../values/rewritten-urls.ts';
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

/**
 * A part of a URL that is a value of its own: the scheme, the host, or the decoded path. A host is only related to a URL without port and user, and not
 * equal to what the URL has: either may be in capitals (RFC 9110, section 4.2.3), and the host may have a port or lack the final dot.
 */
type UrlPart = 'scheme' | 'host' | 'path';

/**
 * Returns a part of an absolute `http` or `https` URL as it arrives, in its canonical form: with a scheme in lower case and a path. Undefined for
 * URLs of other forms, and for the host before a port, after user information or in brackets.
 */
export function partOfUrl(url: string, part: UrlPart): string | undefined {
  const [, scheme, host, path] = /^(https?):\/\/([^/?#]*)(\/[^?#]*)/.exec(url) ?? [];
  if (host === undefined || path === undefined) return undefined;
  if (part === 'scheme') return scheme;
  if (part === 'host') return /[@:[]/.test(host) ? undefined : host;
  return decoded(path);
}

/** All or nothing, as the simulator does it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Returns the URLs of which a part belongs to a language.
 * @param isRewritten the URL is not as it arrived, so that it may lack a path
 */
export function urlLanguage(intern: Intern, language: Language, part: UrlPart, isRewritten = false): Language {
  return intern(`${part} of ${isRewritten ? 'rewritten ' : ''}URL:${language.key}`, () => ({
    test: url => {
      const value = partOfUrl(url, part);
      return value !== undefined && language.test(value);
    },
    automaton: isComplement => {
      const inner = innerOf(language, isComplement);
      return inner && preimage(inner, { part, isComplement, isRewritten });
    },
    isPartial: true,
    samples: language.definition.samples.map(text => sampleUrl(text, part)),
  }));
}

function sampleUrl(text: string, part: UrlPart): string {
  if (part === 'scheme') return `${text}://example.com/`;
  return part === 'host' ? `https://${text}/` : `https://example.com${text}`;
}

/** The automaton of a part. */
interface Inner extends LazyAutomaton {
  /** Returns whether all strings are accepted from a state on, or none is; undefined if neither is known. */
  readonly fateOf: (state: number) => 'accepted' | 'rejected' | undefined;
  /** Whether all characters beyond ASCII lead to the same state. */
  readonly isAlikeBeyondAscii: boolean;
}

function innerOf(language: Language, isComplement: boolean): Inner | undefined {
  const minimal = language.minimal(isComplement);
  const automaton = minimal ?? language.lazy(isComplement);
  if (automaton === undefined) return undefined;
  const fateOf: Inner['fateOf'] = state => {
    if (minimal?.toReject[state] === Number.POSITIVE_INFINITY) return 'accepted';
    return minimal?.toAccept[state] === Number.POSITIVE_INFINITY ? 'rejected' : undefined;
  };
  const isAlikeBeyondAscii = automaton.cuts.every(cut => cut <= 0x80 || SURROGATES.includes(cut));
  return { ...automaton, fateOf, isAlikeBeyondAscii };
}

/**
 * Where in a URL an automaton is. `raw`: the path has a malformed escape, so that none of it is decoded; `open`: the URL does not say what
 * the part is; `never`: no URL is like this.
 */
interface State {
  readonly phase: 'scheme' | 'host' | 'path' | 'escape' | 'raw' | 'open' | 'never' | 'accepted' | 'rejected';
  /** How much of the scheme was read, or the state after the host or the decoded path. */
  readonly inner: number;
  /** The state after the path as sent, after the host without its final dot, or after the scheme. */
  readonly raw: number;
  /** The first digit of an escape. */
  readonly digit?: number;
}

const CHARACTERS = [...codePointsOf('htps:/?#@%[.'), ...codePointsOf('0123456789abcdefABCDEF')];

function preimage(inner: Inner, of: Pick<StepContext, 'part' | 'isComplement' | 'isRewritten'>): LazyAutomaton {
  const { part, isComplement } = of;
  const context = { ...of, inner, spellings: spellingsOf(inner, isComplement) };
  const states: State[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (state: State): number => {
    const key = `${state.phase} ${state.inner} ${state.raw} ${state.digit}`;
    const known = numbers.get(key) ?? states.push(state) - 1;
    numbers.set(key, known);
    return known;
  };
  return {
    cuts: mergeCuts([inner.cuts, cutsAround(CHARACTERS), ...(part === 'host' ? [otherCase(inner.cuts), ASCII] : [])]),
    start: numberOf({ phase: 'scheme', inner: 0, raw: inner.start }),
    next: (state, point) => numberOf(step(states[state]!, point, context)),
    accepts: state => accepts(states[state]!, context),
  };
}

const NO_STATE = -1;

interface StepContext {
  readonly inner: Inner;
  readonly part: UrlPart;
  readonly spellings: Spellings;
  readonly isComplement: boolean;
  readonly isRewritten: boolean;
}

function accepts(state: State, { inner, isComplement, isRewritten }: StepContext): boolean {
  switch (state.phase) {
    case 'accepted':
      return true;
    case 'rejected':
      return false;
    case 'path':
      return inner.accepts(state.inner);
    case 'escape':
    case 'raw':
      return inner.accepts(state.raw);
    case 'never':
      return isComplement !== isRewritten;
    default:
      return !isComplement;
  }
}

const OPEN: State = { phase: 'open', inner: 0, raw: NO_STATE };
const NEVER: State = { ...OPEN, phase: 'never' };

function step(state: State, point: number, context: StepContext): State {
  const { inner } = context;
  const character = String.fromCodePoint(point);
  switch (state.phase) {
    case 'scheme':
      return afterScheme(state, point, context);
    case 'host':
      return inHost(state, point, context);
    case 'path':
    case 'escape':
    case 'raw': {
      if (character === '?' || character === '#') return ended(accepts(state, context));
      const raw = inner.next(state.raw, point);
      if (state.phase === 'raw') return { phase: 'raw', inner: 0, raw };
      if (state.phase === 'escape') return inEscape(state, character, { inner, raw });
      if (character === '%') return { phase: 'escape', inner: state.inner, raw };
      return inPath({ phase: 'path', inner: inner.next(state.inner, point), raw }, inner);
    }
    default:
      return state;
  }
}

function ended(isAccepted: boolean): State {
  return { phase: isAccepted ? 'accepted' : 'rejected', inner: 0, raw: NO_STATE };
}

/** Reads `http://` or `https://`. */
function afterScheme({ inner: read, raw }: State, point: number, { inner, part, spellings }: StepContext): State {
  const character = String.fromCodePoint(point);
  const isShort = read === 'http'.length && character === ':';
  const next = isShort ? 'https:'.length : read + 1;
  if (!isShort && 'https://'[read] !== character) return OPEN;
  if (next < 'https://'.length)
    return { phase: 'scheme', inner: next, raw: /[a-z]/.test(character) ? inner.next(raw, point) : raw };
  if (part === 'scheme') return { phase: 'host', inner: 0, raw };
  return { phase: 'host', inner: part === 'host' ? spellings.start : 0, raw: NO_STATE };
}

function inHost(state: State, point: number, context: StepContext): State {
  const { inner, part, spellings } = context;
  const character = String.fromCodePoint(point);
  if (character === '?' || character === '#') return NEVER;
  if (part === 'scheme') return character === '/' ? ended(inner.accepts(state.raw)) : state;
  if (part === 'path') {
    if (character !== '/') return state;
    const next = inner.next(inner.start, point);
    return inPath({ phase: 'path', inner: next, raw: next }, inner);
  }
  if (character === '/') return afterHost(state, context);
  // Names in other scripts have several spellings, too.
  if (point >= 0x80 || '@:['.includes(character)) return OPEN;
  const next = spellings.next(state.inner, point);
  return next === undefined ? OPEN : { phase: 'host', inner: next, raw: character === '.' ? state.inner : NO_STATE };
}

/** Of a complement, all spellings must be accepted; those without the final dot, too. */
function afterHost(state: State, { spellings, isComplement }: StepContext): State {
  const isAccepted = spellings.accepts(state.inner);
  if (state.raw === NO_STATE) return ended(isAccepted);
  const undotted = spellings.accepts(state.raw);
  return ended(isComplement ? isAccepted && undotted : isAccepted || undotted);
}

/** All spellings of a host that differ in the case of letters and in the port behind it. A state is a set of states of the automaton. */
interface Spellings {
  readonly start: number;
  /** Undefined if there are too many. */
  readonly next: (state: number, point: number) => number | undefined;
  /** Returns true if one of them is accepted; of a complement, if all are. */
  readonly accepts: (state: number) => boolean;
}

function spellingsOf(inner: Inner, isComplement: boolean): Spellings {
  const sets: (readonly number[])[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (set: readonly number[]): number => {
    const sorted = [...new Set(set)].sort((a, b) => a - b);
    const known = numbers.get(sorted.join()) ?? sets.push(sorted) - 1;
    numbers.set(sorted.join(), known);
    return known;
  };
  const next = (state: number, point: number) => {
    const points = [point, swappedCase(point)];
    const set = sets[state]!.flatMap(one => points.map(other => inner.next(one, other)));
    return set.length > MAX_SPELLINGS ? undefined : numberOf(set);
  };
  const acceptsOne = (state: number): boolean => {
    const ports = withPorts(state, inner);
    // Of too many, some may be accepted, and some may not be.
    if (ports === undefined) return !isComplement;
    return isComplement ? ports.every(inner.accepts) : ports.some(inner.accepts);
  };
  const accepts = (state: number) => (isComplement ? sets[state]!.every(acceptsOne) : sets[state]!.some(acceptsOne));
  return { start: numberOf([inner.start]), next, accepts };
}

/** Returns the states after a host with and without a port; undefined if there are too many. A colon without digits is in the URL, too. */
function withPorts(host: number, inner: Inner): readonly number[] | undefined {
  const colon = inner.next(host, COLON);
  const states = new Set(DIGITS.map(digit => inner.next(colon, digit)));
  for (const state of states) {
    if (states.size > MAX_SPELLINGS) return undefined;
    for (const digit of DIGITS) states.add(inner.next(state, digit));
  }
  return [host, ...states];
}

const [COLON] = codePointsOf(':') as readonly [number];
const DIGITS = codePointsOf('0123456789');
const MAX_SPELLINGS = 200;

/** Returns an ASCII letter in the other case, and other characters as they are. */
function swappedCase(point: number): number {
  const lower = point | 0x20;
  return point < 0x80 && lower >= 0x61 && lower <= 0x7a ? point ^ 0x20 : point;
}

/** Returns the cuts between characters that behave alike in the other case. */
function otherCase(cuts: Cuts): Cuts {
  return cuts.flatMap(cut => [swappedCase(cut), swappedCase(cut - 1) + 1]);
}

/** Letters in both cases and other characters behave differently. */
const ASCII: Cuts = [0x41, 0x5b, 0x61, 0x7b, 0x80];

/** What follows may not matter. */
function inPath(state: State, inner: Inner): State {
  const fate = inner.fateOf(state.inner);
  return fate !== undefined && fate === inner.fateOf(state.raw) ? ended(fate === 'accepted') : state;
}

/** Escapes of other characters than ASCII may be malformed together. */
function inEscape(
  state: State,
  character: string,
  { inner, raw }: { readonly inner: Inner; readonly raw: number },
): State {
  const value = '0123456789abcdef'.indexOf(character.toLowerCase());
  if (value < 0) return { phase: 'raw', inner: 0, raw };
  if (state.digit !== undefined)
    return inPath({ phase: 'path', inner: inner.next(state.inner, state.digit * 16 + value), raw }, inner);
  if (value < 8) return { phase: 'escape', inner: state.inner, raw, digit: value };
  // What follows in the decoded path is such a character, or else nothing is decoded.
  const after = inner.isAlikeBeyondAscii ? inner.next(state.inner, 0x80) : state.inner;
  const known = inPath({ phase: 'path', inner: after, raw }, inner);
  return known.phase === 'path' ? OPEN : known;
}
