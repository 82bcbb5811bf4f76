// The parser: from a source to a tree, first without recovery, and again with it after an error.

import type { Diagnostic } from '@tollgate/diagnostics';
import { type Ast, type Expr, isDeeperThan } from '../ast/ast.ts';
import type { Limits } from '../ast/limits.ts';
import { foreignForm } from './foreign-forms.ts';
import { withoutForeignPhrases, withoutForeignWords } from './foreign-syntax.ts';
import { FAST_GRAMMAR, RECOVERING_GRAMMAR, type SyntaxFinding } from './grammar.ts';
import { tokenize } from './lexer.ts';
import type { TokenCheck } from './literal-value.ts';
import type { Macro } from './macros.ts';
import { LimitExceeded, limitFinding, type ParseFinding, Reporter, toDiagnostic } from './reporter.ts';
import type { Token } from './tokens.ts';
import * as T from './tokens.ts';
import { TreeBuilder } from './tree-builder.ts';

/** The parts of an environment that parsing needs. */
export interface ParseEnvironment {
  readonly limits: Limits;
  /** By `name:member:argCount`; argCount is `*` for any. */
  readonly macros: ReadonlyMap<string, Macro>;
  /** Reports syntax that the environment does not support. By default, all syntax is supported. */
  readonly checkTokens?: TokenCheck;
}

/** A tree for any source, and its diagnostics. */
export interface ParseResult {
  readonly ast: Ast;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses an expression. Returns a tree for any source, with error nodes for the parts that cannot be parsed, and all diagnostics in source
 * order, with an empty `uri`. Never throws.
 */
export function parse(source: string, env: ParseEnvironment): ParseResult {
  const reporter = new Reporter(env.limits);
  try {
    const ast = parseTree(source, env, reporter);
    return { ast, diagnostics: toDiagnostics(reporter.findings) };
  } catch (signal) {
    const diagnostics = toDiagnostics(findingsUntil(signal, source, reporter));
    return { ast: emptyTree(source), diagnostics };
  }
}

/** Returns the findings so far and that of the exceeded limit; rethrows all other exceptions. */
function findingsUntil(signal: unknown, source: string, { findings, limits }: Reporter): readonly ParseFinding[] {
  if (signal instanceof LimitExceeded)
    return [...findings.slice(0, Math.max(0, limits.maxDiagnostics - 1)), signal.finding];
  if (!(signal instanceof RangeError)) throw signal;
  // Stack overflow. How much nesting fits depends on the caller, and is least after an error.
  if (findings.length > 0) return findings;
  return [limitFinding('maxDepth', limits, { start: 0, end: source.length })];
}

function parseTree(source: string, env: ParseEnvironment, reporter: Reporter): Ast {
  const { limits, macros } = env;
  if (source.length > limits.maxSourceLength) {
    const range = { start: limits.maxSourceLength, end: source.length };
    throw new LimitExceeded(limitFinding('maxSourceLength', limits, range));
  }
  const tokens = tokenize(source, reporter);
  env.checkTokens?.(tokens, reporter);
  const lexical = reporter.findings.length;
  const first = new TreeBuilder(source, macros, reporter);
  const root = readValid(tokens, first);
  if (root !== undefined && lexical === 0) return finish(first, root);
  const foreign = foreignForm(source);
  if (foreign) {
    // All else that is wrong may follow from it.
    reporter.rewind(0);
    reporter.report(foreign);
    return emptyTree(source);
  }
  if (root !== undefined) return finish(first, root);
  reporter.rewind(lexical);
  const phrased = withoutForeignPhrases(tokens, source, reporter);
  const meant = withoutForeignWords(phrased ?? tokens, source, reporter) ?? phrased;
  if (meant) {
    const reported = reporter.findings.length;
    const third = new TreeBuilder(source, macros, reporter);
    const repaired = readValid(meant, third);
    if (repaired !== undefined) return finish(third, repaired);
    reporter.rewind(reported);
  }
  const second = new TreeBuilder(source, macros, reporter);
  return finish(second, parseWithRecovery(meant ?? tokens, second));
}

/** Returns the tree of an expression, or undefined if it has a syntax error. */
function readValid(tokens: Token[], tree: TreeBuilder): Expr | undefined {
  let isValid = true;
  const root = FAST_GRAMMAR().parse(tokens, tree, () => {
    isValid = false;
  });
  return isValid ? root : undefined;
}

function finish(tree: TreeBuilder, root: Expr): Ast {
  const { source, nextId, reporter } = tree;
  const { limits } = reporter;
  // A tree never has more levels than nodes, so most trees need not be walked.
  if (nextId > limits.maxDepth && isDeeperThan(root, limits.maxDepth)) {
    throw new LimitExceeded(limitFinding('maxDepth', limits, root.range));
  }
  return { source, root, nextId, macroCalls: tree.expansions };
}

function emptyTree(source: string): Ast {
  const root: Expr = { kind: 'error', id: 1, range: { start: 0, end: source.length } };
  return { source, root, nextId: 2, macroCalls: new Map() };
}

function toDiagnostics(findings: readonly ParseFinding[]): Diagnostic[] {
  if (findings.length === 0) return [];
  // Exceeded limits come last, wherever they are.
  const rank = ({ code }: ParseFinding): number => (code.startsWith('limit/') ? 1 : 0);
  return findings.toSorted((a, b) => rank(a) - rank(b) || a.range.start - b.range.start).map(toDiagnostic);
}

/**
 * Parses an expression with syntax errors and reports all of them. Returns the tree of the part before the first token that cannot continue
 * the expression. Findings of the lexer are already in the reporter.
 */
function parseWithRecovery(tokens: T.Token[], tree: TreeBuilder): Expr {
  const grammar = RECOVERING_GRAMMAR();
  const gaps = tree.reporter.findings
    .filter(({ code }) => code === 'syntax/unexpected-character' || code === 'syntax/unclosed-literal')
    // What an unterminated literal swallowed is missing after it.
    .map(({ code, range }) => (code === 'syntax/unclosed-literal' ? { start: range.end, end: range.end } : range));
  let last = -1;
  const report = (finding: SyntaxFinding): void => {
    // Suppresses consequential errors: a second one at the same token, or one next to characters that the lexer skipped.
    const follows = gaps.some(({ start }) => start >= finding.gap.start && start <= finding.gap.end);
    if (!follows && finding.range.start !== last) tree.reporter.report(finding);
    last = finding.range.start;
  };
  const root = grammar.parse(tokens, tree, report);
  // After that token, the operands of further operators are still parsed, to report their own errors.
  let from = nextOperator(tokens, grammar.redundant);
  while (from !== undefined) {
    const rest = tokens.slice(from + 1);
    grammar.parse(rest, tree, report, (tokens[from] as T.Token).end);
    from = nextOperator(tokens, grammar.redundant, from);
  }
  return root;
}

/** Returns the index of the first operator from `token` on that is outside of brackets opened in between, where parsing can resume. */
function nextOperator(tokens: readonly T.Token[], token: T.Token | undefined, past = 0): number | undefined {
  if (token === undefined) return undefined;
  let depth = 0;
  for (let i = tokens.indexOf(token, past); i < tokens.length; i++) {
    const { tokenType } = tokens[i] as T.Token;
    if (OPENING.includes(tokenType)) depth++;
    else if (CLOSING.includes(tokenType)) depth--;
    else if (depth <= 0 && tokenType.CATEGORIES?.includes(T.BinaryOperator)) return i;
  }
  return undefined;
}

const OPENING = [T.LeftParen, T.LeftBracket, T.LeftBrace];
const CLOSING = [T.RightParen, T.RightBracket, T.RightBrace];
