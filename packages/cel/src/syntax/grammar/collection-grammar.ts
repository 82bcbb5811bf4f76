import { EOF, type ParserMethod } from 'chevrotain';
import type { Expr, FieldInit, MapEntry } from '../../ast/ast.ts';
import { DEFAULT_LIMITS } from '../../limits.ts';
import { Reporter } from '../lexing/reporter.ts';
import * as T from '../lexing/tokens.ts';
import { RecoveringParser } from './recovering-parser.ts';
import { SyntaxMessages } from './syntax-messages.ts';
import { TreeBuilder } from './tree-builder.ts';

export interface GrammarOptions {
  readonly recovery: boolean;
  /** Whether Chevrotain checks the grammar for mistakes such as ambiguity, which takes milliseconds. Tests do. */
  readonly validation?: boolean;
}

/** The part of the grammar for collections and arguments, and what all rules share. */
export abstract class CollectionGrammar extends RecoveringParser {
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

/** The result of arguments that could only be skipped. */
export const BROKEN_ARGUMENTS: readonly Expr[] = [];
