import type { IOrAlt } from 'chevrotain';
import type { Expr } from '../../ast/ast.ts';
import * as T from '../lexing/tokens.ts';
import { BROKEN_ARGUMENTS, CollectionGrammar, type GrammarOptions } from './collection-grammar.ts';
import { type Branch, conditionalTree } from './conditional-tree.ts';
import { OperationStack } from './operation-stack.ts';
import type { SyntaxFinding } from './syntax-messages.ts';
import type { TreeBuilder } from './tree-builder.ts';

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
