// Reads the sentences of `@tollgate/describe` back as CEL. It shares nothing with what writes them but the nouns of variables, so that a
// sentence that says too little, or can be read in two ways, is found.

import type { Profile } from '@tollgate/catalog';
import { nounOf, statementOf } from '@tollgate/describe';

/**
 * Returns the CEL that a clause says. Throws if it cannot be read.
 * @param paths fields of objects, which the catalog does not list as variables
 */
export function parseBack(text: string, profile: Profile, paths: readonly string[] = []): string {
  const words = vocabularyOf(profile);
  const nouns = [...paths.map(path => [nounOf(path), path] as const), ...words.nouns];
  const reader = new Reader(text, { ...words, nouns: nouns.toSorted(([a], [b]) => b.length - a.length) });
  const cel = reader.clause();
  reader.end();
  return cel;
}

interface Vocabulary {
  /** CEL by noun, longest first. */
  readonly nouns: readonly (readonly [noun: string, cel: string])[];
  readonly statements: readonly (readonly [text: string, cel: string])[];
  readonly isSnake: boolean;
}

const vocabularies = new Map<string, Vocabulary>();

function vocabularyOf(profile: Profile): Vocabulary {
  const known = vocabularies.get(profile.name);
  if (known) return known;
  const paths = profile.variables.map(({ path }) => path);
  const longest = (all: readonly (readonly [string, string])[]) => all.toSorted(([a], [b]) => b.length - a.length);
  const made: Vocabulary = {
    nouns: longest(paths.map(path => [nounOf(path), path])),
    statements: longest(
      paths.flatMap(path =>
        [true, false].flatMap(holds => {
          const text = statementOf(path, holds);
          return text === undefined ? [] : [[text, holds ? path : `!(${path})`] as const];
        }),
      ),
    ),
    isSnake: profile.name !== 'edge-v2',
  };
  vocabularies.set(profile.name, made);
  return made;
}

type Join = (subject: string, values: readonly string[]) => string;

/** Reads a pattern as it is in the code span. */
const PATTERNS = /match of$/;

const any = (test: (subject: string, value: string) => string): Join => {
  return (subject, values) => `(${values.map(value => test(subject, value)).join(' || ')})`;
};
const infix = (operator: string) => any((subject, value) => `${subject} ${operator} ${value}`);
const method = (name: string) => any((subject, value) => `${subject}.${name}(${value})`);
/** A list is evaluated as a whole, so that a value that fails is no alternative. */
function equal(subject: string, values: readonly string[]): string {
  return values.length === 1 ? `${subject} == ${values[0]}` : `${subject} in [${values.join(', ')}]`;
}
const no =
  (test: Join): Join =>
  (subject, values) =>
    `!(${test(subject, values)})`;

/** What verbs say, by their words. Those without values come last, since others begin with them. */
const VERBS: readonly (readonly [words: string, test: Join])[] = [
  ['is not less than', no(infix('<'))],
  ['is less than', infix('<')],
  ['is not greater than', no(infix('>'))],
  ['is greater than', infix('>')],
  ['is not at most', no(infix('<='))],
  ['is at most', infix('<=')],
  ['is not at least', no(infix('>='))],
  ['is at least', infix('>=')],
  ['is not before', no(infix('<'))],
  ['is before', infix('<')],
  ['is not after', no(infix('>'))],
  ['is after', infix('>')],
  ['is not at or before', no(infix('<='))],
  ['is at or before', infix('<=')],
  ['is not at or after', no(infix('>='))],
  ['is at or after', infix('>=')],
  ['is in', any((subject, value) => `inCidrRange(${subject}, ${value})`)],
  ['is outside', no(any((subject, value) => `inCidrRange(${subject}, ${value})`))],
  ['does not start with', no(method('startsWith'))],
  ['starts with', method('startsWith')],
  ['does not end with', no(method('endsWith'))],
  ['ends with', method('endsWith')],
  ['contains a case-insensitive match of', any((subject, value) => `${subject}.matches('(?i)' + ${value})`)],
  ['contains no case-insensitive match of', no(any((subject, value) => `${subject}.matches('(?i)' + ${value})`))],
  ['contains a match of', method('matches')],
  ['contains no match of', no(method('matches'))],
  ['does not contain', no(method('contains'))],
  ['contains', method('contains')],
  ['does not have the value', no(any((subject, value) => `${value} in ${subject}`))],
  ['do not include', no(any((subject, value) => `${value} in ${subject}`))],
  ['has the value', any((subject, value) => `${value} in ${subject}`)],
  ['include', any((subject, value) => `${value} in ${subject}`)],
  ['has no entry', no(any((subject, value) => `${value} in ${subject}`))],
  ['has an entry', any((subject, value) => `${value} in ${subject}`)],
  ['is not', no(equal)],
  ['is', equal],
];

const PLAIN: readonly (readonly [words: string, test: (subject: string) => string])[] = [
  ['has no value', subject => `size(${subject}) == 0`],
  ['has a value', subject => `size(${subject}) > 0`],
  ['is not empty', subject => `${subject} != ''`],
  ['is empty', subject => `${subject} == ''`],
  ['is not a private address', subject => `!isPrivateIp(${subject})`],
  ['is a private address', subject => `isPrivateIp(${subject})`],
  ['is not a URL', subject => `!isURL(${subject})`],
  ['is a URL', subject => `isURL(${subject})`],
  ['is not JSON', subject => `!isJson(${subject})`],
  ['is JSON', subject => `isJson(${subject})`],
  ['is not a query string', subject => `!isQueryString(${subject})`],
  ['is a query string', subject => `isQueryString(${subject})`],
  ['is true', subject => subject],
  ['is false', subject => `!(${subject})`],
];

const ENTRIES: Readonly<Record<string, readonly [look: string, has: string, snake: string, camel: string]>> = {
  header: ['getReqHeader', 'hasReqHeader', 'req.headers', 'req.Headers'],
  'query parameter': ['getQueryParam', 'hasQueryParam', 'req.url.query_params', 'req.Params'],
  cookie: ['getReqCookie', 'hasReqCookie', 'req.cookies', 'req.Cookies'],
  'response header': ['getResHeader', 'hasResHeader', 'res.headers', 'res.Headers'],
  'response cookie': ['getResCookie', 'hasResCookie', 'res.cookies', 'res.Cookies'],
  'request trailer': ['', '', 'req.trailers', 'req.Trailers'],
  'response trailer': ['', '', 'res.trailers', 'res.Trailers'],
  'request media type parameter': ['', '', 'req.content_type.parameters', ''],
  'response media type parameter': ['', '', 'res.content_type.parameters', ''],
  variable: ['', '', 'vars', 'vars'],
};

const TIMES: Readonly<Record<string, string>> = {
  'the year of': 'getFullYear',
  'the month, counted from 0, of': 'getMonth',
  'the day of the month, counted from 0, of': 'getDayOfMonth',
  'the day of the month of': 'getDate',
  'the day of the week, counted from 0 for Sunday, of': 'getDayOfWeek',
  'the day of the year, counted from 0, of': 'getDayOfYear',
  'the hour of': 'getHours',
  'the minute of': 'getMinutes',
  'the second of': 'getSeconds',
  'the millisecond of': 'getMilliseconds',
};

const SUFFIXES: Readonly<Record<string, (cel: string) => string>> = {
  ' in lower case': cel => `${cel}.lowerAscii()`,
  ' in upper case': cel => `${cel}.upperAscii()`,
  ' without surrounding white space': cel => `${cel}.trim()`,
  ' as an integer': cel => `int(${cel})`,
  ' as a number': cel => `double(${cel})`,
  ' as a string': cel => `string(${cel})`,
  ' as an unsigned integer': cel => `uint(${cel})`,
  ' as a time': cel => `timestamp(${cel})`,
  ' as a duration': cel => `duration(${cel})`,
};

/** Reads by descent. Every method reads one kind of phrase where it stands, and fails if there is none. */
class Reader {
  #at = 0;
  readonly #text: string;
  readonly #words: Vocabulary;

  constructor(text: string, words: Vocabulary) {
    this.#text = text;
    this.#words = words;
  }

  end(): void {
    if (this.#at < this.#text.length) this.#fail('the end');
  }

  clause(): string {
    const parts = [this.#unit()];
    let kind: string | undefined;
    for (;;) {
      const word = [', and ', ', or ', ' and ', ' or ', ', '].find(one => this.#eat(one));
      if (word === undefined) break;
      const own = word.replaceAll(/[, ]/g, '');
      if (own !== '' && kind !== undefined && kind !== own) this.#fail(`no other word than ${kind}`);
      kind = own === '' ? kind : own;
      parts.push(this.#unit());
    }
    return parts.length === 1 ? parts[0]! : `(${parts.join(kind === 'and' ? ' && ' : ' || ')})`;
  }

  #unit(): string {
    if (!this.#eat('(')) return this.#statement();
    const inner = this.clause();
    this.#expect(')');
    return inner;
  }

  #statement(): string {
    if (this.#eat('always')) return 'true';
    if (this.#eat('never')) return 'false';
    for (const [text, cel] of this.#words.statements) if (this.#eat(text)) return cel;
    if (this.#eat('the condition ')) {
      const code = this.#span();
      if (this.#eat(' holds')) return `(${code})`;
      this.#expect(' does not hold');
      return `!(${code})`;
    }
    for (const quantifier of ['some', 'every', 'no']) {
      if (this.#eat(`for ${quantifier} value `)) {
        const variable = this.#span();
        this.#expect(' of ');
        const list = this.#term();
        this.#expect(', (');
        const body = this.clause();
        this.#expect(')');
        return quantified(quantifier, list, variable, body);
      }
      if (this.#eat(`${quantifier} value of `))
        return quantified(quantifier, this.#term(), 'one', this.#predicate('one'));
    }
    const start = this.#at;
    const entry = this.#entry();
    if (entry !== undefined) {
      const [kind, key] = entry;
      if (this.#eat(' is present')) return this.#present(kind, key);
      if (this.#eat(' is absent')) return `!${this.#present(kind, key)}`;
      this.#at = start;
    }
    const subject = this.#term();
    if (this.#eat(' is present')) return `has(${subject})`;
    if (this.#eat(' is absent')) return `!has(${subject})`;
    return this.#predicate(subject);
  }

  #present(kind: string, key: string): string {
    const [, has, snake, camel] = ENTRIES[kind]!;
    if (has !== '') return `${has}(${key})`;
    return `(${key} in ${this.#words.isSnake ? snake : camel})`;
  }

  #predicate(subject: string): string {
    for (const [words, test] of PLAIN) {
      const start = this.#at;
      if (!this.#eat(` ${words}`) && !this.#eat(` ${pluralOf(words)}`)) continue;
      if (/^(?:$|[,)]| and | or )/.test(this.#text.slice(this.#at))) return `(${test(subject)})`;
      this.#at = start;
    }
    for (const [words, test] of VERBS) {
      if (!this.#eat(` ${words} `) && !this.#eat(` ${pluralOf(words)} `)) continue;
      const isNone = this.#eat('none of ') || this.#eat('neither ');
      const values = PATTERNS.test(words) ? [JSON.stringify(this.#span())] : this.#values();
      return isNone ? `!(${test(subject, values)})` : test(subject, values);
    }
    return this.#fail('a verb');
  }

  /** A list of values ends where a clause begins. */
  #values(): readonly string[] {
    const values = [this.#term()];
    for (;;) {
      const start = this.#at;
      const word = [', ', ' nor ', ' or ', ' and '].find(one => this.#eat(one));
      if (word === undefined) return values;
      if (!/^(?:`|-?\d)/.test(this.#text.slice(this.#at))) {
        this.#at = start;
        return values;
      }
      values.push(this.#term());
    }
  }

  #term(): string {
    let cel = this.#head();
    for (;;) {
      const suffix = Object.keys(SUFFIXES).find(one => this.#eat(one));
      if (suffix !== undefined) cel = SUFFIXES[suffix]!(cel);
      else if (this.#eat(' joined by ')) cel = `${cel}.join(${this.#value()})`;
      else return cel;
    }
  }

  #head(): string {
    if (this.#eat('(')) {
      const inner = this.#term();
      this.#expect(')');
      return inner;
    }
    if (this.#eat('the result of ')) return `(${this.#span()})`;
    if (this.#eat('a random number from 0 to 1')) return 'rand.double()';
    if (this.#eat('the first value of ')) return `${this.#head()}[0]`;
    const nth = /^value (\d+) of /.exec(this.#rest());
    if (nth) {
      this.#at += nth[0].length;
      return `${this.#head()}[${Number(nth[1]) - 1}]`;
    }
    if (this.#eat('the size of ')) return `size(${this.#head()})`;
    if (this.#eat('the field ')) {
      const field = this.#span();
      this.#expect(' of ');
      return `${this.#head()}.${field}`;
    }
    if (this.#eat('the entry ')) {
      const key = this.#value();
      this.#expect(' of ');
      return `${this.#head()}[${key}]`;
    }
    if (this.#eat('the time ')) return `timestamp(${this.#value()})`;
    if (this.#eat('the duration ')) return `duration(${this.#value()})`;
    if (this.#eat('the value `')) {
      this.#at -= 1;
      return this.#span();
    }
    for (const [words, name] of Object.entries(TIMES)) {
      if (!this.#eat(`${words} `)) continue;
      const time = this.#term();
      this.#expect(' in ');
      return `${time}.${name}(${this.#value()})`;
    }
    const entry = this.#entry();
    if (entry !== undefined) {
      const [kind, key] = entry;
      const [look, , snake, camel] = ENTRIES[kind]!;
      const map = this.#words.isSnake ? snake : camel;
      return this.#eat(' (which must be present)') || look === '' ? `${map}[${key}]` : `${look}(${key})`;
    }
    const noun = this.#words.nouns.find(([one]) => this.#eat(one));
    return noun ? noun[1] : this.#value();
  }

  /** ``the header `x` ``. */
  #entry(): readonly [kind: string, key: string] | undefined {
    const kind = Object.keys(ENTRIES).find(one => this.#rest().startsWith(`the ${one} \``));
    if (kind === undefined) return undefined;
    this.#at += `the ${kind} `.length;
    return [kind, this.#value()];
  }

  /** A literal: code that begins like one, or a plain string in a code span; numbers and `true` without one. */
  #value(): string {
    if (this.#rest().startsWith('`')) {
      const text = this.#span();
      return /^(?:['"[{]|b['"])/.test(text) ? text : JSON.stringify(text).replaceAll('\u007f', '\\x7f');
    }
    const plain = /^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?u?|true|false|null)/.exec(this.#rest());
    if (plain === null) return this.#fail('a value');
    this.#at += plain[0].length;
    return plain[0];
  }

  #span(): string {
    const [fence = ''] = /^`+/.exec(this.#rest()) ?? [];
    if (fence === '') this.#fail('code');
    const end = this.#text.indexOf(fence, this.#at + fence.length);
    const text = this.#text.slice(this.#at + fence.length, end);
    this.#at = end + fence.length;
    return fence === '`' ? text : text.slice(1, -1);
  }

  #rest(): string {
    return this.#text.slice(this.#at);
  }

  #eat(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    // `the path` is no beginning of `the path and query is …`, which is tried first; but `is` is one of `island`.
    if (/\w$/.test(text) && /^\w/.test(this.#text.slice(this.#at + text.length))) return false;
    this.#at += text.length;
    return true;
  }

  #expect(text: string): void {
    if (!this.#eat(text)) this.#fail(text);
  }

  #fail(what: string): never {
    throw new Error(`expected ${what} at ${this.#at} of ${this.#text}: ${this.#rest().slice(0, 40)}`);
  }
}

function quantified(quantifier: string, list: string, variable: string, body: string): string {
  if (quantifier === 'every') return `${list}.all(${variable}, ${body})`;
  return `${quantifier === 'no' ? '!' : ''}${list}.exists(${variable}, ${body})`;
}

function pluralOf(words: string): string {
  return words
    .replace(/^is\b/, 'are')
    .replace(/^has\b/, 'have')
    .replace(/^does\b/, 'do')
    .replace(/^(start|end|contain)s\b/, '$1');
}
