import type { Diagnostic } from '@tollgate/diagnostics';
import type { Ast, Expr } from '../ast/ast.ts';
import { isDeeperThan } from '../ast/tree-depth.ts';
import type { Limits } from '../limits.ts';
import { FAST_GRAMMAR } from './grammar/grammars.ts';
import { parseWithRecovery } from './grammar/parse-with-recovery.ts';
import { TreeBuilder } from './grammar/tree-builder.ts';
import { withoutForeignWords } from './lexing/foreign-operators.ts';
import { withoutForeignPhrases } from './lexing/foreign-phrases.ts';
import { tokenize } from './lexing/lexer.ts';
import type { TokenCheck } from './lexing/optional-syntax.ts';
import { type Finding, LimitExceeded, limitFinding, Reporter, toDiagnostic } from './lexing/reporter.ts';
import type { Token } from './lexing/tokens.ts';
import type { Macro } from './macros/macro.ts';

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
function findingsUntil(signal: unknown, source: string, { findings, limits }: Reporter): readonly Finding[] {
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

function toDiagnostics(findings: readonly Finding[]): Diagnostic[] {
  if (findings.length === 0) return [];
  // Exceeded limits come last, wherever they are.
  const rank = ({ code }: Finding): number => (code.startsWith('limit/') ? 1 : 0);
  return findings.toSorted((a, b) => rank(a) - rank(b) || a.range.start - b.range.start).map(toDiagnostic);
}
