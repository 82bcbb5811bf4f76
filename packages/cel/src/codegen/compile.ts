// Compiles expressions and rules to functions, or to the source of a module.

import { mayGenerateCode } from '@tollgate/diagnostics/portable';
import type { Expr, IdentExpr, LiteralExpr, SelectExpr, TypedAst } from '../ast/ast.ts';
import { DOUBLE, DYN, type Type, UINT } from '../ast/types.ts';
import type { Activation, Environment, Program } from '../checker/environment.ts';
import { compileClosures, compileConjunction } from '../closures/compile-closures.ts';
import type { Constant } from '../lowering/fold-constants.ts';
import { type LoweredAst, lower } from '../lowering/lower.ts';
import { CidrRange, IpAddress, type NonValue, Timestamp } from '../values/value.ts';
import { callValue, listValue, mapValue, selectValue, structValue } from './calls.ts';
import { chainCondition, decisionOf, nodeCondition } from './conditions.ts';
import { comprehensionValue } from './loops.ts';
import { ACTIVATION, hoistPaths, pathOf, pathValue } from './paths.ts';
import {
  allSteps,
  CodeBuffer,
  constant,
  createModuleScope,
  type Decision,
  dataCode,
  declareSteps,
  doubleCode,
  type Exits,
  emit,
  entryOf,
  errorConstant,
  type Fail,
  fresh,
  type Generation,
  integerCode,
  type ModuleScope,
  RUNTIME,
  runtimeName,
  staticType,
  stringCode,
  tagged,
  turnTo,
  wholeValue,
} from './scope.ts';

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
export function conditionsCode(scope: ModuleScope, conditions: Rules, env: Environment): string {
  const chunks = chunksOf(conditions, env).map(chunk => chunkCode(scope, chunk, env));
  if (chunks.length === 1) return chunks[0] as string;
  const calls = chunks.map(code => `${constant(scope, code)}(${ACTIVATION},${RESULTS});`);
  return `function evaluateAll(${ACTIVATION},${RESULTS}){${calls.join('')}}`;
}

/** The conditions of rules, each the conjunction of its expressions. */
type Rules = readonly (readonly TypedAst[])[];

function chunksOf(conditions: Rules, env: Environment): readonly Chunk[] {
  const rules = conditions.map(rule => rule.map(typed => lower(typed, env)));
  const chunks: Chunk[] = [];
  for (let start = 0; start < rules.length; start += RULES_PER_FUNCTION)
    chunks.push({ rules: rules.slice(start, start + RULES_PER_FUNCTION), start });
  return chunks;
}

/** The position from which rules are searched. */
const FROM = 'f';

/**
 * Returns the source of a function that evaluates rules from a position on until one is not false, stores its result as the first of an array, and
 * returns its position; -1 if there is none.
 */
function searchCode(scope: ModuleScope, conditions: Rules, env: Environment): string {
  const chunks = chunksOf(conditions, env).map(chunk => ({ chunk, code: chunkCode(scope, chunk, env, FROM) }));
  if (chunks.length === 1) return chunks[0]!.code;
  const calls = chunks.map(({ chunk: { rules, start }, code }) => {
    const search = constant(scope, code);
    return `if(${FROM}<${start + rules.length}){const n=${search}(${ACTIVATION},${RESULTS},${FROM});if(n>=0)return n;}`;
  });
  return `function search(${ACTIVATION},${RESULTS},${FROM}){${calls.join('')}return -1;}`;
}

interface Chunk {
  readonly rules: readonly Rule[];
  /** Index of the first rule. */
  readonly start: number;
}

/** @param from the variable with the position to search from; undefined for a function that evaluates all rules */
function chunkCode(scope: ModuleScope, { rules, start }: Chunk, env: Environment, from?: string): string {
  const first = rules.find(rule => rule.length > 0)?.[0];
  if (first === undefined)
    return from === undefined ? constantRules(rules.length, start) : constantSearch(rules.length, start);
  const g = startFunction(scope, first, env);
  hoistPaths(g, visit => {
    for (const typed of rules.flat()) {
      turnTo(g, typed);
      visit(typed.ast.root);
    }
  });
  // What a rule declares is in a block of its own. Code of similar rules that is the same but for their literals compresses better.
  const { names } = g;
  rules.forEach((rule, index) => {
    g.names = names;
    ruleCode(g, rule, start + index, from);
  });
  return from === undefined
    ? `function evaluateAll(${ACTIVATION},${RESULTS}){\n${declareSteps(g)}${g.code}}`
    : `function search(${ACTIVATION},${RESULTS},${from}){\n${declareSteps(g)}${g.code}return -1;}`;
}

function constantRules(count: number, start: number): string {
  const stores = Array.from({ length: count }, (_, index) => `${RESULTS}[${start + index}]=true;`);
  return `function evaluateAll(${ACTIVATION},${RESULTS}){${stores.join('')}}`;
}

/** Every rule from the position on matches. */
function constantSearch(count: number, start: number): string {
  return `function search(${ACTIVATION},${RESULTS},${FROM}){if(${FROM}>=${start + count})return -1;${RESULTS}[0]=true;return Math.max(${FROM},${start});}`;
}

function ruleCode(g: Generation, rule: Rule, index: number, from: string | undefined): void {
  const done = fresh(g, 'R');
  const store = (result: string) => `${RESULTS}[${index}]=${result};break ${done};`;
  const find = (result: string) => `${RESULTS}[0]=${result};return ${index};`;
  const exits: Exits =
    from === undefined
      ? { whenTrue: store('true'), whenFalse: store('false'), fail: store }
      : { whenTrue: find('true'), whenFalse: `break ${done};`, fail: find };
  const counted = g.counted;
  g.counted = false;
  const code = g.code.capture(() => ruleDecision(g, rule, exits));
  // Each rule has its own budget.
  const reset = allSteps(g);
  const skip = from === undefined ? '' : `if(${from}>${index})break ${done};`;
  emit(g, `${done}:{${skip}${reset}${code}}\n`);
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

/** Functions to generate, checked in one environment. Names must be JavaScript identifiers. */
export interface ModuleParts {
  readonly environment: Environment;
  /** Expressions, by the name of the function that evaluates each on an activation. */
  readonly programs?: Readonly<Record<string, TypedAst>>;
  /** Rules, each a conjunction of expressions, by the name of a function `(activation, results)` that decides all. */
  readonly conditions?: Readonly<Record<string, Rules>>;
  /** Rules by the name of a function `(activation, results, from)` that finds the first one from a position on that is not false. */
  readonly searches?: Readonly<Record<string, Rules>>;
}

/** Generated functions. */
export interface GeneratedFunctions {
  /** Declarations of the functions. They refer to `imports` and `implementations`. */
  readonly code: string;
  /** What they need of `@tollgate/cel/runtime`, and of `@tollgate/cel/runtime/regex` for patterns that need the RE2 engine. */
  readonly imports: readonly string[];
  /** Names of the implementations that they need, by overload id. */
  readonly implementations: ReadonlyMap<string, string>;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * Returns the source of functions that evaluate expressions, for environments that forbid generating code at run time. Throws a `TypeError` for
 * a bad name.
 */
export function emitFunctions(parts: readonly ModuleParts[]): GeneratedFunctions {
  const scope = createModuleScope();
  let functions = '';
  const add = (name: string, code: string) => {
    functions += `const ${checked(name)}=${code};\n`;
  };
  for (const { environment, programs, conditions, searches } of parts) {
    for (const [name, typed] of Object.entries(programs ?? {})) add(name, functionCode(scope, typed, environment));
    for (const [name, rules] of Object.entries(conditions ?? {})) add(name, conditionsCode(scope, rules, environment));
    for (const [name, rules] of Object.entries(searches ?? {})) add(name, searchCode(scope, rules, environment));
  }
  const implementations = new Map([...scope.injected].map(([name, { overloadId }]) => [overloadId, `${name}$`]));
  const guards = guardsCode(scope, parts);
  return { code: `${guards}${scope.declarations}${functions}`, imports: [...scope.imports].sort(), implementations };
}

/** The exports of a module. */
interface ModuleExports extends ModuleParts {
  /** Where to import user implementations from: a module and the name of its export, by overload id. */
  readonly implementations?: Readonly<Record<string, { readonly module: string; readonly name: string }>>;
}

/**
 * Returns the source of an ES module that exports functions. It imports from `@tollgate/cel/runtime`, from `@tollgate/cel/runtime/regex` for
 * patterns that need the RE2 engine, and from `implementations`. Throws a `TypeError` if a name cannot be exported or a needed implementation has
 * no module.
 */
export function emitModule(parts: ModuleExports): string {
  const { code, imports, implementations } = emitFunctions([parts]);
  const entries = Object.entries(Object.groupBy(imports, entryOf));
  let head = entries.map(([entry, names = []]) => `import { ${names.join(', ')} } from '${entry}';\n`).join('');
  for (const [overloadId, name] of implementations) {
    const place = parts.implementations?.[overloadId];
    if (place === undefined)
      throw new TypeError(`the implementation of \`${overloadId}\` needs a module to import it from`);
    head += `import { ${checked(place.name)} as ${name} } from ${stringCode(place.module)};\n`;
  }
  const names = [parts.programs, parts.conditions, parts.searches].flatMap(one => Object.keys(one ?? {}));
  return `${head}${code}export { ${names.join(', ')} };\n`;
}

/** Imported implementations are guarded like those of an environment. */
function guardsCode(scope: ModuleScope, parts: readonly ModuleParts[]): string {
  let code = '';
  const declared = parts.flatMap(({ environment }) => [...environment.functions.values()]);
  for (const [name, { overloadId }] of scope.injected) {
    const found = declared.find(({ overloads }) => overloads.some(({ id }) => id === overloadId));
    const result = found?.overloads.find(({ id }) => id === overloadId)?.result ?? DYN;
    const guard = runtimeName(scope, 'guardFunction');
    code += `const ${name}=${guard}(${stringCode(found?.name ?? overloadId)},${dataCode(result)},${name}$);\n`;
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

// Generated code for the value of any node.

/** Emits a node; see `Generation.value`. */
function nodeValue(g: Generation, node: Expr, fail: Fail): string {
  const known = g.typed.constants.get(node.id);
  if (known !== undefined) return constant(g.scope, making(g.scope, known));
  const path = pathOf(g, node);
  if (path !== undefined) return pathValue(g, path, node, fail);
  const decision = decisionOf(g, node);
  if (decision !== undefined) return decidedValue(g, decision, fail);
  switch (node.kind) {
    case 'literal':
      return literalValue(g, node);
    case 'ident':
      return nameValue(g, node) ?? undeclared(g, node, fail);
    case 'select':
      return nameValue(g, node) ?? selectValue(g, node, fail);
    case 'call':
      return callValue(g, node, fail);
    case 'list':
      return listValue(g, node, fail);
    case 'map':
      return mapValue(g, node, fail);
    case 'struct':
      return structValue(g, node, fail);
    case 'comprehension':
      return comprehensionValue(g, node, fail);
    case 'error':
      return failing(
        g,
        errorConstant(g.scope, 'eval/syntax-error', 'this part of the expression has a syntax error', node.id),
        fail,
      );
  }
}

/** Emits an exit with an error, and returns a placeholder for the value. */
function failing(g: Generation, error: string, fail: Fail): string {
  // A block rather than a bare jump, so that the following unreachable code is not reported.
  emit(g, `{${fail(error)}}\n`);
  return 'undefined';
}

/** Returns a variable that holds the result of a decision. */
function decidedValue(g: Generation, decision: Decision, fail: Fail): string {
  const name = fresh(g, 'v');
  const done = fresh(g, 'L');
  emit(g, `let ${name};${done}:{`);
  const leave = (value: string) => `${name}=${value};break ${done};`;
  decision({ whenTrue: leave('true'), whenFalse: leave('false'), fail });
  emit(g, '}\n');
  return name;
}

function literalValue(g: Generation, { literal, id }: LiteralExpr): string {
  const type = g.typed.types[id] ?? DYN;
  switch (literal.type) {
    case 'null':
    case 'bool':
      return String(literal.value);
    case 'int':
      return integerCode(literal.value);
    case 'uint':
      return constantTagged(g, integerCode(literal.value), UINT, type);
    case 'double':
      return constantTagged(g, doubleCode(literal.value), DOUBLE, type);
    case 'string':
      return stringCode(literal.value);
    case 'bytes':
      return constant(g.scope, `new Uint8Array([${literal.value.join(',')}])`);
  }
}

/** A literal of a dynamic type is tagged once. */
function constantTagged(g: Generation, code: string, from: Type, to: Type): string {
  return to.kind === from.kind ? code : constant(g.scope, tagged(g, code, from));
}

/** Returns the value of a name that is not in the activation: a type. */
function nameValue(g: Generation, node: IdentExpr | SelectExpr): string | undefined {
  const reference = g.typed.references[node.id];
  if (reference?.kind !== 'type') return undefined;
  return constant(g.scope, `${runtimeName(g.scope, 'typeValueOf')}(${dataCode(reference.type)})`);
}

function undeclared(g: Generation, node: IdentExpr, fail: Fail): string {
  const message = `\`${node.name}\` is not declared`;
  return failing(g, errorConstant(g.scope, 'eval/undeclared-reference', message, node.id), fail);
}

function making(scope: ModuleScope, value: Constant): string {
  if (value instanceof IpAddress) return made(scope, 'IpAddress', `new Uint8Array([${value.bytes.join(',')}])`);
  if (value instanceof CidrRange) return made(scope, 'CidrRange', `${making(scope, value.ip)},${value.prefixLength}`);
  const name = value instanceof Timestamp ? 'Timestamp' : 'Duration';
  return made(scope, name, `${value.seconds},${value.nanos}`);
}

function made(scope: ModuleScope, name: string, args: string): string {
  return `new ${runtimeName(scope, name)}(${args})`;
}
