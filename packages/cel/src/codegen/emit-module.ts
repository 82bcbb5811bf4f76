import type { TypedAst } from '../ast/typed-ast.ts';
import type { Environment } from '../environment/environment.ts';
import { DYN } from '../types/type.ts';
import { conditionsCode } from './conditions-code.ts';
import { functionCode } from './function-code.ts';
import { createModuleScope, type ModuleScope, runtimeName } from './scope/module-scope.ts';
import { entryOf } from './scope/runtime-names.ts';
import { dataCode, stringCode } from './scope/source-text.ts';

/** The exports of a module. */
export interface ModuleParts {
  /** Expressions, by the name of the function that evaluates each. Names must be JavaScript identifiers. */
  readonly programs?: Readonly<Record<string, TypedAst>>;
  /** Rules, each a conjunction of expressions, that the exported `evaluateAll(activation, results)` decides. */
  readonly conditions?: readonly (readonly TypedAst[])[];
  /** Where to import user implementations from: a module and the name of its export, by overload id. */
  readonly implementations?: Readonly<Record<string, { readonly module: string; readonly name: string }>>;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * Returns the source of an ES module that evaluates expressions, for environments that forbid generating code at run time. It imports from
 * `@tollgate/cel/runtime`, from `@tollgate/cel/runtime/regex` for patterns that need the RE2 engine, and from `implementations`. Throws a
 * `TypeError` if a name cannot be exported or a needed implementation has no module.
 */
export function emitModule(parts: ModuleParts, env: Environment): string {
  const scope = createModuleScope();
  let exported = '';
  for (const [name, typed] of Object.entries(parts.programs ?? {})) {
    const function_ = functionCode(scope, typed, env);
    exported += `const ${checked(name)}$=${function_};\nexport{${name}$ as ${name}};\n`;
  }
  if (parts.conditions !== undefined) {
    exported += `export const evaluateAll=${conditionsCode(scope, parts.conditions, env)};\n`;
  }
  const fences = fencesCode(scope, env);
  return `${importsCode(scope, parts)}${fences}${scope.declarations}${exported}`;
}

function importsCode(scope: ModuleScope, parts: ModuleParts): string {
  const entries = Object.entries(Object.groupBy([...scope.imports].sort(), entryOf));
  let code = entries.map(([entry, names = []]) => `import { ${names.join(', ')} } from '${entry}';\n`).join('');
  for (const [name, { overloadId }] of scope.injected) {
    const place = parts.implementations?.[overloadId];
    if (place === undefined)
      throw new TypeError(`the implementation of \`${overloadId}\` needs a module to import it from`);
    code += `import { ${checked(place.name)} as ${name}$ } from ${stringCode(place.module)};\n`;
  }
  return code;
}

/** Imported implementations are fenced like those of an environment. */
function fencesCode(scope: ModuleScope, { functions }: Environment): string {
  let code = '';
  for (const [name, { overloadId }] of scope.injected) {
    const declared = [...functions.values()].find(({ overloads }) => overloads.some(({ id }) => id === overloadId));
    const result = declared?.overloads.find(({ id }) => id === overloadId)?.result ?? DYN;
    const fence = runtimeName(scope, 'fenceFunction');
    code += `const ${name}=${fence}(${stringCode(declared?.name ?? overloadId)},${dataCode(result)},${name}$);\n`;
  }
  return code;
}

function checked(name: string): string {
  if (!IDENTIFIER.test(name)) throw new TypeError(`\`${name}\` is not a JavaScript identifier`);
  return name;
}
