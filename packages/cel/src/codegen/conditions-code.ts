import type { TypedAst } from '../ast/typed-ast.ts';
import type { Environment } from '../environment/environment.ts';
import { type LoweredAst, lower } from '../lowering/lower.ts';
import { chainCondition } from './conditions/logic-code.ts';
import { startFunction } from './function-code.ts';
import { hoistPaths } from './paths/hoisting.ts';
import { ACTIVATION } from './paths/path-code.ts';
import { allSteps, declareSteps } from './scope/context-code.ts';
import { type Exits, emit, fresh, type Generation, turnTo } from './scope/generation.ts';
import { constant, type ModuleScope } from './scope/module-scope.ts';

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
