import type { Range } from '@tollgate/diagnostics';
import { checkConstants } from '../checker/constants.ts';
import type { TypedAst } from '../checker/typed-ast.ts';
import type { Limits } from '../limits.ts';
import type { CallExpr, ComprehensionExpr, Expr, Literal, LiteralExpr, MapExpr, StructExpr } from '../syntax/ast.ts';
import { doubleValue, intValue, quotedLiteral } from '../syntax/literal-value.ts';
import { Reporter } from '../syntax/reporter.ts';
import { type ExpressionShape, STRIDE } from './expression-shape.ts';
import { type Place, placeOf, type Step, type TreeTemplate } from './tree-template.ts';

/**
 * The checked tree of a text of the template's shape: what parsing and checking the text would give. Undefined when the text is of another
 * shape, or has a literal that there is something wrong with.
 *
 * Hot. Nodes that end before the first literal are taken over, and so are the tables by id.
 */
export function fillTemplate(template: TreeTemplate, source: string, shape: ExpressionShape): TypedAst | undefined {
  const { typed, environment, steps, calls, refusing } = template;
  if (source === typed.ast.source) return typed;
  if (source.length > environment.limits.maxSourceLength || !isOfShape(template, source, shape)) return undefined;
  const filling: Filling = {
    source,
    limits: environment.limits,
    literals: shape.literals,
    of: template.shape.literals,
    shifts: shiftsBetween(template.shape.literals, shape.literals),
    made: [],
  };
  const { made } = filling;
  for (const step of steps) {
    const node = step.isFixed ? step.node : fill(step, filling);
    if (node === undefined) return undefined;
    made.push(node);
  }
  if (refusing.length > 0 && isRefused(template, source, made)) return undefined;
  const { nextId } = typed.ast;
  const macroCalls =
    calls.length === 0 ? typed.ast.macroCalls : new Map(calls.map(({ id, step }) => [id, made[step] as CallExpr]));
  const ast = { source, root: made[template.root]!, nextId, macroCalls };
  return { ast, resultType: typed.resultType, types: typed.types, references: typed.references };
}

/** Two shapes may have the same hash. */
function isOfShape({ pieces, shape }: TreeTemplate, source: string, { literals }: ExpressionShape): boolean {
  const own = shape.literals;
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

interface Filling {
  readonly source: string;
  readonly limits: Limits;
  readonly literals: readonly number[];
  /** Those of the template. */
  readonly of: readonly number[];
  /** How much further on the text is behind so many literals. */
  readonly shifts: readonly number[];
  /** The nodes of the steps so far. */
  readonly made: Expr[];
}

function shiftsBetween(from: readonly number[], to: readonly number[]): readonly number[] {
  const shifts = [0];
  for (let at = 1; at < from.length; at += STRIDE) shifts.push(to[at]! - from[at]!);
  return shifts;
}

function isRefused(
  { typed, environment: env, refusing }: TreeTemplate,
  source: string,
  made: readonly Expr[],
): boolean {
  const checking = { env, source, references: typed.references, diagnostics: [] };
  for (const at of refusing) checkConstants(checking, made[at] as CallExpr);
  return checking.diagnostics.length > 0;
}

function fill(step: Step, filling: Filling): Expr | undefined {
  const { node, children } = step;
  const { made } = filling;
  const range = moved(step.place, filling);
  switch (node.kind) {
    case 'literal':
      return fillLiteral(step, range, filling);
    case 'ident':
      return { kind: 'ident', id: node.id, range, name: node.name };
    case 'error':
      return { kind: 'error', id: node.id, range };
    case 'select': {
      const { id, field, testOnly } = node;
      const fieldRange = moved(step.inner, filling);
      return { kind: 'select', id, range, operand: made[children[0]!]!, field, fieldRange, testOnly };
    }
    case 'call': {
      const functionRange = moved(step.inner, filling);
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
  const picked: Expr[] = [];
  for (let at = from; at < children.length; at += 1) picked.push(made[children[at]!]!);
  return picked;
}

function moved({ range, before, within }: Place, { shifts }: Filling): Range {
  if (within === 0) return range;
  return { start: range.start + shifts[before]!, end: range.end + shifts[within]! };
}

/** Those of entries are seldom enough to be looked for each time. */
function movedRange(range: Range, filling: Filling): Range {
  return moved(placeOf(range, filling.of), filling);
}

function fillLiteral({ node, literal: at }: Step, range: Range, filling: Filling): LiteralExpr | undefined {
  const { id, literal } = node as LiteralExpr;
  const value = at < 0 ? literal : literalValue(literal.type, at, range, filling);
  return value && { kind: 'literal', id, range, literal: value };
}

/** Undefined when there is something wrong with it, whatever it is. */
function literalValue(
  type: Literal['type'],
  at: number,
  range: Range,
  { source, literals, limits }: Filling,
): Literal | undefined {
  const start = literals[at * STRIDE]!;
  if (type === 'string' || type === 'bytes') return quotedLiteral(source, start, range.end, new Reporter(limits));
  const text = source.slice(start, range.end);
  const isNegative = range.start < start;
  const value = type === 'int' ? intValue(text, isNegative, range) : doubleValue(isNegative ? `-${text}` : text, range);
  return 'code' in value ? undefined : value;
}

function fillMap({ id, entries: written }: MapExpr, range: Range, { children }: Step, filling: Filling): MapExpr {
  const { made } = filling;
  const entries = written.map((entry, at) => ({
    id: entry.id,
    range: movedRange(entry.range, filling),
    key: made[children[at * 2]!]!,
    value: made[children[at * 2 + 1]!]!,
    optional: entry.optional,
  }));
  return { kind: 'map', id, range, entries };
}

function fillStruct(node: StructExpr, range: Range, { children }: Step, filling: Filling): StructExpr {
  const { id, typeName } = node;
  const fields = node.fields.map((one, at) => ({
    id: one.id,
    range: movedRange(one.range, filling),
    field: one.field,
    value: filling.made[children[at]!]!,
    optional: one.optional,
  }));
  return { kind: 'struct', id, range, typeName, fields };
}

function fillComprehension(
  { id, iterVar, iterVar2, accuVar }: ComprehensionExpr,
  range: Range,
  { children }: Step,
  { made }: Filling,
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
