/** Returns an RE2 pattern as a regular expression of SMT-LIB that whole strings match. Knows the syntax that the questions use. */
export function patternToSmt(pattern: string): string {
  const parser = new Parser(pattern);
  const found = parser.alternatives();
  if (!parser.isAtEnd) throw new Error(`not translated: ${pattern}`);
  return found;
}

const ANY = '(re.* re.allchar)';

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** Each alternative may have its own anchors. */
  alternatives(): string {
    const found = [this.#anchored()];
    while (this.#take('|')) found.push(this.#anchored());
    return union(found);
  }

  #anchored(): string {
    const isStart = this.#take('^');
    const inside = this.#sequence();
    const isEnd = this.#take('$');
    return concat([...(isStart ? [] : [ANY]), inside, ...(isEnd ? [] : [ANY])]);
  }

  #sequence(): string {
    const parts: string[] = [];
    while (!this.isAtEnd && !'|)$'.includes(this.#text[this.#at]!)) parts.push(this.#repeated());
    return concat(parts);
  }

  #repeated(): string {
    let part = this.#single();
    for (;;) {
      if (this.#take('*')) part = `(re.* ${part})`;
      else if (this.#take('+')) part = `(re.+ ${part})`;
      else if (this.#take('?')) part = `(re.opt ${part})`;
      else {
        const counted = /^\{(\d+)(?:,(\d*))?\}/.exec(this.#text.slice(this.#at));
        if (counted === null) return part;
        this.#at += counted[0].length;
        const [, least = '', most] = counted;
        if (most === '') part = `(re.++ ((_ re.^ ${least}) ${part}) (re.* ${part}))`;
        else part = `((_ re.loop ${least} ${most ?? least}) ${part})`;
      }
    }
  }

  #single(): string {
    if (this.#take('(')) {
      this.#take('?:');
      const parts = [this.#sequence()];
      while (this.#take('|')) parts.push(this.#sequence());
      if (!this.#take(')')) throw new Error(`not translated: ${this.#text}`);
      return union(parts);
    }
    if (this.#take('[')) return this.#charClass();
    if (this.#take('.')) return '(re.diff re.allchar (str.to_re "\\u{a}"))';
    if (this.#take('\\d')) return '(re.range "0" "9")';
    this.#take('\\');
    return `(str.to_re ${stringToSmt(this.#next())})`;
  }

  #charClass(): string {
    const isNegated = this.#take('^');
    const ranges: string[] = [];
    while (!this.#take(']')) {
      const first = this.#next();
      const last = this.#take('-') ? this.#next() : first;
      ranges.push(`(re.range ${stringToSmt(first)} ${stringToSmt(last)})`);
    }
    return isNegated ? `(re.diff re.allchar ${union(ranges)})` : union(ranges);
  }

  #next(): string {
    const character = this.#text[this.#at++];
    if (character === undefined) throw new Error(`not translated: ${this.#text}`);
    return character;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}

function concat(parts: readonly string[]): string {
  if (parts.length === 0) return '(str.to_re "")';
  return parts.length === 1 ? parts[0]! : `(re.++ ${parts.join(' ')})`;
}

function union(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `(re.union ${parts.join(' ')})`;
}

/** Returns a string literal of SMT-LIB. */
export function stringToSmt(text: string): string {
  const characters = [...text].map(one => {
    const point = one.codePointAt(0)!;
    if (one === '"') return '""';
    return point < 32 || point > 126 || one === '\\' ? `\\u{${point.toString(16)}}` : one;
  });
  return `"${characters.join('')}"`;
}
