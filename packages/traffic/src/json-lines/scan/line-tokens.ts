import { KIND } from './walk-lines-code.ts';

/** What stands in a JSON line between two values, or before the first or behind the last: keys and signs, with the value where it is a constant. */
export interface LineToken {
  readonly text: string;
  /** Of the value behind it, or in it. */
  readonly kind: number;
  /** Units at its end that are a constant. */
  readonly constant: number;
  /** Where the value belongs; undefined at the end of the line. */
  readonly member: MemberPath | undefined;
  /** An object that ends in it, or begins. */
  readonly closes: ObjectBound | undefined;
  readonly opens: ObjectBound | undefined;
}

/** A member of the record, or of an object in it. */
export interface MemberPath {
  /** The member of the record that is an object; undefined for members of the record. */
  readonly object: string | undefined;
  readonly name: string;
}

/** Where an object begins or ends within a token. */
interface ObjectBound {
  readonly name: string;
  readonly at: number;
}

/** A backslash, and what no text of one byte a sign has. */
const NOT_PLAIN = /[^\x20-\x5b\x5d-\x7f]/;
const KEY = /^ *"([^"]*)" *: */;
const TEXT = /^"[^"]*"/;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?![0-9.eE])/;
const CONSTANT = /^(?:null|true|false|\{\}|\[\])/;
const BETWEEN = /^ *,/;
const CLOSE = /^ *\}/;
const END = /^ *\} *\r?\n$/;

/**
 * Takes a line apart that is known to be JSON. Undefined for a line that cannot be told by its tokens: one with escapes or bytes beyond ASCII, with
 * lists, numbers with exponents, or objects of anything but texts.
 *
 * @param line with the line feed at its end; each byte a unit
 */
export function tokensOf(line: string): readonly LineToken[] | undefined {
  if (NOT_PLAIN.test(line.replace(/\r?\n$/, ''))) return undefined;
  const tokens = new Tokens(line);
  return tokens.record() ? tokens.found : undefined;
}

class Tokens {
  readonly found: LineToken[] = [];
  readonly #line: string;
  #at = 0;
  #start = 0;
  #closes: ObjectBound | undefined;
  #opens: ObjectBound | undefined;

  constructor(line: string) {
    this.#line = line;
  }

  record(): boolean {
    if (!this.#members('{', undefined)) return false;
    if (this.#match(END) === undefined) return false;
    this.#add(KIND.end, 0, undefined);
    return true;
  }

  /** From the sign that begins an object up to the one that ends it. */
  #members(open: string, object: string | undefined): boolean {
    if (this.#line[this.#at] !== open) return false;
    this.#at++;
    do {
      const name = this.#match(KEY)?.[1];
      // An empty name is that of no header.
      if (name === undefined || (object !== undefined && name === '')) return false;
      if (!this.#value({ object, name })) return false;
    } while (this.#match(BETWEEN) !== undefined);
    return true;
  }

  #value(member: MemberPath): boolean {
    const sign = this.#line[this.#at];
    if (sign === '"') return this.#text(member);
    if (member.object !== undefined) return false;
    const constant = this.#match(CONSTANT);
    if (constant !== undefined) {
      this.#add(KIND.constant, constant[0].length, member);
      return true;
    }
    return sign === '{' ? this.#object(member.name) : this.#number(member);
  }

  #text(member: MemberPath): boolean {
    const start = this.#at;
    if (this.#match(TEXT) === undefined) return false;
    const end = this.#at - 1;
    this.#at = start + 1;
    this.#add(KIND.text, 0, member);
    this.#start = end;
    this.#at = end + 1;
    return true;
  }

  #number(member: MemberPath): boolean {
    const start = this.#at;
    if (this.#match(NUMBER) === undefined) return false;
    const end = this.#at;
    this.#at = start;
    this.#add(KIND.number, 0, member);
    this.#start = end;
    this.#at = end;
    return true;
  }

  #object(name: string): boolean {
    // A token has room for one of each.
    if (this.#opens !== undefined) return false;
    this.#opens = { name, at: this.#at - this.#start };
    if (!this.#members('{', name) || this.#match(CLOSE) === undefined) return false;
    if (this.#closes !== undefined) return false;
    this.#closes = { name, at: this.#at - this.#start };
    return true;
  }

  #add(kind: number, constant: number, member: MemberPath | undefined): void {
    const text = this.#line.slice(this.#start, this.#at);
    this.found.push({ text, kind, constant, member, closes: this.#closes, opens: this.#opens });
    this.#start = this.#at;
    this.#closes = undefined;
    this.#opens = undefined;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    const found = pattern.exec(this.#line.slice(this.#at)) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}
