import type { ImplementationFunction } from '../../runtime/context/implementation.ts';
import { stringCode } from './source-text.ts';

/** An implementation that is passed to the generated code. */
interface Injected {
  readonly overloadId: string;
  readonly call: ImplementationFunction;
}

/** What the functions of a generated module share: imports of the runtime, and constants. */
export interface ModuleScope {
  /** Names that must be imported from the runtime. */
  readonly imports: Set<string>;
  /** Implementations that are not part of the runtime, by their name in the source. */
  readonly injected: Map<string, Injected>;
  /** Declarations, in order. */
  declarations: string;
  /** The number of constants that are not in `constants`. */
  unique: number;
  /** Names of constants by the source of their value. */
  readonly constants: Map<string, string>;
}

export function createModuleScope(): ModuleScope {
  return { imports: new Set(), injected: new Map(), declarations: '', unique: 0, constants: new Map() };
}

/** Returns a name of the runtime and marks it as used. */
export function runtimeName(scope: ModuleScope, name: string): string {
  scope.imports.add(name);
  return name;
}

/** Returns the name of a constant with this source; the same name for the same source. */
export function constant(scope: ModuleScope, source: string): string {
  const known = scope.constants.get(source);
  if (known !== undefined) return known;
  const name = `k${scope.constants.size}`;
  scope.constants.set(source, name);
  scope.declarations += `const ${name}=${source};\n`;
  return name;
}

/** Returns the name of a new constant, even if another one has the same source. */
export function uniqueConstant(scope: ModuleScope, source: string): string {
  const name = `e${scope.unique}`;
  scope.unique += 1;
  scope.declarations += `const ${name}=${source};\n`;
  return name;
}

/** Returns the name of a constant evaluation error. */
export function errorConstant(scope: ModuleScope, code: string, message: string, exprId: number): string {
  const made = `new ${runtimeName(scope, 'EvaluationError')}`;
  return constant(scope, `${made}(${stringCode(code)},${stringCode(message)},${exprId})`);
}

/** Returns the name under which an implementation outside the runtime is injected. */
export function injectedName(scope: ModuleScope, overloadId: string, call: ImplementationFunction): string {
  for (const [name, known] of scope.injected) if (known.overloadId === overloadId) return name;
  const name = `u${scope.injected.size}`;
  scope.injected.set(name, { overloadId, call });
  return name;
}
