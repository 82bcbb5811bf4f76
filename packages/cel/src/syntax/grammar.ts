// The grammar, as a Chevrotain parser with recovery, and the messages of its errors.

import { once, type Range } from '@tollgate/diagnostics';
import {
  type DSLMethodOpts,
  EmbeddedActionsParser,
  EOF,
  type IOrAlt,
  type IParserConfig,
  type IParserErrorMessageProvider,
  type IToken,
  type ParserMethod,
  type TokenType,
} from 'chevrotain';
import type { Expr, FieldInit, MapEntry } from '../ast/ast.ts';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import { type ParseFinding, Reporter } from './reporter.ts';
import * as T from './tokens.ts';
import { type Branch, conditionalTree, OperationStack, TreeBuilder } from './tree-builder.ts';

interface GrammarOptions {
  readonly recovery: boolean;
  /** Whether Chevrotain checks the grammar for mistakes such as ambiguity, which takes milliseconds. Tests do. */
  readonly validation?: boolean;
}

/** The result of arguments that could only be skipped. */
const BROKEN_ARGUMENTS: readonly Expr[] = [];

/**
 * A parser that keeps what it has read when the expression ends too early. Chevrotain inserts a missing bracket, or gives up a rule, only
 * where the grammar allows the next token to follow, so the recovering grammar allows the end of input everywhere.
 */
class RecoveringParser extends EmbeddedActionsParser {
  /** Missing brackets were inserted at the end of the expression. */
  protected endsOpen = false;
  protected readonly recovering: boolean;
  /** Productions for the end of input, by index. */
  private readonly ends: DSLMethodOpts<IToken>[] = [];

  constructor(config: IParserConfig) {
    super([...T.TOKEN_TYPES], config);
    this.recovering = config.recoveryEnabled === true;
  }

  /** Allows the end of input at this point of the grammar, for recovery only: it never matches. The index is unique within a rule. */
  protected mayEnd(index: number): void {
    if (!this.recovering) return;
    const occurrence = FIRST_END + index;
    this.ends[index] ??= { GATE: () => false, DEF: () => this.consume(occurrence, EOF) };
    this.option(occurrence, this.ends[index]);
  }

  /** Missing brackets and separators are inserted; names and literals are not. */
  protected override canTokenTypeBeInsertedInRecovery(type: TokenType): boolean {
    return INSERTABLE.includes(type);
  }

  protected override getTokenToInsert(type: TokenType): IToken {
    if (this.LA(1).tokenType === EOF) this.endsOpen = true;
    return super.getTokenToInsert(type);
  }
}

/** The part of the grammar for collections and arguments, and what all rules share. */
abstract class CollectionGrammar extends RecoveringParser {
  protected abstract readonly expression: ParserMethod<[], Expr>;
  /** A placeholder for Chevrotain's recording phase, which runs the actions once. */
  protected tree = new TreeBuilder('', new Map(), new Reporter(DEFAULT_LIMITS));
  protected readonly messages: SyntaxMessages;
  /** The offset in the source where the tokens begin. */
  protected textStart = 0;

  /** The last arguments whose closing bracket was inserted; more or other arguments may have been intended. */
  protected unclosed: readonly Expr[] | undefined;

  constructor(options: GrammarOptions) {
    const messages = new SyntaxMessages();
    super({
      recoveryEnabled: options.recovery,
      maxLookahead: 2,
      skipValidations: options.validation !== true,
      errorMessageProvider: messages,
    });
    this.messages = messages;
  }

  protected readonly argumentList = this.RULE('argumentList', this.readArguments, {
    recoveryValueFunc: () => BROKEN_ARGUMENTS,
  });

  private readArguments(): readonly Expr[] {
    const args: Expr[] = [];
    const add = (rule: () => Expr | undefined): void => {
      const start = this.nextStart();
      args.push(this.orError(rule(), start));
    };
    this.CONSUME(T.LeftParen);
    this.separated(
      () => {
        add(() => this.SUBRULE(this.expression));
        this.mayEnd(0);
      },
      () => {
        add(() => this.SUBRULE1(this.expression));
        this.mayEnd(1);
      },
    );
    const closing = this.CONSUME(T.RightParen);
    if (closing.isInsertedInRecovery === true) this.unclosed = args;
    return args;
  }

  protected readonly list = this.RULE('list', (): Expr => {
    const start = this.nextStart();
    const elements: Expr[] = [];
    const optionalIndices: number[] = [];
    this.CONSUME(T.LeftBracket);
    this.separated(
      () => {
        if (this.OPTION2(this.markOfFirst) !== undefined) optionalIndices.push(0);
        const elementStart = this.nextStart();
        elements.push(this.orError(this.SUBRULE(this.expression), elementStart));
        this.mayEnd(0);
      },
      () => {
        if (this.OPTION3(this.markOfNext) !== undefined) optionalIndices.push(elements.length);
        const elementStart = this.nextStart();
        elements.push(this.orError(this.SUBRULE1(this.expression), elementStart));
        this.mayEnd(1);
      },
    );
    this.OPTION1(() => this.CONSUME1(T.Comma));
    this.CONSUME(T.RightBracket);
    return this.tree.list(elements, optionalIndices, start, this.lastEnd());
  });

  private readonly markOfFirst = (): unknown => this.CONSUME(T.Question);
  private readonly markOfNext = (): unknown => this.CONSUME1(T.Question);

  protected readonly map = this.RULE('map', (): Expr => {
    const start = this.nextStart();
    const entries: (MapEntry | undefined)[] = [];
    this.CONSUME(T.LeftBrace);
    this.separated(
      () => {
        entries.push(this.SUBRULE(this.entry));
        this.mayEnd(0);
      },
      () => {
        entries.push(this.SUBRULE1(this.entry));
        this.mayEnd(1);
      },
    );
    this.OPTION1(() => this.CONSUME1(T.Comma));
    this.CONSUME(T.RightBrace);
    return this.tree.map(
      entries.filter(entry => entry !== undefined),
      start,
      this.lastEnd(),
    );
  });

  private readonly entry = this.RULE('entry', (): MapEntry => {
    const start = this.nextStart();
    const question = this.OPTION(() => this.CONSUME(T.Question));
    const keyStart = this.nextStart();
    const key = this.orError(this.SUBRULE(this.expression), keyStart);
    this.mayEnd(0);
    this.CONSUME(T.Colon);
    this.mayEnd(1);
    const valueStart = this.nextStart();
    const value = this.orError(this.SUBRULE1(this.expression), valueStart);
    this.mayEnd(2);
    return this.tree.entry(key, value, { optional: question !== undefined, start, end: this.lastEnd() });
  });

  protected readonly fields = this.RULE('fields', (): readonly FieldInit[] => {
    const fields: (FieldInit | undefined)[] = [];
    this.CONSUME(T.LeftBrace);
    this.separated(
      () => {
        fields.push(this.SUBRULE(this.field));
        this.mayEnd(0);
      },
      () => {
        fields.push(this.SUBRULE1(this.field));
        this.mayEnd(1);
      },
    );
    this.OPTION1(() => this.CONSUME1(T.Comma));
    this.CONSUME(T.RightBrace);
    return fields.filter(field => field !== undefined);
  });

  private readonly field = this.RULE('field', (): FieldInit | undefined => {
    const start = this.nextStart();
    const question = this.OPTION(() => this.CONSUME(T.Question));
    const name = this.SUBRULE(this.fieldName);
    this.mayEnd(0);
    this.CONSUME(T.Colon);
    this.mayEnd(1);
    const valueStart = this.nextStart();
    const value = this.orError(this.SUBRULE(this.expression), valueStart);
    this.mayEnd(2);
    return name && this.tree.field(name, value, { optional: question !== undefined, start, end: this.lastEnd() });
  });

  protected readonly fieldName = this.RULE(
    'fieldName',
    (): T.Token =>
      this.OR([
        { ALT: () => this.CONSUME(T.Identifier) as T.Token },
        { ALT: () => this.CONSUME(T.QuotedName) as T.Token },
      ]),
  );

  /** `[first {"," next}]`. */
  private separated(first: () => unknown, next: () => unknown): void {
    this.OPTION(() => {
      first();
      this.MANY(() => {
        this.CONSUME(T.Comma);
        next();
      });
    });
  }

  /** Returns the result of a rule, or an error node if it could only be skipped. */
  protected orError(expr: Expr | undefined, start: number): Expr {
    if (expr !== undefined) return expr;
    const end = this.lastEnd();
    return this.tree.error(Math.min(start, end), end);
  }

  /** Returns the start of the next token. */
  protected nextStart(): number {
    const token = this.LA(1) as T.Token;
    return token.tokenType === EOF ? this.tree.source.length : token.startOffset;
  }

  /** Returns the end of the last token consumed. */
  protected readonly lastEnd = (): number => (this.LA(0) as T.Token).end ?? this.textStart;
}

/**
 * The grammar of CEL, with the actions that build the tree.
 *
 * Hot. Callbacks for Chevrotain are created once per parser rather than once per call, so they pass their state in fields. A subrule may
 * overwrite those, so callers restore them from local variables. Binary operators form one flat list, which {@link OperationStack} turns
 * into a tree; a rule per precedence level takes half as long again.
 */
export class Grammar extends CollectionGrammar {
  private readonly operations = new OperationStack();
  /** The operand under construction, and its start, parentheses included. */
  private target!: Expr;
  private targetStart = 0;
  /** The minus sign of the number that follows. */
  private sign: T.Token | undefined;
  private branches: Branch[] | undefined;

  constructor(options: GrammarOptions) {
    super(options);
    this.performSelfAnalysis();
  }

  /** Parses tokens that start at offset `start` of the source. Without recovery, the tree after an error is meaningless. */
  parse(tokens: T.Token[], tree: TreeBuilder, report: (finding: SyntaxFinding) => void, start = 0): Expr {
    this.textStart = start;
    this.input = tokens;
    this.tree = tree;
    this.operations.reset(tree);
    this.sign = undefined;
    this.unclosed = undefined;
    this.endsOpen = false;
    this.messages.begin({ source: tree.source, tokens }, report, this.lastEnd);
    return this.orError(this.recovering ? this.root() : this.expression(), start);
  }

  /** The token at which the last {@link parse} stopped because the expression ended before it. */
  get redundant(): T.Token | undefined {
    return this.messages.redundant;
  }

  /**
   * The first rule, so that the repetitions of `expression` are not in the outermost rule. Otherwise, Chevrotain would skip to the end of
   * input for each token that does not continue the expression.
   */
  private readonly root = this.RULE('root', (): Expr => this.SUBRULE(this.expression));

  protected override readonly expression = this.RULE('expression', (): Expr => {
    const start = this.nextStart();
    const first = this.orError(this.SUBRULE(this.chain), start);
    this.mayEnd(0);
    this.branches = undefined;
    this.MANY(this.branch);
    return this.branches === undefined ? first : conditionalTree(this.tree, { value: first, start }, this.branches);
  });

  private readonly branch = (): void => {
    const branches = this.branches ?? [];
    const question = this.CONSUME(T.Question) as T.Token;
    const thenStart = this.nextStart();
    const then = this.orError(this.SUBRULE1(this.chain), thenStart);
    this.mayEnd(1);
    this.CONSUME(T.Colon);
    this.mayEnd(2);
    const otherwiseStart = this.nextStart();
    const otherwise = this.orError(this.SUBRULE2(this.chain), otherwiseStart);
    this.mayEnd(3);
    branches.push({ question, then, otherwise: { value: otherwise, start: otherwiseStart }, end: this.lastEnd() });
    this.branches = branches;
  };

  private readonly chain = this.RULE('chain', (): Expr => {
    const { operations } = this;
    const base = operations.size;
    const start = this.nextStart();
    const first = this.orError(this.SUBRULE(this.operand), start);
    this.mayEnd(0);
    operations.size = base;
    operations.base = base;
    operations.pushFirst(first, start, this.lastEnd());
    this.MANY(this.operation);
    return operations.finish();
  });

  private readonly operation = (): void => {
    const { operations } = this;
    const { base, size } = operations;
    const operator = this.CONSUME(T.BinaryOperator) as T.Token;
    const start = this.nextStart();
    const right = this.orError(this.SUBRULE1(this.operand), start);
    this.mayEnd(1);
    if (this.RECORDING_PHASE) return;
    operations.base = base;
    operations.size = size;
    operations.push(operator, right, start, this.lastEnd());
  };

  private readonly operand = this.RULE('operand', (): Expr => {
    const start = this.nextStart();
    const prefix = this.OPTION(this.prefixOption);
    const targetStart = prefix === undefined ? start : this.nextStart();
    this.target = this.OR(this.primaries);
    this.targetStart = targetStart;
    this.MANY(this.postfix);
    if (this.endsOpen && this.target.kind !== 'error') this.target = this.continued(this.target, targetStart);
    // An even number of prefix operators cancels out, as in the reference implementation.
    return prefix !== undefined && prefix.length % 2 === 1
      ? this.tree.prefixed(prefix, this.target, this.lastEnd())
      : this.target;
  });

  private readonly prefixOption = {
    // A minus sign may also start a number. That is decided below, which saves a second token of lookahead everywhere.
    MAX_LOOKAHEAD: 1,
    DEF: (): T.Token[] | undefined => this.OR1(this.prefixes),
  };

  private readonly prefixes: IOrAlt<T.Token[] | undefined>[] = [
    {
      ALT: () => {
        const signs: T.Token[] = [];
        this.AT_LEAST_ONE(() => signs.push(this.CONSUME(T.Bang) as T.Token));
        return signs;
      },
    },
    {
      ALT: () => {
        const signs: T.Token[] = [];
        this.AT_LEAST_ONE1(() => signs.push(this.CONSUME(T.Minus) as T.Token));
        const next = this.LA(1).tokenType;
        if (signs.length > 1 || (next !== T.IntLiteral && next !== T.DoubleLiteral)) return signs;
        this.sign = signs[0];
        return undefined;
      },
    },
  ];

  private readonly primaries: IOrAlt<Expr>[] = [
    { ALT: () => this.literal(this.CONSUME(T.Literal) as T.Token) },
    {
      ALT: () => {
        const name = this.CONSUME(T.Identifier) as T.Token;
        const args = this.OPTION1(this.argumentsOfName);
        this.mayEnd(0);
        return this.named(name, undefined, args);
      },
    },
    {
      ALT: () => {
        const dot = this.CONSUME(T.Dot) as T.Token;
        const name = this.CONSUME1(T.Identifier) as T.Token;
        const args = this.OPTION2(this.argumentsOfRootedName);
        this.mayEnd(1);
        return this.named(name, dot, args);
      },
    },
    {
      ALT: () => {
        this.CONSUME(T.LeftParen);
        const start = this.nextStart();
        const inner = this.orError(this.SUBRULE(this.expression), start);
        this.mayEnd(2);
        this.CONSUME(T.RightParen);
        return inner;
      },
    },
    {
      // Only after `!`; elsewhere the minus sign is already consumed as a prefix.
      ALT: () => {
        const minus = this.CONSUME1(T.Minus) as T.Token;
        const number = this.OR5([
          { ALT: () => this.CONSUME(T.IntLiteral) as T.Token },
          { ALT: () => this.CONSUME(T.DoubleLiteral) as T.Token },
        ]);
        return this.tree.number(number, minus);
      },
    },
    {
      ALT: () => {
        const list = this.orError(this.SUBRULE(this.list), this.lastEnd());
        this.mayEnd(3);
        return list;
      },
    },
    {
      ALT: () => {
        const map = this.orError(this.SUBRULE(this.map), this.lastEnd());
        this.mayEnd(4);
        return map;
      },
    },
  ];

  private readonly argumentsOfName = (): readonly Expr[] => this.SUBRULE(this.argumentList);
  private readonly argumentsOfRootedName = (): readonly Expr[] => this.SUBRULE1(this.argumentList);
  private readonly argumentsOfMember = (): readonly Expr[] => this.SUBRULE2(this.argumentList);

  private readonly postfix = (): void => this.OR2(this.postfixes);

  private readonly postfixes: IOrAlt<void>[] = [
    {
      ALT: () => {
        this.CONSUME2(T.Dot);
        this.OR3(this.selectors);
      },
    },
    {
      ALT: () => {
        const { target, targetStart } = this;
        const bracket = this.CONSUME(T.LeftBracket) as T.Token;
        const question = this.OPTION3(this.indexQuestion);
        const start = this.nextStart();
        const index = this.orError(this.SUBRULE1(this.expression), start);
        this.mayEnd(5);
        this.CONSUME(T.RightBracket);
        const at = { operator: bracket, start: targetStart, end: this.lastEnd() };
        this.target = this.tree.operator(question === undefined ? '_[_]' : '_[?_]', [target, index], at);
        this.targetStart = targetStart;
      },
    },
    {
      ALT: () => {
        const { target, targetStart } = this;
        const brace = this.LA(1) as T.Token;
        const fields = this.SUBRULE(this.fields) ?? [];
        this.mayEnd(6);
        this.target = this.tree.struct(target, fields, { brace, start: targetStart, end: this.lastEnd() });
        this.targetStart = targetStart;
      },
    },
  ];

  private readonly indexQuestion = (): T.Token => this.CONSUME(T.Question) as T.Token;

  private readonly selectors: IOrAlt<void>[] = [
    {
      ALT: () => {
        const { target, targetStart } = this;
        const name = this.CONSUME2(T.Identifier) as T.Token;
        const args = this.OPTION4(this.argumentsOfMember);
        this.mayEnd(7);
        this.target =
          args === undefined
            ? this.tree.select(target, name, targetStart)
            : this.called(this.tree.call(name, args, { target, start: targetStart, end: this.lastEnd() }), args);
        this.targetStart = targetStart;
      },
    },
    {
      ALT: () => {
        this.target = this.tree.select(this.target, this.CONSUME(T.QuotedName) as T.Token, this.targetStart);
      },
    },
    {
      ALT: () => {
        const question = this.CONSUME1(T.Question) as T.Token;
        const field = this.SUBRULE(this.fieldName);
        this.mayEnd(8);
        if (field !== undefined) this.target = this.tree.optionalSelect(this.target, question, field, this.targetStart);
      },
    },
  ];

  private literal(token: T.Token): Expr {
    const { sign } = this;
    if (sign === undefined) return this.tree.literal(token);
    this.sign = undefined;
    return this.tree.number(token, sign);
  }

  private named(name: T.Token, dot: T.Token | undefined, args: readonly Expr[] | undefined): Expr {
    if (args === undefined) return this.tree.ident(name, dot);
    const start = (dot ?? name).startOffset;
    return this.called(this.tree.call(name, args, { target: undefined, start, end: this.lastEnd() }), args);
  }

  /** The missing rest may change the type of the operand, so its type must cause no errors. An index may have any type. */
  private continued(operand: Expr, start: number): Expr {
    const end = this.lastEnd();
    const operator = this.LA(0) as T.Token;
    return this.tree.operator('_[_]', [operand, this.tree.error(end, end)], { operator, start, end });
  }

  /** A wrong number of arguments follows from the missing bracket; the error node keeps it from being reported. */
  private called(call: Expr, args: readonly Expr[]): Expr {
    if (args === BROKEN_ARGUMENTS) return this.tree.error(call.range.start, call.range.end);
    if (args !== this.unclosed || call.kind !== 'call') return call;
    const end = this.lastEnd();
    return { ...call, args: [...args, this.tree.error(end, end)] };
  }
}

/** Above the indices that the rules use. */
const FIRST_END = 10;

const INSERTABLE: readonly TokenType[] = [T.RightParen, T.RightBracket, T.RightBrace, T.Colon, T.Comma];

/** A syntax error, with the gap before its token: characters that the lexer skipped there may have caused it. */
export interface SyntaxFinding extends ParseFinding {
  readonly gap: Range;
}

/** Words Chevrotain's errors. Chevrotain requests the message of every error exactly once, so errors are collected here. */
class SyntaxMessages implements IParserErrorMessageProvider {
  /** The first token that Chevrotain left unread. */
  redundant: T.Token | undefined;
  private source = '';
  private tokens: readonly T.Token[] = [];
  private report: (finding: SyntaxFinding) => void = () => {};
  private lastEnd: () => number = () => 0;

  /** Starts a new expression; `lastEnd` returns the end of the token before the current one. */
  begin(
    { source, tokens }: { readonly source: string; readonly tokens: readonly T.Token[] },
    report: (finding: SyntaxFinding) => void,
    lastEnd: () => number,
  ): void {
    this.source = source;
    this.tokens = tokens;
    this.report = report;
    this.lastEnd = lastEnd;
    this.redundant = undefined;
  }

  buildMismatchTokenMessage(options: { expected: TokenType; actual: IToken }): string {
    if (options.expected === EOF) this.redundant = options.actual as T.Token;
    return this.found(describeType(options.expected), options.actual, this.openerOf(options.expected, options.actual));
  }

  buildNotAllInputParsedMessage(options: { firstRedundant: IToken }): string {
    this.redundant = options.firstRedundant as T.Token;
    return this.redundantToken(options.firstRedundant as T.Token);
  }

  buildNoViableAltMessage(options: { expectedPathsPerAlt: TokenType[][][]; actual: IToken[] }): string {
    const types = options.expectedPathsPerAlt.flatMap(paths => paths.map(path => path[0]));
    return this.found(types.includes(T.Literal) ? 'an expression' : 'a field name', options.actual[0] as IToken);
  }

  buildEarlyExitMessage(options: { actual: IToken[] }): string {
    return this.found('an expression', options.actual[0] as IToken);
  }

  private redundantToken(token: T.Token): string {
    const remedy = [...CLOSERS.keys(), T.Comma].includes(token.tokenType) ? '; remove it' : '';
    return this.found('an operator or the end of the expression', token, undefined, remedy);
  }

  /** Returns the range of the opening bracket that belongs to a closing one. */
  private openerOf(closing: TokenType, actual: IToken): Range | undefined {
    const opening = CLOSERS.get(closing);
    const open: T.Token[] = [];
    for (const token of this.tokens) {
      if (token === actual) break;
      if (OPENERS.includes(token.tokenType)) open.push(token);
      else if (CLOSERS.has(token.tokenType)) open.pop();
    }
    const found = open.findLast(token => token.tokenType === opening);
    return found && { start: found.startOffset, end: found.end };
  }

  private found(expected: string, actual: IToken, opener?: Range, remedy = ''): string {
    const lastEnd = this.lastEnd();
    const isEnd = actual.tokenType === EOF;
    const range = isEnd
      ? { start: lastEnd, end: lastEnd }
      : { start: actual.startOffset, end: (actual as T.Token).end };
    const text = shorten(this.source.slice(range.start, range.end));
    const message = `expected ${expected}, found ${isEnd ? 'the end of the expression' : `\`${text}\``}${remedy}`;
    const gap = { start: lastEnd, end: isEnd ? this.source.length : range.start };
    const related = opener && [{ range: opener, message: 'opened here' }];
    this.report({
      code: 'syntax/unexpected-token',
      message,
      range,
      args: { expected, found: text },
      gap,
      ...(related && { related }),
    });
    return message;
  }
}

const CLOSERS: ReadonlyMap<TokenType, TokenType> = new Map([
  [T.RightParen, T.LeftParen],
  [T.RightBracket, T.LeftBracket],
  [T.RightBrace, T.LeftBrace],
]);
const OPENERS = [...CLOSERS.values()];

function describeType(type: TokenType): string {
  if (type === T.Identifier) return 'a name';
  return type === EOF ? 'an operator or the end of the expression' : `\`${type.LABEL}\``;
}

const SHOWN_LENGTH = 40;

function shorten(text: string): string {
  const shown = text.slice(0, SHOWN_LENGTH).toWellFormed();
  return text.length <= SHOWN_LENGTH ? shown : `${shown}…`;
}

// Creating a parser takes milliseconds, so there is one of each kind, created on first use. A parse keeps no state for the next one and is
// synchronous.

/** For valid expressions. It has no error recovery, which takes time, and stops at the first error. */
export const FAST_GRAMMAR = once(() => new Grammar({ recovery: false }));

/** Continues after errors. */
export const RECOVERING_GRAMMAR = once(() => new Grammar({ recovery: true }));
