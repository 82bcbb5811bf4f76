import type { ImplementationFunction } from '../../runtime/context/implementation.ts';
import { stringCode } from './source-text.ts';

/** An implementation that is handed in. */
export interface Injected {
  readonly overloadId: string;
  readonly call: ImplementationFunction;
}

/** What the functions of one generated module share: names of the runtime that they use, and constants made once. */
export interface ModuleScope {
  /** Names that must be imported from the runtime. */
  readonly imports: Set<string>;
  /** Implementations that are not the runtime's own, by the name they have in the source. */
  readonly injected: Map<string, Injected>;
  /** Declarations, in order. */
  declarations: string;
  /** Number of constants that are not among `constants`. */
  unique: number;
  /** Names of constants by the source of their value. */
  readonly constants: Map<string, string>;
}

export function createModuleScope(): ModuleScope {
  return { imports: new Set(), injected: new Map(), declarations: '', unique: 0, constants: new Map() };
}

/** Marks a name of the runtime as used, and gives it. */
export function runtimeName(scope: ModuleScope, name: string): string {
  scope.imports.add(name);
  return name;
}

/** The name of a constant with this value, given as source; the same for the same source. */
export function constant(scope: ModuleScope, source: string): string {
  const known = scope.constants.get(source);
  if (known !== undefined) return known;
  const name = `k${scope.constants.size}`;
  scope.constants.set(source, name);
  scope.declarations += `const ${name}=${source};\n`;
  return name;
}

/** The name of a constant of which there is no other with the same source. */
export function uniqueConstant(scope: ModuleScope, source: string): string {
  const name = `e${scope.unique}`;
  scope.unique += 1;
  scope.declarations += `const ${name}=${source};\n`;
  return name;
}

/** The name of an evaluation error that is made once. */
export function errorConstant(scope: ModuleScope, code: string, message: string, exprId: number): string {
  const made = `new ${runtimeName(scope, 'EvaluationError')}`;
  return constant(scope, `${made}(${stringCode(code)},${stringCode(message)},${exprId})`);
}

/** The name under which an implementation that the runtime does not have is handed in. */
export function injectedName(scope: ModuleScope, overloadId: string, call: ImplementationFunction): string {
  for (const [name, known] of scope.injected) if (known.overloadId === overloadId) return name;
  const name = `u${scope.injected.size}`;
  scope.injected.set(name, { overloadId, call });
  return name;
}
