import type { NamedType, Phase, Profile } from '@tollgate/catalog';
import { type Ast, type CallExpr, check, type Environment, type Expr, parse, type TypedAst } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import type { Target } from '@tollgate/core/targeting';
import type { Range } from '@tollgate/diagnostics';
import {
  documentRange,
  findInterpolations,
  type MappedText,
  type Policy,
  parseType,
  type Rule,
  ruleAt,
} from '@tollgate/policy';
import type { AnalysedPolicy, Claims, Snapshot } from '../snapshot.ts';
import type { Shape } from './document-shape.ts';
import type { Local } from './partial-expression.ts';
import type { PositionContext } from './position-context.ts';

/** The expression before a position, and what it may use. */
export interface ExpressionBefore {
  readonly source: string;
  readonly environment: Environment;
  readonly profile: Profile;
  readonly phase: Phase;
  /** Variables in addition to those of the environment. */
  readonly variables: readonly Local[];
}

/** An expression of the analysis that contains a position. */
export interface ExpressionAt {
  readonly analysed: AnalysedPolicy;
  readonly phase: Phase;
  readonly source: string;
  /** The string that contains the expression at `offset`. */
  readonly text: MappedText;
  readonly offset: number;
  /** The position within the expression. */
  readonly at: number;
  readonly environment: Environment;
  /** Variables in addition to those of the environment. */
  readonly variables: readonly Local[];
}

/** Returns the expression that the analysis found at an offset of the document. */
export function expressionAt({ policies, claims, base }: Snapshot, offset: number): ExpressionAt | undefined {
  for (const analysed of policies) {
    const { policy } = analysed;
    // Looking at all rules of a policy copies those that an edit has moved.
    const rule = base?.policy === policy ? ruleAt(base.parts.rules, offset) : ruleIn(policy, offset);
    const found = rule && expressionIn(rule, analysed, offset);
    if (found) return found;
  }
  return claims && claimAt(claims, offset);
}

function claimAt({ phase, texts, tested }: Claims, offset: number): ExpressionAt | undefined {
  const text = texts.find(one => positionIn(one, offset) !== undefined);
  if (!text) return undefined;
  const base = { analysed: tested, phase, environment: tested.environments[phase] };
  return { ...base, source: text.value, text, offset: 0, at: positionIn(text, offset)!, variables: [] };
}

function expressionIn(rule: Rule, analysed: AnalysedPolicy, offset: number): ExpressionAt | undefined {
  const { environments } = analysed;
  const { phase } = rule;
  const base = { analysed, phase, environment: environments[phase] };
  for (const { source, text } of rule.expressions) {
    const at = positionIn(text, offset);
    if (at !== undefined) return { ...base, source, text, offset: 0, at, variables: [] };
  }
  for (const { expressions, fact } of rule.actions) {
    const variables = (fact?.config ?? []).flatMap(({ type }) =>
      type.kind === 'expression' ? (type.variables ?? []) : [],
    );
    for (const { kind, source, text, offset: start } of expressions) {
      const at = positionIn(text, offset);
      if (at === undefined || at < start || at > start + source.length) continue;
      return {
        ...base,
        source,
        text,
        offset: start,
        at: at - start,
        variables: kind === 'whole' ? localsFor(variables) : [],
      };
    }
  }
  return undefined;
}

/** Returns the rule that contains an offset. */
function ruleIn({ rules }: Policy, offset: number): Rule | undefined {
  for (const list of Object.values(rules)) {
    const found = list.find(({ range }) => range.start <= offset && offset <= range.end);
    if (found) return found;
  }
  return undefined;
}

/** Returns the position in a decoded string that corresponds to an offset of the document; undefined outside of the string. */
function positionIn({ pieces, value, range }: MappedText, offset: number): number | undefined {
  if (offset < range.start || offset > range.end) return undefined;
  for (const piece of pieces) {
    if (offset > piece.range.end) continue;
    if (offset < piece.range.start) return piece.from;
    const isCopied = piece.to - piece.from === piece.range.end - piece.range.start;
    return isCopied ? piece.from + offset - piece.range.start : offset === piece.range.end ? piece.to : piece.from;
  }
  return value.length;
}

/** What is known about a position that may be in an expression. */
export interface ExpressionPosition {
  readonly context: PositionContext;
  readonly shape: Shape;
  /** What the policy around it is checked against. */
  readonly target: Target | undefined;
}

/** Returns the expression that a position is in, as far as it is written, whether or not the document can be read. */
export function expressionBefore(
  snapshot: Snapshot,
  offset: number,
  { context, shape, target }: ExpressionPosition,
): ExpressionBefore | undefined {
  const { phase, type, interpolation } = shape;
  if (!target || !phase) return undefined;
  const isWhole = type.kind === 'expression';
  if (!isWhole && !interpolation?.includes('expressions')) return undefined;
  const known = isWhole ? expressionAt(snapshot, offset) : undefined;
  const written = known?.source.slice(0, known.at) ?? textBefore(snapshot.source.text, context, offset);
  const source = isWhole ? written : openInterpolation(written);
  if (source === undefined) return undefined;
  const variables = isWhole ? localsFor(type.variables ?? []) : [];
  return { source, environment: target.environments[phase], profile: target.profile, phase, variables };
}

/** Returns the inside of a `${` that is not closed. */
function openInterpolation(text: string): string | undefined {
  const { unclosed } = findInterpolations(text, '$${');
  return unclosed && text.slice(unclosed.end);
}

/** Returns a string as far as it is written, decoded. */
function textBefore(text: string, { start, style }: PositionContext, offset: number): string {
  const written = text.slice(start, offset);
  switch (style) {
    case 'double':
      return written.replace(/\\(["\\/])/g, '$1').replace(/\s*\r?\n\s*/g, ' ');
    case 'single':
      return written.replaceAll("''", "'").replace(/\s*\r?\n\s*/g, ' ');
    case undefined:
      return '';
    default:
      return written.replace(/\r?\n[ ]*/g, ' ').trimStart();
  }
}

function localsFor(variables: readonly NamedType[]): readonly Local[] {
  return variables.map(({ name, type }) => ({ name, type: parseType(type) }));
}

/** Checks an expression, which may have errors. */
export function typedOf({
  source,
  environment,
  variables,
}: Pick<ExpressionAt, 'source' | 'environment' | 'variables'>): TypedAst {
  return check(parse(source, environment).ast, environment, variables).typed;
}

/** Returns a node as it is written: the macro call instead of its expansion. */
function written({ macroCalls }: Ast, node: Expr): Expr {
  return macroCalls.get(node.id) ?? node;
}

/** Returns the nodes around a position, outermost first, as they are written. */
export function nodesAt(ast: Ast, at: number): readonly Expr[] {
  const path: Expr[] = [];
  let next: Expr | undefined = written(ast, ast.root);
  while (next) {
    path.push(next);
    next = childrenOf(next)
      .map(child => written(ast, child))
      .find(({ range }) => range.start <= at && at <= range.end);
  }
  return path;
}

/** Calls `visit` for every node as it is written, parents first. */
export function visitWritten(ast: Ast, visit: (node: Expr) => void): void {
  const walk = (node: Expr) => {
    visit(node);
    for (const child of childrenOf(node)) walk(written(ast, child));
  };
  walk(written(ast, ast.root));
}

/** Returns the range of a part of an expression in the document. */
export function inDocument({ text, offset }: Pick<ExpressionAt, 'text' | 'offset'>, { start, end }: Range): Range {
  return documentRange(text, { start: start + offset, end: end + offset });
}

/** Returns true if a call is an operator, such as `_+_`. */
export function isOperator({ function: name }: CallExpr): boolean {
  return !/^[A-Za-z]/.test(name);
}
