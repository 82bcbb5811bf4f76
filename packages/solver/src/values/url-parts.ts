import { cutsAround, type LazyAutomaton, mergeCuts } from './automaton.ts';
import type { Intern, Language } from './language.ts';
import { codePointsOf } from './literal-automata.ts';

/**
 * A part of a URL that is a value of its own: the host, or the decoded path. The host is known from a URL without a port only: some names of
 * the host have the port and others do not, and `Host` may have one that the URL lacks.
 */
export type UrlPart = 'host' | 'path';

/**
 * Returns a part of an absolute `http` or `https` URL as it arrives, whose path is at least a slash; undefined for URLs of other forms, and for
 * the host after user information or before a port.
 */
export function partOfUrl(url: string, part: UrlPart): string | undefined {
  const start = SCHEMES.find(scheme => url.startsWith(scheme))?.length;
  const slash = start === undefined ? -1 : url.indexOf('/', start);
  if (slash < 0) return undefined;
  const host = url.slice(start, slash);
  if (host.includes('?') || host.includes('#')) return undefined;
  if (part === 'host') return /[@:]/.test(host) ? undefined : host;
  return decoded(url.slice(slash).split('?')[0]!.split('#')[0]!);
}

const SCHEMES = ['http://', 'https://'];

/** All or nothing, as the simulator does it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the URLs of which a part belongs to a language. */
export function urlLanguage(intern: Intern, language: Language, part: UrlPart): Language {
  return intern(`${part} of URL:${language.key}`, () => ({
    test: url => {
      const value = partOfUrl(url, part);
      return value !== undefined && language.test(value);
    },
    automaton: isComplement => {
      const inner = innerOf(language, isComplement);
      return inner && preimage(inner, part, isComplement);
    },
    isPartial: true,
    samples: language.definition.samples.map(text =>
      part === 'host' ? `https://${text}/` : `https://example.com${text}`,
    ),
  }));
}

/** The automaton of a part. */
interface Inner extends LazyAutomaton {
  /** Returns whether all strings are accepted from a state on, or none is; undefined if neither is known. */
  readonly fateOf: (state: number) => 'accepted' | 'rejected' | undefined;
}

function innerOf(language: Language, isComplement: boolean): Inner | undefined {
  const minimal = language.minimal(isComplement);
  const automaton = minimal ?? language.lazy(isComplement);
  if (automaton === undefined) return undefined;
  const fateOf: Inner['fateOf'] = state => {
    if (minimal?.toReject[state] === Number.POSITIVE_INFINITY) return 'accepted';
    return minimal?.toAccept[state] === Number.POSITIVE_INFINITY ? 'rejected' : undefined;
  };
  return { ...automaton, fateOf };
}

/**
 * Where in a URL an automaton is. `raw`: the path has a malformed escape, so that none of it is decoded; `open`: the URL does not say what
 * the part is; `never`: no URL is like this.
 */
interface State {
  readonly phase: 'scheme' | 'host' | 'path' | 'escape' | 'raw' | 'open' | 'never' | 'accepted' | 'rejected';
  /** How much of the scheme was read, or the state after the host or the decoded path. */
  readonly inner: number;
  /** The state after the path as sent. */
  readonly raw: number;
  /** The first digit of an escape. */
  readonly digit?: number;
}

const CHARACTERS = [...codePointsOf('htps:/?#@%'), ...codePointsOf('0123456789abcdefABCDEF')];

function preimage(inner: Inner, part: UrlPart, isComplement: boolean): LazyAutomaton {
  const states: State[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (state: State): number => {
    const key = `${state.phase} ${state.inner} ${state.raw} ${state.digit}`;
    const known = numbers.get(key) ?? states.push(state) - 1;
    numbers.set(key, known);
    return known;
  };
  const start = numberOf({ phase: 'scheme', inner: 0, raw: 0 });
  return {
    cuts: mergeCuts([inner.cuts, cutsAround(CHARACTERS)]),
    start,
    next: (state, point) => numberOf(step(states[state]!, point, { inner, part })),
    accepts: state => accepts(states[state]!, inner, isComplement),
  };
}

function accepts(state: State, inner: Inner, isComplement: boolean): boolean {
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
      return isComplement;
    default:
      return !isComplement;
  }
}

interface StepContext {
  readonly inner: Inner;
  readonly part: UrlPart;
}

const OPEN: State = { phase: 'open', inner: 0, raw: 0 };
const NEVER: State = { ...OPEN, phase: 'never' };

function step(state: State, point: number, context: StepContext): State {
  const { inner } = context;
  const character = String.fromCodePoint(point);
  switch (state.phase) {
    case 'scheme':
      return afterScheme(state.inner, character, context);
    case 'host':
      return inHost(state, point, context);
    case 'path':
    case 'escape':
    case 'raw': {
      if (character === '?' || character === '#') return ended(accepts(state, inner, false));
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
  return { phase: isAccepted ? 'accepted' : 'rejected', inner: 0, raw: 0 };
}

/** Reads `http://` or `https://`. */
function afterScheme(read: number, character: string, { inner, part }: StepContext): State {
  const isShort = read === 'http'.length && character === ':';
  const next = isShort ? 'https:'.length : read + 1;
  if (!isShort && 'https://'[read] !== character) return OPEN;
  if (next < 'https://'.length) return { phase: 'scheme', inner: next, raw: 0 };
  return { phase: 'host', inner: part === 'host' ? inner.start : 0, raw: 0 };
}

function inHost(state: State, point: number, { inner, part }: StepContext): State {
  const character = String.fromCodePoint(point);
  if (character === '?' || character === '#') return NEVER;
  if (part === 'host') {
    if (character === '@' || character === ':') return OPEN;
    if (character !== '/') return { ...state, inner: inner.next(state.inner, point) };
    return dependsOnPort(state.inner, inner) ? OPEN : ended(inner.accepts(state.inner));
  }
  if (character !== '/') return state;
  const next = inner.next(inner.start, point);
  return inPath({ phase: 'path', inner: next, raw: next }, inner);
}

/** Returns true if whether a host belongs to the language may depend on a port behind it. */
function dependsOnPort(host: number, inner: Inner): boolean {
  const isAccepted = inner.accepts(host);
  const states = new Set([inner.next(host, COLON)]);
  for (const state of states) {
    for (const digit of DIGITS) {
      const next = inner.next(state, digit);
      if (inner.accepts(next) !== isAccepted || states.size > MAX_PORTS) return true;
      states.add(next);
    }
  }
  return false;
}

const [COLON] = codePointsOf(':') as readonly [number];
const DIGITS = codePointsOf('0123456789');
const MAX_PORTS = 200;

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
  const known = inPath({ phase: 'path', inner: state.inner, raw }, inner);
  return known.phase === 'path' ? OPEN : known;
}
