import type { TokenType } from 'chevrotain';
import { endOfNegated, endsOperand, report, startsOperand, wordAt } from './foreign-operators.ts';
import type { Reporter } from './reporter.ts';
import * as T from './tokens.ts';

/**
 * Rewrites the tokens of an expression that cannot be parsed: `a between b and c`, `if … then … else …`, `++`, `**`, `??` and strings in
 * backticks become tokens of CEL with the same operands, which prevents consequential errors. Reports each. Undefined if there are none.
 */
export function withoutForeignPhrases(
  tokens: readonly T.Token[],
  source: string,
  reporter: Reporter,
): T.Token[] | undefined {
  const phrases = new Phrases(tokens, source, reporter);
  for (let at = 0; at < tokens.length; at++) at = phrases.read(at);
  return phrases.finish();
}

interface DoubledSymbol {
  readonly types: readonly [TokenType, TokenType];
  readonly readAs: TokenType;
  readonly remedy: string;
}

/** `a ?? b` is read as a sum, whose operands have one type that is also the type of the result. */
const DOUBLED_SYMBOLS: readonly DoubledSymbol[] = [
  { types: [T.Plus, T.Plus], readAs: T.Plus, remedy: 'write `+`' },
  { types: [T.Star, T.Star], readAs: T.Star, remedy: 'write `a * a`' },
  { types: [T.Question, T.Question], readAs: T.Plus, remedy: 'write `has(a) ? a : b`' },
  { types: [T.Question, T.Colon], readAs: T.Plus, remedy: 'write `has(a) ? a : b`' },
];

class Phrases {
  readonly #tokens: readonly T.Token[];
  readonly #source: string;
  readonly #reporter: Reporter;
  readonly #result: T.Token[] = [];
  /** Tokens to write instead of a word further on, by its index. */
  readonly #replaced = new Map<number, TokenType>();
  /** Brackets to close before an index. */
  readonly #closedBefore: number[] = [];
  #isChanged = false;

  constructor(tokens: readonly T.Token[], source: string, reporter: Reporter) {
    this.#tokens = tokens;
    this.#source = source;
    this.#reporter = reporter;
  }

  /** Reads the token at an index, with those of its phrase; returns the index of the last one. */
  read(at: number): number {
    this.#close(at);
    const token = this.#tokens[at]!;
    const replacement = this.#replaced.get(at);
    if (replacement) {
      this.#push(replacement, token.startOffset, token.end);
      return at;
    }
    const last = this.#readPhrase(at);
    if (last === undefined) this.#result.push(token);
    return last ?? at;
  }

  finish(): T.Token[] | undefined {
    this.#close(this.#tokens.length);
    return this.#isChanged ? this.#result : undefined;
  }

  #close(at: number): void {
    while (this.#closedBefore.at(-1) === at) {
      const { end } = this.#tokens[this.#closedBefore.pop()! - 1]!;
      this.#push(T.RightBracket, end, end);
    }
  }

  #push(type: TokenType, start: number, end: number): void {
    this.#result.push(new T.Token(type, start, end, ''));
    this.#isChanged = true;
  }

  #readPhrase(at: number): number | undefined {
    if (!endsOperand(this.#result.at(-1))) return this.#conditional(at) ?? this.#backticks(at);
    return this.#between(at) ?? this.#doubledSymbol(at);
  }

  /** Reads `a between b and c` as `a in [b, c]`. */
  #between(at: number): number | undefined {
    const last = this.#word(at) === 'not' ? at + 1 : at;
    if (this.#word(last) !== 'between') return undefined;
    const and = this.#find('and', last + 1);
    if (and === undefined) return undefined;
    const range = { start: this.#tokens[at]!.startOffset, end: this.#tokens[last]!.end };
    const remedy = last === at ? 'write `a >= b && a <= c`' : 'write `a < b || a > c`';
    this.#report(range, remedy);
    this.#push(T.In, range.start, range.end);
    this.#push(T.LeftBracket, range.end, range.end);
    this.#replaced.set(and, T.Comma);
    this.#closedBefore.push(endOfNegated(this.#tokens, and + 1, this.#source));
    return last;
  }

  /** Reads `if a then b else c` as `a ? b : c`. */
  #conditional(at: number): number | undefined {
    if (this.#word(at) !== 'if') return undefined;
    const then = this.#find('then', at + 1);
    const otherwise = then === undefined ? undefined : this.#find('else', then + 1);
    if (then === undefined || otherwise === undefined) return undefined;
    const { startOffset: start, end } = this.#tokens[at]!;
    this.#report({ start, end }, 'write `a ? b : c`');
    this.#replaced.set(then, T.Question).set(otherwise, T.Colon);
    this.#isChanged = true;
    return at;
  }

  #doubledSymbol(at: number): number | undefined {
    const [first, second] = [this.#tokens[at]!, this.#tokens[at + 1]];
    if (second?.startOffset !== first.end) return undefined;
    const found = DOUBLED_SYMBOLS.find(
      ({ types: [one, other] }) => one === first.tokenType && other === second.tokenType,
    );
    if (!found) return undefined;
    const range = { start: first.startOffset, end: second.end };
    const isPostfix = !startsOperand(this.#tokens[at + 2]);
    this.#report(range, isPostfix ? 'write `a + 1`; an expression cannot change a value' : found.remedy);
    if (!isPostfix) this.#push(found.readAs, range.start, range.end);
    this.#isChanged = true;
    return at + 1;
  }

  /** Backticks are only for names after a dot and in literals of objects. */
  #backticks(at: number): number | undefined {
    const { tokenType, startOffset: start, end } = this.#tokens[at]!;
    const before = this.#result.at(-1)?.tokenType;
    const isName = before === T.Dot || before === T.Question || this.#tokens[at + 1]?.tokenType === T.Colon;
    if (tokenType !== T.QuotedName || isName) return undefined;
    const value = this.#source.slice(start + 1, end - 1);
    const range = { start, end };
    this.#reporter.report({
      code: 'syntax/unexpected-character',
      message: 'string in backticks; write single or double quotes',
      range,
      args: { found: '`' },
      fixes: [{ title: 'write quotes', applicability: 'suggestion', edits: [{ range, newText: `'${value}'` }] }],
    });
    this.#push(T.UnterminatedLiteral, start, end);
    return at;
  }

  #report(range: { readonly start: number; readonly end: number }, remedy: string): void {
    report(this.#reporter, { word: this.#source.slice(range.start, range.end), remedy, range, fixes: [] });
  }

  #word(at: number): string {
    return wordAt(this.#tokens[at], this.#source);
  }

  /** Index of a word outside of nested brackets. */
  #find(word: string, from: number): number | undefined {
    let depth = 0;
    for (let at = from; at < this.#tokens.length; at++) {
      const { tokenType } = this.#tokens[at]!;
      if (OPENING.includes(tokenType)) depth++;
      else if (CLOSING.includes(tokenType) && --depth < 0) return undefined;
      if (depth === 0 && this.#word(at) === word) return at;
    }
    return undefined;
  }
}

const OPENING: readonly TokenType[] = [T.LeftParen, T.LeftBracket, T.LeftBrace];
const CLOSING: readonly TokenType[] = [T.RightParen, T.RightBracket, T.RightBrace];
