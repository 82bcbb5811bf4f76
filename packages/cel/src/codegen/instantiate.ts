import type { ModuleScope } from './scope/module-scope.ts';
import { RUNTIME } from './scope/runtime-names.ts';

/** Runs generated source and returns the value of the expression `result`, which may use the declarations and imports of `scope`. */
export function instantiate(scope: ModuleScope, result: string): unknown {
  const imports = [...scope.imports];
  const names = [...imports, ...scope.injected.keys()];
  const values = [...imports.map(name => RUNTIME[name]), ...[...scope.injected.values()].map(({ call }) => call)];
  const make = new Function(...names, `"use strict";\n${scope.declarations}return ${result}`);
  return make(...values);
}
