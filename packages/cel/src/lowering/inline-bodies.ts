// Replaces calls of functions that are declared in CEL by their bodies.

import {
  type Ast,
  type CallExpr,
  type Expr,
  mapChildren,
  type Overload,
  type Reference,
  type TypedAst,
} from '../ast/ast.ts';
import { BOOL, DYN, listOf, type Type, typesEqual } from '../ast/types.ts';
import { bodiesOf, type CheckedBody, check, proveBodies } from '../checker/check.ts';
import type { Environment, EnvironmentLibrary } from '../checker/environment.ts';
import { typeDynamically } from '../checker/type-dynamically.ts';

/**
 * Returns the tree with calls of functions that have a body replaced by that body, so that evaluators and analyses need not know of them.
 * Nodes of the body have new ids and the range of the call; other nodes keep their ids. A call with several possible overloads is not
 * replaced.
 */
export function inlineBodies(typed: TypedAst, env: Environment): TypedAst {
  let current = typed;
  // Bodies may call functions with bodies; createEnvironment rejects recursion, so this terminates.
  while (current.references.some(reference => bodyOf(reference, env) !== undefined)) {
    const next = inlineOnce(current, env);
    // The side tables may describe more than this tree, if it is part of another.
    if (next === undefined) return current;
    current = next;
  }
  return current;
}

/** Returns undefined if there is nothing to replace. */
function inlineOnce(typed: TypedAst, env: Environment): TypedAst | undefined {
  const inlining: InlineContext = {
    typed,
    env,
    nextId: typed.ast.nextId,
    macroCalls: new Map(typed.ast.macroCalls),
    types: [...typed.types],
    references: [...typed.references],
    isKnown: true,
  };
  const root = inline(inlining, typed.ast.root);
  if (root === typed.ast.root) return undefined;
  const { nextId, macroCalls, types, references } = inlining;
  const ast: Ast = { ...typed.ast, root, nextId, macroCalls };
  if (inlining.isKnown) return { ast, resultType: types[root.id] ?? DYN, types, references };
  const { typed: checked, diagnostics } = check(ast, env);
  // A tree that was typed without checking may not check.
  return diagnostics.some(({ severity }) => severity === 'error') ? typeDynamically(ast, env) : checked;
}

interface InlineContext {
  readonly typed: TypedAst;
  readonly env: Environment;
  nextId: number;
  readonly macroCalls: Map<number, CallExpr>;
  /** Filled in as checking the new tree would do, which takes several times as long. */
  readonly types: (Type | undefined)[];
  readonly references: (Reference | undefined)[];
  /** False if arguments of other types than declared may change types inside a body; the tree is then checked again. */
  isKnown: boolean;
}

function bodyOf(reference: TypedAst['references'][number], env: Environment): CheckedBody | undefined {
  if (reference?.kind !== 'function' || reference.overloads.length !== 1) return undefined;
  const [overload] = reference.overloads as readonly [Overload];
  return overload.body && env.bodyOf(overload.id);
}

function inline(inlining: InlineContext, expr: Expr): Expr {
  const inner = mapChildren(expr, child => inline(inlining, child));
  if (inner.kind !== 'call') return inner;
  const reference = inlining.typed.references[expr.id];
  const body = bodyOf(reference, inlining.env);
  if (body === undefined || reference?.kind !== 'function') return inner;
  const isMember = reference.overloads[0]?.member === true;
  const args = isMember && inner.target ? [inner.target, ...inner.args] : inner.args;
  inlining.isKnown &&= isAsDeclared(inlining, body, args);
  const instance = instantiate(inlining, body, inner, args);
  forget(inlining, [inner]);
  return instance;
}

/** Clears the entries of nodes that are not in the new tree. */
function forget({ types, references }: InlineContext, gone: Iterable<Expr>): void {
  for (const { id } of gone) {
    types[id] = undefined;
    references[id] = undefined;
  }
}

function isAsDeclared({ types }: InlineContext, { overload, typed }: CheckedBody, args: readonly Expr[]): boolean {
  if (!typesEqual(overload.result, typed.resultType)) return false;
  return args.every((arg, at) => {
    const type = types[arg.id];
    return type !== undefined && typesEqual(type, overload.params[at]!);
  });
}

/** Returns the body with its parameters bound to the arguments. */
function instantiate(inlining: InlineContext, body: CheckedBody, call: CallExpr, args: readonly Expr[]): Expr {
  const copying: InlineCopyContext = { inlining, body, call, ids: new Map(), replacements: new Map() };
  const bound: Bound[] = [];
  for (const [i, name] of body.paramNames.entries()) {
    const arg = args[i]!;
    if (isSubstitutable(arg, body)) {
      copying.replacements.set(name, arg);
    } else {
      const scope = inlining.nextId++;
      const one = { name: `@${name}${scope}`, value: arg, scope };
      copying.replacements.set(name, boundName(copying, one));
      bound.push(one);
    }
  }
  const result = copy(copying, body.typed.ast.root);
  forget(inlining, copying.replacements.values());
  return bound.reduceRight((inner, one) => bind(copying, one, inner), result);
}

/** An argument that is bound to a name. */
interface Bound {
  readonly name: string;
  readonly value: Expr;
  /** Id of the node that binds the name. */
  readonly scope: number;
}

function boundName(copying: InlineCopyContext, { name, value, scope }: Bound): Expr {
  const { types } = copying.inlining;
  const local = identifier(copying, name);
  return withFacts(copying, local, types[value.id], { kind: 'local', name, scope });
}

function withFacts({ inlining }: InlineCopyContext, expr: Expr, type: Type | undefined, reference?: Reference): Expr {
  inlining.types[expr.id] = type;
  inlining.references[expr.id] = reference;
  return expr;
}

/** Returns true if evaluating it several times costs nothing and its names mean the same inside the body. */
function isSubstitutable(arg: Expr, body: CheckedBody): boolean {
  return arg.kind === 'literal' || (arg.kind === 'ident' && !body.localNames.has(arg.name));
}

interface InlineCopyContext {
  readonly inlining: InlineContext;
  readonly body: CheckedBody;
  readonly call: CallExpr;
  /** New ids by ids in the body. */
  readonly ids: Map<number, number>;
  readonly replacements: Map<string, Expr>;
}

function copy(copying: InlineCopyContext, expr: Expr): Expr {
  const { body, inlining, call } = copying;
  const written = body.typed.ast.macroCalls.get(expr.id);
  const id = copiedId(copying, expr.id);
  if (written !== undefined && !inlining.macroCalls.has(id)) {
    inlining.macroCalls.set(id, copyParts(copying, written) as CallExpr);
  }
  const reference = body.typed.references[expr.id];
  inlining.types[id] = body.typed.types[expr.id];
  inlining.references[id] = copiedReference(copying, reference);
  if (expr.kind === 'ident' && reference?.kind === 'local' && reference.scope === 0) {
    const replacement = copying.replacements.get(expr.name)!;
    const { types, references } = inlining;
    return withFacts(copying, { ...replacement, id }, types[replacement.id], references[replacement.id]);
  }
  const absolute = absoluteName(expr, body);
  if (absolute !== undefined) return { kind: 'ident', id, range: call.range, name: absolute };
  return copyParts(copying, expr);
}

function copyParts(copying: InlineCopyContext, expr: Expr): Expr {
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

/** Names in the body are resolved at the root, whatever names are in scope at the call. */
function absoluteName(expr: Expr, body: CheckedBody): string | undefined {
  const reference = body.typed.references[expr.id];
  if (reference?.kind === 'variable') return `.${reference.name}`;
  return expr.kind === 'ident' && reference?.kind === 'type' && !expr.name.startsWith('.')
    ? `.${expr.name}`
    : undefined;
}

/** `math.least(…)`: `math` must not be a local name at the call. */
function absoluteTarget(copying: InlineCopyContext, from: Expr, call: CallExpr): { readonly target?: Expr } {
  const reference = copying.body.typed.references[from.id];
  if (call.target === undefined || reference?.kind !== 'function' || reference.overloads[0]?.member !== false)
    return {};
  const namespace = reference.name.slice(0, reference.name.lastIndexOf('.'));
  return { target: identifier(copying, `.${namespace}`) };
}

function copiedId(copying: InlineCopyContext, id: number): number {
  let copied = copying.ids.get(id);
  if (copied === undefined) {
    copied = copying.inlining.nextId++;
    copying.ids.set(id, copied);
  }
  return copied;
}

function copiedReference(copying: InlineCopyContext, reference: Reference | undefined): Reference | undefined {
  if (reference?.kind !== 'local' || reference.scope === 0) return reference;
  return { ...reference, scope: copiedId(copying, reference.scope) };
}

function identifier({ inlining, call }: InlineCopyContext, name: string): Expr {
  return { kind: 'ident', id: inlining.nextId++, range: call.range, name };
}

/** Returns the expansion of `cel.bind(name, value, result)`. */
function bind(copying: InlineCopyContext, bound: Bound, result: Expr): Expr {
  const { inlining, call } = copying;
  const { range } = call;
  const node = (): { id: number; range: Expr['range'] } => ({ id: inlining.nextId++, range });
  const nothing: Expr = { ...node(), kind: 'list', elements: [], optionalIndices: [] };
  const never: Expr = { ...node(), kind: 'literal', literal: { type: 'bool', value: false } };
  const whole: Expr = {
    id: bound.scope,
    range,
    kind: 'comprehension',
    iterVar: '#unused',
    iterVar2: undefined,
    iterRange: withFacts(copying, nothing, listOf(DYN)),
    accuVar: bound.name,
    accuInit: bound.value,
    loopCondition: withFacts(copying, never, BOOL),
    loopStep: boundName(copying, bound),
    result,
  };
  return withFacts(copying, whole, inlining.types[result.id]);
}

/** Support for functions with a body in CEL. Separate because most environments have none. */
export const FUNCTION_BODIES_LIBRARY: EnvironmentLibrary = {
  name: 'function-bodies',
  functions: [],
  macros: [],
  constants: [],
  bodyCompiler: { bodiesOf, proveBodies, inlineBodies },
};
