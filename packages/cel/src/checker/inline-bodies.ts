import type { Environment } from '../environment.ts';
import type { Ast, CallExpr, Expr } from '../syntax/ast.ts';
import type { CheckedBody } from './body.ts';
import { check } from './check.ts';
import { mapChildren } from './map-children.ts';
import { typeDynamically } from './type-dynamically.ts';
import type { TypedAst } from './typed-ast.ts';

/**
 * The tree with every call of a function that is declared with a body replaced by that body, so that evaluators and
 * analyses need not know of such functions. Nodes of the body have fresh ids and the range of the call; others keep their ids.
 * A call whose argument types leave several overloads possible stays as it is.
 */
export function inlineBodies(typed: TypedAst, env: Environment): TypedAst {
  let current = typed;
  // Bodies may call functions with bodies; createEnvironment has made sure that this ends.
  while (current.references.some(reference => bodyOf(reference, env) !== undefined)) {
    const inlining: Inlining = {
      typed: current,
      env,
      nextId: current.ast.nextId,
      macroCalls: new Map(current.ast.macroCalls),
    };
    const root = inline(inlining, current.ast.root);
    const ast: Ast = { ...current.ast, root, nextId: inlining.nextId, macroCalls: inlining.macroCalls };
    const { typed: checked, diagnostics } = check(ast, env);
    // What was typed without checking need not check.
    current = diagnostics.some(({ severity }) => severity === 'error') ? typeDynamically(ast, env) : checked;
  }
  return current;
}

interface Inlining {
  readonly typed: TypedAst;
  readonly env: Environment;
  nextId: number;
  readonly macroCalls: Map<number, CallExpr>;
}

function bodyOf(reference: TypedAst['references'][number], env: Environment): CheckedBody | undefined {
  if (reference?.kind !== 'function' || reference.overloads.length !== 1) return undefined;
  return env.bodyOf(reference.overloads[0]!.id);
}

function inline(inlining: Inlining, expr: Expr): Expr {
  const inner = mapChildren(expr, child => inline(inlining, child));
  if (inner.kind !== 'call') return inner;
  const reference = inlining.typed.references[expr.id];
  const body = bodyOf(reference, inlining.env);
  if (body === undefined || reference?.kind !== 'function') return inner;
  const isMember = reference.overloads[0]?.member === true;
  return instantiate(inlining, body, inner, isMember && inner.target ? [inner.target, ...inner.args] : inner.args);
}

/** The body with its parameters standing for the arguments. */
function instantiate(inlining: Inlining, body: CheckedBody, call: CallExpr, args: readonly Expr[]): Expr {
  const copying: Copying = { inlining, body, call, ids: new Map(), replacements: new Map() };
  const bound: (readonly [name: string, value: Expr])[] = [];
  for (const [i, name] of body.paramNames.entries()) {
    const arg = args[i]!;
    if (isSubstitutable(arg, body)) {
      copying.replacements.set(name, arg);
    } else {
      const unique = `@${name}${inlining.nextId}`;
      copying.replacements.set(name, identifier(copying, unique));
      bound.push([unique, arg]);
    }
  }
  const result = copy(copying, body.typed.ast.root);
  return bound.reduceRight((inner, [name, value]) => bind(copying, name, value, inner), result);
}

/** Using it several times costs nothing, and its name means the same inside the body. */
function isSubstitutable(arg: Expr, body: CheckedBody): boolean {
  return arg.kind === 'literal' || (arg.kind === 'ident' && !body.localNames.has(arg.name));
}

interface Copying {
  readonly inlining: Inlining;
  readonly body: CheckedBody;
  readonly call: CallExpr;
  /** New ids by those of the body. */
  readonly ids: Map<number, number>;
  readonly replacements: Map<string, Expr>;
}

function copy(copying: Copying, expr: Expr): Expr {
  const { body, inlining, call } = copying;
  const written = body.typed.ast.macroCalls.get(expr.id);
  const id = copiedId(copying, expr.id);
  if (written !== undefined && !inlining.macroCalls.has(id)) {
    inlining.macroCalls.set(id, copyParts(copying, written) as CallExpr);
  }
  const reference = body.typed.references[expr.id];
  if (expr.kind === 'ident' && reference?.kind === 'local' && reference.scope === 0) {
    const replacement = copying.replacements.get(expr.name)!;
    return { ...replacement, id };
  }
  const absolute = absoluteName(expr, body);
  if (absolute !== undefined) return { kind: 'ident', id, range: call.range, name: absolute };
  return copyParts(copying, expr);
}

function copyParts(copying: Copying, expr: Expr): Expr {
  const { range } = copying.call;
  const copied = mapChildren(expr, child => copy(copying, child));
  const moved = { ...copied, id: copiedId(copying, expr.id), range };
  if (moved.kind === 'call') return { ...moved, functionRange: range, ...absoluteTarget(copying, expr, moved) };
  if (moved.kind === 'select') return { ...moved, fieldRange: range };
  if (moved.kind === 'map') {
    return { ...moved, entries: moved.entries.map(entry => ({ ...entry, id: copiedId(copying, entry.id), range })) };
  }
  if (moved.kind === 'struct') {
    return { ...moved, fields: moved.fields.map(field => ({ ...field, id: copiedId(copying, field.id), range })) };
  }
  return moved;
}

/** Names of the body mean what they mean at the root of its environment, whatever the names around the call. */
function absoluteName(expr: Expr, body: CheckedBody): string | undefined {
  const reference = body.typed.references[expr.id];
  if (reference?.kind === 'variable') return `.${reference.name}`;
  return expr.kind === 'ident' && reference?.kind === 'type' && !expr.name.startsWith('.')
    ? `.${expr.name}`
    : undefined;
}

/** `math.least(…)`, where `math` must not be a local name around the call. */
function absoluteTarget(copying: Copying, from: Expr, call: CallExpr): { readonly target?: Expr } {
  const reference = copying.body.typed.references[from.id];
  if (call.target === undefined || reference?.kind !== 'function' || reference.overloads[0]?.member !== false)
    return {};
  const namespace = reference.name.slice(0, reference.name.lastIndexOf('.'));
  return { target: identifier(copying, `.${namespace}`) };
}

function copiedId(copying: Copying, id: number): number {
  let copied = copying.ids.get(id);
  if (copied === undefined) {
    copied = copying.inlining.nextId++;
    copying.ids.set(id, copied);
  }
  return copied;
}

function identifier({ inlining, call }: Copying, name: string): Expr {
  return { kind: 'ident', id: inlining.nextId++, range: call.range, name };
}

/** As `cel.bind(name, value, result)` expands. */
function bind(copying: Copying, name: string, value: Expr, result: Expr): Expr {
  const { inlining, call } = copying;
  const node = (): { id: number; range: Expr['range'] } => ({ id: inlining.nextId++, range: call.range });
  return {
    ...node(),
    kind: 'comprehension',
    iterVar: '#unused',
    iterVar2: undefined,
    iterRange: { ...node(), kind: 'list', elements: [], optionalIndices: [] },
    accuVar: name,
    accuInit: value,
    loopCondition: { ...node(), kind: 'literal', literal: { type: 'bool', value: false } },
    loopStep: identifier(copying, name),
    result,
  };
}
