import type { CallExpr, Environment, Expr, TypedAst } from '@tollgate/cel';
import { childrenOf, fieldPathsOf, inlineBodies, inputPathOf } from '@tollgate/cel/tooling';

/**
 * Returns the paths of the inputs that expressions read, in function bodies too; possibly with duplicates and with parts of other paths.
 * The same paths as `fieldPathsOf` after inlining, which is avoided if it cannot add any.
 */
export class PathReader {
  readonly #environment: Environment;
  /** By overload; undefined if the paths depend on the arguments. */
  readonly #bodies = new Map<string, readonly string[] | undefined>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  read(typed: TypedAst): readonly string[] {
    const found: string[] = [];
    if (this.#collect(typed, typed.ast.root, found)) return found;
    return [...fieldPathsOf(inlineBodies(typed, this.#environment))];
  }

  /** Returns false if local names or optional fields require inlining. */
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
    // The target of `math.least(…)` is a namespace.
    const { target, args } = call;
    const isOperand = target !== undefined && typed.types[target.id] !== undefined;
    return (!isOperand || this.#collect(typed, target, found)) && args.every(arg => this.#collect(typed, arg, found));
  }

  /** Returns the paths of a body that reads each parameter as a whole. */
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
