import type { Range } from '@tollgate/diagnostics';
import type {
  CallExpr,
  ComprehensionExpr,
  Expr,
  Literal,
  LiteralExpr,
  MapExpr,
  StructExpr,
  TypedAst,
} from '../ast/ast.ts';
import type { Limits } from '../ast/limits.ts';
import { checkConstants } from '../checker/constants.ts';
import { doubleValue, intValue, plainLiteral, quotedLiteral } from '../syntax/literal-value.ts';
import { Reporter } from '../syntax/reporter.ts';
import { type ExpressionSkeleton, STRIDE, type Step, type TreeTemplate } from './tree-template.ts';

/**
 * Returns the checked tree that parsing and checking an expression would return; undefined if it has another skeleton than the template, or
 * an invalid literal.
 *
 * Hot. Shares nodes that end before the first literal, and the side tables.
 */
export function instantiateTemplate(
  template: TreeTemplate,
  source: string,
  skeleton: ExpressionSkeleton,
): TypedAst | undefined {
  const { typed, environment, calls } = template;
  if (source === typed.ast.source) return typed;
  const { limits } = environment;
  if (source.length > limits.maxSourceLength || !matchesSkeleton(template, source, skeleton)) return undefined;
  const made = template.fixed.slice() as Expr[];
  const filling: FillContext = {
    source,
    limits,
    literals: skeleton.literals,
    ranges: movedRanges(template, skeleton),
    made,
  };
  for (const step of template.steps) {
    const node = fill(step, filling);
    if (node === undefined) return undefined;
    made[step.at] = node;
  }
  if (template.verified.length > 0 && isRefused(template, source, made)) return undefined;
  const { nextId } = typed.ast;
  const macroCalls =
    calls.length === 0 ? typed.ast.macroCalls : new Map(calls.map(({ id, at }) => [id, made[at] as CallExpr]));
  const ast = { source, root: made[template.root]!, nextId, macroCalls };
  return { ast, resultType: typed.resultType, types: typed.types, references: typed.references };
}

/** Different skeletons may have the same hash. */
function matchesSkeleton(
  { pieces, skeleton }: TreeTemplate,
  source: string,
  { literals }: ExpressionSkeleton,
): boolean {
  const own = skeleton.literals;
  if (literals.length !== own.length) return false;
  let from = 0;
  for (let at = 0; at < own.length; at += STRIDE) {
    const piece = pieces[at / STRIDE]!;
    const isSame = literals[at]! - from === piece.length && literals[at + 2] === own[at + 2];
    if (!isSame || !source.startsWith(piece, from)) return false;
    from = literals[at + 1]!;
  }
  const last = pieces.at(-1)!;
  return source.length - from === last.length && source.endsWith(last);
}

interface FillContext {
  readonly source: string;
  readonly limits: Limits;
  readonly literals: readonly number[];
  /** By index in the locations of the template. */
  readonly ranges: readonly Range[];
  /** The nodes created so far, by index. */
  readonly made: readonly Expr[];
}

/** Returns the locations of the template, shifted by the growth of the literals before them. */
function movedRanges({ anchoredRanges, skeleton }: TreeTemplate, { literals }: ExpressionSkeleton): readonly Range[] {
  const own = skeleton.literals;
  const ranges: Range[] = new Array(anchoredRanges.length);
  for (let at = 0; at < anchoredRanges.length; at += 1) {
    const { range, before, within } = anchoredRanges[at]!;
    ranges[at] =
      within === 0
        ? range
        : { start: range.start + shift(before, own, literals), end: range.end + shift(within, own, literals) };
  }
  return ranges;
}

/** Returns by how much the text after this many literals is shifted. */
function shift(count: number, from: readonly number[], to: readonly number[]): number {
  if (count === 0) return 0;
  const end = (count - 1) * STRIDE + 1;
  return to[end]! - from[end]!;
}

function isRefused(
  { typed, environment: env, verified }: TreeTemplate,
  source: string,
  made: readonly Expr[],
): boolean {
  const checking = { env, source, references: typed.references, types: typed.types, diagnostics: [] };
  for (const at of verified) checkConstants(checking, made[at] as CallExpr);
  return checking.diagnostics.length > 0;
}

function fill(step: Step, filling: FillContext): Expr | undefined {
  const { node, children, parts } = step;
  const { made, ranges } = filling;
  const range = ranges[step.rangeIndex]!;
  switch (node.kind) {
    case 'literal':
      return fillLiteral(step, range, filling);
    case 'ident':
      return { kind: 'ident', id: node.id, range, name: node.name };
    case 'error':
      return { kind: 'error', id: node.id, range };
    case 'select': {
      const { id, field, testOnly } = node;
      const fieldRange = ranges[parts[0]!]!;
      return { kind: 'select', id, range, operand: made[children[0]!]!, field, fieldRange, testOnly };
    }
    case 'call': {
      const functionRange = ranges[parts[0]!]!;
      const hasTarget = node.target !== undefined;
      const target = hasTarget ? made[children[0]!] : undefined;
      const args = pick(children, hasTarget ? 1 : 0, made);
      return { kind: 'call', id: node.id, range, function: node.function, functionRange, target, args };
    }
    case 'list': {
      const { id, optionalIndices } = node;
      return { kind: 'list', id, range, elements: pick(children, 0, made), optionalIndices };
    }
    case 'map':
      return fillMap(node, range, step, filling);
    case 'struct':
      return fillStruct(node, range, step, filling);
    case 'comprehension':
      return fillComprehension(node, range, step, filling);
  }
}

function pick(children: readonly number[], from: number, made: readonly Expr[]): Expr[] {
  if (children.length === from + 1) return [made[children[from]!]!];
  if (children.length === from + 2) return [made[children[from]!]!, made[children[from + 1]!]!];
  return children.slice(from).map(child => made[child]!);
}

function fillLiteral({ node, literal: at }: Step, range: Range, filling: FillContext): LiteralExpr | undefined {
  const { id, literal } = node as LiteralExpr;
  const value = at < 0 ? literal : literalValue(literal.type, at, range, filling);
  return value && { kind: 'literal', id, range, literal: value };
}

/** Returns undefined for an invalid literal. */
function literalValue(
  type: Literal['type'],
  at: number,
  range: Range,
  { source, literals, limits }: FillContext,
): Literal | undefined {
  const start = literals[at * STRIDE]!;
  if (type === 'string' || type === 'bytes')
    return plainLiteral(source, start, range.end) ?? quotedLiteral(source, start, range.end, new Reporter(limits));
  const text = source.slice(start, range.end);
  const isNegative = range.start < start;
  const value = type === 'int' ? intValue(text, isNegative, range) : doubleValue(isNegative ? `-${text}` : text, range);
  return 'code' in value ? undefined : value;
}

function fillMap(node: MapExpr, range: Range, { children, parts }: Step, { made, ranges }: FillContext): MapExpr {
  const { id, entries: written } = node;
  const entries = written.map((entry, at) => ({
    id: entry.id,
    range: ranges[parts[at]!]!,
    key: made[children[at * 2]!]!,
    value: made[children[at * 2 + 1]!]!,
    optional: entry.optional,
  }));
  return { kind: 'map', id, range, entries };
}

function fillStruct(
  node: StructExpr,
  range: Range,
  { children, parts }: Step,
  { made, ranges }: FillContext,
): StructExpr {
  const { id, typeName } = node;
  const fields = node.fields.map((one, at) => ({
    id: one.id,
    range: ranges[parts[at]!]!,
    field: one.field,
    value: made[children[at]!]!,
    optional: one.optional,
  }));
  return { kind: 'struct', id, range, typeName, fields };
}

function fillComprehension(
  { id, iterVar, iterVar2, accuVar }: ComprehensionExpr,
  range: Range,
  { children }: Step,
  { made }: FillContext,
): ComprehensionExpr {
  return {
    kind: 'comprehension',
    id,
    range,
    iterVar,
    iterVar2,
    iterRange: made[children[0]!]!,
    accuVar,
    accuInit: made[children[1]!]!,
    loopCondition: made[children[2]!]!,
    loopStep: made[children[3]!]!,
    result: made[children[4]!]!,
  };
}
