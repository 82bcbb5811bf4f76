import type { CallExpr, Environment, Expr, TypedAst } from '@tollgate/cel';
import { childrenOf, fieldPathsOf, inlineBodies, inputPathOf } from '@tollgate/cel/tooling';

/**
 * The paths of the inputs that expressions read, functions with bodies included; a part may stand beside the whole that it belongs
 * to, and a path more than once. As `fieldPathsOf` gives them, but without putting bodies in the place of calls where that tells
 * nothing new.
 */
export class PathReader {
  readonly #environment: Environment;
  /** Of bodies, by their overloads; undefined where it hangs on what the call is given. */
  readonly #bodies = new Map<string, readonly string[] | undefined>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  read(typed: TypedAst): readonly string[] {
    const found: string[] = [];
    if (this.#collect(typed, typed.ast.root, found)) return found;
    return [...fieldPathsOf(inlineBodies(typed, this.#environment))];
  }

  /** False where names of the expression's own, or optional fields, take a closer look. */
  #collect(typed: TypedAst, expr: Expr, found: string[]): boolean {
    if (expr.kind === 'literal') return true;
    const path = inputPathOf(typed, expr);
    if (path !== undefined) {
      found.push(path);
      return true;
    }
    if (expr.kind === 'comprehension' && expr.iterRange.kind === 'list' && expr.iterRange.elements.length === 0)
      return false;
    if (expr.kind === 'call') return this.#collectCall(typed, expr, found);
    return childrenOf(expr).every(child => this.#collect(typed, child, found));
  }

  #collectCall(typed: TypedAst, call: CallExpr, found: string[]): boolean {
    if (call.function === '_?._') return false;
    const reference = typed.references[call.id];
    const [overload, ...others] = reference?.kind === 'function' ? reference.overloads : [];
    if (overload?.body !== undefined && others.length === 0) {
      const paths = this.#pathsOfBody(overload.id);
      if (paths === undefined) return false;
      found.push(...paths);
    }
    // The target of `math.least(…)` is part of the function's name.
    const { target, args } = call;
    const isOperand = target !== undefined && typed.types[target.id] !== undefined;
    return (!isOperand || this.#collect(typed, target, found)) && args.every(arg => this.#collect(typed, arg, found));
  }

  /** Where all parameters are read, and none has parts of which only one is. */
  #pathsOfBody(overload: string): readonly string[] | undefined {
    if (this.#bodies.has(overload)) return this.#bodies.get(overload);
    const body = this.#environment.bodyOf(overload);
    const names = new Set(
      body?.typed.references.map(one => (one?.kind === 'local' && one.scope === 0 ? one.name : '')),
    );
    const isReadWhole =
      body?.overload.params.every(type => WITHOUT_PARTS.has(type.kind)) &&
      body.paramNames.every(name => names.has(name));
    const paths = body && isReadWhole ? [...fieldPathsOf(inlineBodies(body.typed, this.#environment))] : undefined;
    this.#bodies.set(overload, paths);
    return paths;
  }
}

const WITHOUT_PARTS: ReadonlySet<string> = new Set(['string', 'int', 'uint', 'double', 'bool', 'bytes']);
