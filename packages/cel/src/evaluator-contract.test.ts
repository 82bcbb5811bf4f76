import { describe, expect, test } from 'vitest';
import { check } from './checker/check.ts';
import { typeDynamically } from './checker/type-dynamically.ts';
import { compileClosures } from './closures/compile-closures.ts';
import { compileToJavaScript } from './codegen/compile-to-javascript.ts';
import { extendEnvironment } from './environment.ts';
import { CASES, type ContractCase, ENVIRONMENT, type Expected } from './evaluator-contract-cases.ts';
import { CelMap, EvaluationError, NonValue, Unknown } from './runtime/value.ts';
import type { Ast, Expr } from './syntax/ast.ts';
import { parse } from './syntax/parse.ts';

const EVALUATORS = [
  ['closures', compileClosures],
  ['generated', compileToJavaScript],
] as const;

describe.each(EVALUATORS)('%s', (_, compile) => {
  describe.each(Object.entries(CASES))('%s', (_group, cases) => {
    test.each(cases.map(each => [titleOf(each), each] as const))('%s', (_title, each) => {
      expect(run(each, compile)).toEqual(each.expected);
    });
  });
});

function titleOf({ expression, note }: ContractCase): string {
  return note === undefined ? expression : `${expression} (${note})`;
}

/** The outcome in the form in which cases state it. */
function run(each: ContractCase, compile: (typeof EVALUATORS)[number][1]): Expected {
  const env = extendEnvironment(ENVIRONMENT, { limits: each.limits ?? {} });
  const { ast, diagnostics } = parse(each.expression, env);
  expect(diagnostics).toEqual([]);
  if (each.unchecked) return stated(compile(typeDynamically(ast, env), env).evaluate(each.activation ?? {}), ast);
  const checked = check(ast, env);
  expect(checked.diagnostics).toEqual([]);
  const program = compile(checked.typed, env);
  const first = stated(program.evaluate(each.activation ?? {}), ast);
  expect(stated(program.evaluate(each.activation ?? {}), ast)).toEqual(first);
  return first;
}

function stated(outcome: unknown, ast: Ast): Expected {
  if (outcome instanceof Unknown) return { unknown: outcome.attributes };
  if (outcome instanceof EvaluationError) return { error: outcome.code, at: textOf(ast, outcome.exprId) };
  expect(outcome).not.toBeInstanceOf(NonValue);
  return { value: outcome instanceof CelMap ? new Map(outcome) : outcome };
}

/** The source text of a node: that of the macro call for the nodes that a macro made. */
function textOf(ast: Ast, id: number): string {
  const found = nodesOf(ast.root).find(node => node.id === id);
  return found === undefined ? `no node ${id}` : ast.source.slice(found.range.start, found.range.end);
}

interface Place {
  readonly id: number;
  readonly range: Expr['range'];
}

function nodesOf(node: Place): Place[] {
  const inside = Object.values(node).flatMap(part => (Array.isArray(part) ? part : [part]));
  return [node, ...inside.filter(isPlace).flatMap(nodesOf)];
}

function isPlace(part: unknown): part is Place {
  return typeof part === 'object' && part !== null && 'id' in part && 'range' in part;
}
