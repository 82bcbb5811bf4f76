// Patterns of which V8 finds the same matches and groups as RE2, in linear time: they become a `RegExp`, and need no engine.

import { isLinearSearch } from './backtracking.ts';
import { parsePattern } from './parse-pattern.ts';

/**
 * Returns a global `RegExp` that finds the same matches as a pattern in RE2 syntax, with the same groups, in linear time; undefined if none is
 * certain to. Only what has the same meaning in both languages is translated: literals, sets, groups, alternatives and repetitions. Where the
 * languages differ, nothing is: repetitions of what may be empty, and groups that are repeated, of which JavaScript forgets earlier iterations.
 */
export function searchRegExp(pattern: string): RegExp | undefined {
  const translated = new Translation(pattern).translate();
  if (translated === undefined) return undefined;
  const node = parsePattern(pattern);
  if ('fault' in node || !isLinearSearch(node)) return undefined;
  return new RegExp(translated, 'gu');
}

/** A part of a pattern in JavaScript. */
interface Part {
  readonly source: string;
  readonly isNullable: boolean;
  readonly hasGroup: boolean;
}

class Untranslatable extends Error {}

const SETS: Readonly<Record<string, string>> = { d: '0-9', w: '0-9A-Za-z_', s: '\\t\\n\\f\\r ' };
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const GROUP = /\((?:\?:|\?P?<([A-Za-z_][A-Za-z0-9_]*)>)?/y;
const QUANTIFIER = /(?:([*+?])|\{(\d{1,4})(,)?(\d{1,4})?\})(\?)?/y;
const FEW = 1000;

class Translation {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  translate(): string | undefined {
    if (!this.#pattern.isWellFormed()) return undefined;
    try {
      const { source, isNullable, branches } = this.#alternatives();
      // After an empty match, engines go on at different places. At the start there is only one.
      const isAtStart = branches === 1 && source.startsWith('^');
      if (this.#at < this.#pattern.length || (isNullable && !isAtStart)) return undefined;
      return source;
    } catch (error) {
      if (error instanceof Untranslatable) return undefined;
      throw error;
    }
  }

  #alternatives(): Part & { readonly branches: number } {
    const branches = [this.#sequence()];
    while (this.#pattern[this.#at] === '|') {
      this.#at++;
      branches.push(this.#sequence());
    }
    return {
      source: branches.map(({ source }) => source).join('|'),
      isNullable: branches.some(({ isNullable }) => isNullable),
      hasGroup: branches.some(({ hasGroup }) => hasGroup),
      branches: branches.length,
    };
  }

  #sequence(): Part {
    let whole: Part = { source: '', isNullable: true, hasGroup: false };
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern[this.#at]!)) {
      const part = this.#repeated(this.#atom());
      whole = {
        source: whole.source + part.source,
        isNullable: whole.isNullable && part.isNullable,
        hasGroup: whole.hasGroup || part.hasGroup,
      };
    }
    return whole;
  }

  #repeated(part: Part): Part {
    const match = this.#match(QUANTIFIER);
    if (match === undefined) return part;
    const [written, sign, least, comma, most] = match;
    const min = least === undefined ? Number(sign === '+') : Number(least);
    const max = least === undefined ? (sign === '?' ? 1 : FEW) : comma === undefined ? min : Number(most ?? FEW);
    if (part.isNullable || min > max || max > FEW || max === 0 || (part.hasGroup && max > 1))
      throw new Untranslatable();
    // A repetition of a repetition.
    if (this.#match(QUANTIFIER) !== undefined) throw new Untranslatable();
    return { source: part.source + written, isNullable: min === 0, hasGroup: part.hasGroup };
  }

  #atom(): Part {
    const char = String.fromCodePoint(this.#pattern.codePointAt(this.#at)!);
    if (char === '(') return this.#group();
    this.#at += char.length;
    const one = (source: string): Part => ({ source, isNullable: false, hasGroup: false });
    if (char === '[') return one(this.#set());
    if (char === '.') return one('[^\\n]');
    if (char === '^' || char === '$') return { source: char, isNullable: true, hasGroup: false };
    if (char === '\\')
      return one(this.#escape(/[dws]/i, name => (name < 'a' ? `[^${SETS[name.toLowerCase()]}]` : `[${SETS[name]}]`)));
    if (/[*+?{}\])]/.test(char)) throw new Untranslatable();
    return one(written(char));
  }

  #group(): Part {
    const match = this.#match(GROUP)!;
    const [head, name] = match;
    if (this.#pattern[this.#at] === '?') throw new Untranslatable();
    const inner = this.#alternatives();
    if (this.#pattern[this.#at] !== ')') throw new Untranslatable();
    this.#at++;
    const opening = name === undefined ? head : `(?<${name}>`;
    return {
      source: `${opening}${inner.source})`,
      isNullable: inner.isNullable,
      hasGroup: inner.hasGroup || head !== '(?:',
    };
  }

  #escape(sets: RegExp, setOf: (name: string) => string): string {
    const char = this.#pattern[this.#at++] ?? '';
    if (sets.test(char)) return setOf(char);
    if (!PUNCTUATION.test(char)) throw new Untranslatable();
    return written(char);
  }

  #set(): string {
    let source = '[';
    if (this.#pattern[this.#at] === '^') {
      this.#at++;
      source += '^';
    }
    let count = 0;
    for (; this.#pattern[this.#at] !== ']' || count === 0; count++) {
      const [from, low] = this.#member();
      if (this.#pattern[this.#at] !== '-' || this.#pattern[this.#at + 1] === ']') source += from;
      else {
        this.#at++;
        const [to, high] = this.#member();
        if (low === undefined || high === undefined || low > high) throw new Untranslatable();
        source += `${from}-${to}`;
      }
    }
    this.#at++;
    return `${source}]`;
  }

  /** Returns a member of a set, and its code point if it is one. */
  #member(): readonly [source: string, codePoint: number | undefined] {
    const codePoint = this.#pattern.codePointAt(this.#at);
    if (codePoint === undefined) throw new Untranslatable();
    const char = String.fromCodePoint(codePoint);
    this.#at += char.length;
    if (char === '\\') {
      const next = this.#pattern.codePointAt(this.#at);
      const source = this.#escape(/[dws]/, name => SETS[name]!);
      return source.startsWith('\\u') ? [source, next] : [source, undefined];
    }
    // A set in a set, and an end that is none.
    if (char === '[' || char === ']') throw new Untranslatable();
    return [written(char), codePoint];
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#pattern) ?? undefined;
    this.#at += match?.[0].length ?? 0;
    return match;
  }
}

/** Writes a character so that it stands for itself anywhere. */
function written(char: string): string {
  return /^[A-Za-z0-9_/]$/.test(char) ? char : `\\u{${char.codePointAt(0)!.toString(16)}}`;
}
