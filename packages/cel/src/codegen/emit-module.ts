import type { TypedAst } from '../ast/typed-ast.ts';
import type { Environment } from '../environment/environment.ts';
import { DYN } from '../types/type.ts';
import { conditionsCode } from './conditions-code.ts';
import { functionCode } from './function-code.ts';
import { createModuleScope, type ModuleScope, runtimeName } from './scope/module-scope.ts';
import { entryOf } from './scope/runtime-names.ts';
import { dataCode, stringCode } from './scope/source-text.ts';

/** What a module is to export. */
export interface ModuleParts {
  /** Expressions, by the name of the function that evaluates each. The name must be a JavaScript identifier. */
  readonly programs?: Readonly<Record<string, TypedAst>>;
  /** Rules, each a conjunction of expressions, decided by the exported `evaluateAll(activation, results)`. */
  readonly conditions?: readonly (readonly TypedAst[])[];
  /** Where to import implementations from that are not Tollgate's own: the exported name in a module, by overload id. */
  readonly implementations?: Readonly<Record<string, { readonly module: string; readonly name: string }>>;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * The source of an ES module that evaluates expressions, for where code may not be made at run time. It imports from
 * `@tollgate/cel/runtime`, from `@tollgate/cel/runtime/regex` for patterns that take the RE2 engine, and from
 * `implementations`. Throws a `TypeError` when a name cannot be exported, or an
 * implementation that is needed has no module.
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

/** What is imported is fenced as an environment's own implementations are. */
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
