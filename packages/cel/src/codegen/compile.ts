// Compiles expressions and rules to functions, or to the source of a module.

import { mayGenerateCode } from '@tollgate/diagnostics/portable';
import type { TypedAst } from '../ast/ast.ts';
import { DYN } from '../ast/types.ts';
import type { Activation, Environment, Program } from '../checker/environment.ts';
import { compileClosures, compileConjunction } from '../closures/compile-closures.ts';
import { type LoweredAst, lower } from '../lowering/lower.ts';
import type { NonValue } from '../values/value.ts';
import { chainCondition, nodeCondition } from './conditions.ts';
import { ACTIVATION, hoistPaths } from './paths.ts';
import {
  allSteps,
  CodeBuffer,
  constant,
  createModuleScope,
  dataCode,
  declareSteps,
  type Exits,
  emit,
  entryOf,
  fresh,
  type Generation,
  type ModuleScope,
  RUNTIME,
  runtimeName,
  staticType,
  stringCode,
  tagged,
  turnTo,
  wholeValue,
} from './scope.ts';
import { nodeValue } from './value-code.ts';

/** The conditions of many rules, compiled together. */
export interface Conditions {
  /** Sets `results[i]` to whether rule `i` matches, or to the error or unknown that leaves it undecided. Never throws. */
  readonly evaluateAll: (activation: Activation, results: (boolean | NonValue)[]) => void;
}

/**
 * Compiles the conditions of rules, each the conjunction of its expressions (true if there are none), to one function that reads shared
 * inputs once. The expression id of an error refers to the expression it comes from. Where code must not be generated, closures evaluate.
 */
export function compileConditions(rules: readonly (readonly TypedAst[])[], env: Environment): Conditions {
  if (!mayGenerateCode()) {
    const conjunctions = rules.map(rule => compileConjunction(rule, env));
    return {
      evaluateAll: (activation, results) => {
        for (let i = 0; i < conjunctions.length; i += 1) results[i] = conjunctions[i]!(activation);
      },
    };
  }
  const scope = createModuleScope();
  const code = conditionsCode(scope, rules, env);
  return { evaluateAll: instantiate(scope, code) as Conditions['evaluateAll'] };
}

/**
 * Compiles a checked expression to a JavaScript function that runs at the speed of hand-written code. Uses `new Function`; where a
 * content-security policy forbids that, the program consists of closures, which take about twice the time. See also {@link emitModule}.
 */
export function compileToJavaScript(typed: TypedAst, env: Environment): Program {
  if (!mayGenerateCode()) return compileClosures(typed, env);
  const scope = createModuleScope();
  const code = functionCode(scope, typed, env);
  return { evaluate: instantiate(scope, code) as Program['evaluate'] };
}

type Rule = readonly LoweredAst[];

/** V8 optimizes larger functions late or never. */
const RULES_PER_FUNCTION = 40;

const RESULTS = 'r';

/** Returns the source of a function that decides rules and stores the results in an array. */
export function conditionsCode(
  scope: ModuleScope,
  conditions: readonly (readonly TypedAst[])[],
  env: Environment,
): string {
  const rules = conditions.map(rule => rule.map(typed => lower(typed, env)));
  const chunks: string[] = [];
  for (let start = 0; start < rules.length; start += RULES_PER_FUNCTION) {
    chunks.push(chunkCode(scope, { rules: rules.slice(start, start + RULES_PER_FUNCTION), start }, env));
  }
  if (chunks.length === 1) return chunks[0] as string;
  const calls = chunks.map(code => `${constant(scope, code)}(${ACTIVATION},${RESULTS});`);
  return `function evaluateAll(${ACTIVATION},${RESULTS}){${calls.join('')}}`;
}

interface Chunk {
  readonly rules: readonly Rule[];
  /** Index of the first rule. */
  readonly start: number;
}

function chunkCode(scope: ModuleScope, { rules, start }: Chunk, env: Environment): string {
  const first = rules.find(rule => rule.length > 0)?.[0];
  if (first === undefined) return constantRules(rules.length, start);
  const g = startFunction(scope, first, env);
  hoistPaths(g, visit => {
    for (const typed of rules.flat()) {
      turnTo(g, typed);
      visit(typed.ast.root);
    }
  });
  rules.forEach((rule, index) => {
    ruleCode(g, rule, start + index);
  });
  return `function evaluateAll(${ACTIVATION},${RESULTS}){\n${declareSteps(g)}${g.code}}`;
}

function constantRules(count: number, start: number): string {
  const stores = Array.from({ length: count }, (_, index) => `${RESULTS}[${start + index}]=true;`);
  return `function evaluateAll(${ACTIVATION},${RESULTS}){${stores.join('')}}`;
}

function ruleCode(g: Generation, rule: Rule, index: number): void {
  const done = fresh(g, 'R');
  const leave = (result: string) => `${RESULTS}[${index}]=${result};break ${done};`;
  const exits: Exits = { whenTrue: leave('true'), whenFalse: leave('false'), fail: leave };
  const counted = g.counted;
  g.counted = false;
  const code = g.code.capture(() => ruleDecision(g, rule, exits));
  // Each rule has its own budget.
  const reset = allSteps(g);
  emit(g, `${done}:{${reset}${code}}\n`);
  g.counted ||= counted;
}

function ruleDecision(g: Generation, rule: Rule, exits: Exits): void {
  const [only] = rule;
  if (rule.length === 1 && only !== undefined) expressionCode(g, only, exits);
  else
    chainCondition(
      g,
      rule.map(typed => inner => expressionCode(g, typed, inner)),
      true,
      exits,
    );
}

function expressionCode(g: Generation, typed: LoweredAst, exits: Exits): void {
  turnTo(g, typed);
  g.condition(g, typed.ast.root, exits, typed.ast.root.id);
}

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

/** Starts generating a function; `typed` is its first expression. */
function startFunction(scope: ModuleScope, typed: LoweredAst, env: Environment): Generation {
  return {
    scope,
    env,
    implementationOf: id => env.implementations.get(id) ?? env.libraryImplementations.get(id),
    runtime: RUNTIME,
    typed,
    code: new CodeBuffer(),
    names: 0,
    counted: false,
    depth: 0,
    locals: new Map(),
    pathTrie: new Map(),
    localPathTrie: new Map(),
    pathsOfNodes: [],
    value: nodeValue,
    condition: nodeCondition,
  };
}

/** Returns the source of a function from an activation to the tagged value of the expression, an error or an unknown. */
export function functionCode(scope: ModuleScope, typed: TypedAst, env: Environment): string {
  const lowered = lower(typed, env);
  const g = startFunction(scope, lowered, env);
  const { root } = lowered.ast;
  const fail = (nonValue: string) => `return ${nonValue};`;
  hoistPaths(g, visit => visit(root));
  if (staticType(g, root).kind === 'bool') {
    g.condition(g, root, { whenTrue: 'return true;', whenFalse: 'return false;', fail }, root.id);
  } else {
    const value = wholeValue(g, root, fail);
    emit(g, `return ${tagged(g, value, staticType(g, root))};`);
  }
  return `function evaluate(${ACTIVATION}){\n${declareSteps(g)}${g.code}}`;
}

/** Runs generated source and returns the value of the expression `result`, which may use the declarations and imports of `scope`. */
function instantiate(scope: ModuleScope, result: string): unknown {
  const imports = [...scope.imports];
  const names = [...imports, ...scope.injected.keys()];
  const values = [...imports.map(name => RUNTIME[name]), ...[...scope.injected.values()].map(({ call }) => call)];
  const make = new Function(...names, `"use strict";\n${scope.declarations}return ${result}`);
  return make(...values);
}
