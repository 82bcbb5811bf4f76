import { EmbeddedActionsParser, EOF, type IOrAlt } from 'chevrotain';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { Expr, FieldInit, MapEntry } from './ast.ts';
import { OperationStack } from './operation-stack.ts';
import { Reporter } from './reporter.ts';
import { type SyntaxFinding, SyntaxMessages } from './syntax-messages.ts';
import * as T from './tokens.ts';
import { type ElementPart, TreeBuilder } from './tree-builder.ts';

/** `? then : otherwise`, as far as it is needed to build the call. */
interface Branch {
  readonly question: T.Token;
  readonly then: Expr;
  readonly otherwise: Expr;
  readonly otherwiseStart: number;
}

/**
 * The grammar of the language, with the actions that build the tree.
 *
 * Hot. What chevrotain calls back is made once per parser rather than once per call, so it hands on what it works on in
 * fields: whoever runs a subrule may find them overwritten, and sets them again from its locals. Binary operators are one
 * flat list, sorted out by {@link OperationStack}: a rule for each precedence level takes half as long again.
 */
export class Grammar extends EmbeddedActionsParser {
  private tree = new TreeBuilder('', new Map(), new Reporter(DEFAULT_LIMITS));
  private readonly operations = new OperationStack();
  /** The operand under construction, and where it starts, parentheses included. */
  private target!: Expr;
  private targetStart = 0;
  /** The minus sign that belongs to the number that follows. */
  private sign: T.Token | undefined;
  private textStart = 0;
  private branches: Branch[] | undefined;

  private readonly messages: SyntaxMessages;

  constructor(options: { readonly recovery: boolean }) {
    const messages = new SyntaxMessages();
    super([...T.TOKEN_TYPES], {
      recoveryEnabled: options.recovery,
      maxLookahead: 2,
      errorMessageProvider: messages,
    });
    this.messages = messages;
    this.performSelfAnalysis();
  }

  /**
   * Builds the expression that the tokens are, which follow offset `start` of the text. Without recovery, the tree after an
   * error means nothing.
   */
  parse(tokens: T.Token[], tree: TreeBuilder, report: (finding: SyntaxFinding) => void, start = 0): Expr {
    this.textStart = start;
    this.input = tokens;
    this.tree = tree;
    this.operations.reset(tree);
    this.sign = undefined;
    this.messages.begin(tree.source, report, this.lastEnd);
    return this.orError(this.expression(), start);
  }

  /** The token at which the last {@link parse} gave up, because the expression ended before it. */
  get redundant(): T.Token | undefined {
    return this.messages.redundant;
  }

  private readonly expression = this.RULE('expression', (): Expr => {
    const start = this.nextStart();
    const first = this.orError(this.SUBRULE(this.chain), start);
    this.branches = undefined;
    this.MANY(this.branch);
    return this.branches === undefined ? first : this.conditional(first, start, this.branches);
  });

  private readonly branch = (): void => {
    const branches = this.branches ?? [];
    const question = this.CONSUME(T.Question) as T.Token;
    const thenStart = this.nextStart();
    const then = this.orError(this.SUBRULE1(this.chain), thenStart);
    this.CONSUME(T.Colon);
    const otherwiseStart = this.nextStart();
    const otherwise = this.orError(this.SUBRULE2(this.chain), otherwiseStart);
    branches.push({ question, then, otherwise, otherwiseStart });
    this.branches = branches;
  };

  private readonly chain = this.RULE('chain', (): Expr => {
    const { operations } = this;
    const base = operations.size;
    const start = this.nextStart();
    const first = this.orError(this.SUBRULE(this.operand), start);
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
    // An even number of signs is none, as in the reference implementation.
    return prefix !== undefined && prefix.length % 2 === 1 ? this.prefixed(prefix, this.target) : this.target;
  });

  private readonly prefixOption = {
    // A minus sign could also begin a number; it is sorted out below, without a second token of lookahead everywhere.
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
        return this.named(name, undefined, args);
      },
    },
    {
      ALT: () => {
        const dot = this.CONSUME(T.Dot) as T.Token;
        const name = this.CONSUME1(T.Identifier) as T.Token;
        const args = this.OPTION2(this.argumentsOfRootedName);
        return this.named(name, dot, args);
      },
    },
    {
      ALT: () => {
        this.CONSUME(T.LeftParen);
        const start = this.nextStart();
        const inner = this.orError(this.SUBRULE(this.expression), start);
        this.CONSUME(T.RightParen);
        return inner;
      },
    },
    {
      // After `!` only: elsewhere the sign has been taken for a prefix.
      ALT: () => {
        const minus = this.CONSUME1(T.Minus) as T.Token;
        const number = this.OR5([
          { ALT: () => this.CONSUME(T.IntLiteral) as T.Token },
          { ALT: () => this.CONSUME(T.DoubleLiteral) as T.Token },
        ]);
        return this.tree.number(number, minus);
      },
    },
    { ALT: () => this.orError(this.SUBRULE(this.list), this.lastEnd()) },
    { ALT: () => this.orError(this.SUBRULE(this.map), this.lastEnd()) },
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
        this.target =
          args === undefined
            ? this.tree.select(target, name, targetStart)
            : this.tree.call(name, args, { target, start: targetStart, end: this.lastEnd() });
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
        const field = this.OR4([
          { ALT: () => this.CONSUME3(T.Identifier) as T.Token },
          { ALT: () => this.CONSUME1(T.QuotedName) as T.Token },
        ]);
        this.target = this.tree.optionalSelect(this.target, question, field, this.targetStart);
      },
    },
  ];

  private readonly argumentList = this.RULE('argumentList', (): readonly Expr[] => {
    const args: Expr[] = [];
    this.CONSUME(T.LeftParen);
    this.OPTION(() => {
      const start = this.nextStart();
      args.push(this.orError(this.SUBRULE(this.expression), start));
      this.MANY(() => {
        this.CONSUME(T.Comma);
        const nextStart = this.nextStart();
        args.push(this.orError(this.SUBRULE1(this.expression), nextStart));
      });
    });
    this.CONSUME(T.RightParen);
    return args;
  });

  private readonly list = this.RULE('list', (): Expr => {
    const start = this.nextStart();
    const elements: ElementPart[] = [];
    this.CONSUME(T.LeftBracket);
    this.OPTION(() => {
      elements.push(this.orElement(this.SUBRULE(this.element)));
      this.MANY(() => {
        this.CONSUME(T.Comma);
        elements.push(this.orElement(this.SUBRULE1(this.element)));
      });
    });
    this.OPTION1(() => this.CONSUME1(T.Comma));
    this.CONSUME(T.RightBracket);
    return this.tree.list(elements, start, this.lastEnd());
  });

  private readonly element = this.RULE('element', (): ElementPart => {
    const question = this.OPTION(() => this.CONSUME(T.Question));
    const start = this.nextStart();
    return { value: this.orError(this.SUBRULE(this.expression), start), optional: question !== undefined };
  });

  private readonly map = this.RULE('map', (): Expr => {
    const start = this.nextStart();
    const entries: MapEntry[] = [];
    const add = (entry: MapEntry | undefined): unknown => entry !== undefined && entries.push(entry);
    this.CONSUME(T.LeftBrace);
    this.OPTION(() => {
      add(this.SUBRULE(this.entry));
      this.MANY(() => {
        this.CONSUME(T.Comma);
        add(this.SUBRULE1(this.entry));
      });
    });
    this.OPTION1(() => this.CONSUME1(T.Comma));
    this.CONSUME(T.RightBrace);
    return this.tree.map(entries, start, this.lastEnd());
  });

  private readonly entry = this.RULE('entry', (): MapEntry => {
    const start = this.nextStart();
    const question = this.OPTION(() => this.CONSUME(T.Question));
    const keyStart = this.nextStart();
    const key = this.orError(this.SUBRULE(this.expression), keyStart);
    this.CONSUME(T.Colon);
    const valueStart = this.nextStart();
    const value = this.orError(this.SUBRULE1(this.expression), valueStart);
    return this.tree.entry(key, value, { optional: question !== undefined, start, end: this.lastEnd() });
  });

  private readonly fields = this.RULE('fields', (): readonly FieldInit[] => {
    const fields: FieldInit[] = [];
    const add = (field: FieldInit | undefined): unknown => field !== undefined && fields.push(field);
    this.CONSUME(T.LeftBrace);
    this.OPTION(() => {
      add(this.SUBRULE(this.field));
      this.MANY(() => {
        this.CONSUME(T.Comma);
        add(this.SUBRULE1(this.field));
      });
    });
    this.OPTION1(() => this.CONSUME1(T.Comma));
    this.CONSUME(T.RightBrace);
    return fields;
  });

  private readonly field = this.RULE('field', (): FieldInit => {
    const start = this.nextStart();
    const question = this.OPTION(() => this.CONSUME(T.Question));
    const name = this.OR([
      { ALT: () => this.CONSUME(T.Identifier) as T.Token },
      { ALT: () => this.CONSUME(T.QuotedName) as T.Token },
    ]);
    this.CONSUME(T.Colon);
    const valueStart = this.nextStart();
    const value = this.orError(this.SUBRULE(this.expression), valueStart);
    return this.tree.field(name, value, { optional: question !== undefined, start, end: this.lastEnd() });
  });

  /** What a rule gave, or an error node in its place when it could only be skipped. */
  private orError(expr: Expr | undefined, start: number): Expr {
    if (expr !== undefined) return expr;
    const end = this.lastEnd();
    return this.tree.error(Math.min(start, end), end);
  }

  private orElement(element: ElementPart | undefined): ElementPart {
    return element ?? { value: this.orError(undefined, this.lastEnd()), optional: false };
  }

  /** Where the next token starts. */
  private nextStart(): number {
    const token = this.LA(1) as T.Token;
    return token.tokenType === EOF ? this.tree.source.length : token.startOffset;
  }

  /** Where the last token taken from the text ended. */
  private readonly lastEnd = (): number => (this.LA(0) as T.Token).end ?? this.textStart;

  private literal(token: T.Token): Expr {
    const { sign } = this;
    if (sign === undefined) return this.tree.literal(token);
    this.sign = undefined;
    return this.tree.number(token, sign);
  }

  private named(name: T.Token, dot: T.Token | undefined, args: readonly Expr[] | undefined): Expr {
    // A name that recovery made up after the dot has neither text nor place.
    if (dot !== undefined && name.image === '') return this.tree.error(dot.startOffset, dot.end);
    if (args === undefined) return this.tree.ident(name, dot);
    const start = (dot ?? name).startOffset;
    return this.tree.call(name, args, { target: undefined, start, end: this.lastEnd() });
  }

  private prefixed(signs: readonly T.Token[], operand: Expr): Expr {
    const operator = signs[0] as T.Token;
    const name = operator.tokenType === T.Bang ? '!_' : '-_';
    return this.tree.operator(name, [operand], { operator, start: operator.startOffset, end: this.lastEnd() });
  }

  /** `first ? a : b ? c : d` groups to the right. */
  private conditional(first: Expr, start: number, branches: readonly Branch[]): Expr {
    const end = this.lastEnd();
    return branches.reduceRight(
      (otherwise, { question, then }, index) => {
        const previous = branches[index - 1];
        const condition = previous === undefined ? first : previous.otherwise;
        const at = { operator: question, start: previous === undefined ? start : previous.otherwiseStart, end };
        return this.tree.operator('_?_:_', [condition, then, otherwise], at);
      },
      (branches.at(-1) as Branch).otherwise,
    );
  }
}
