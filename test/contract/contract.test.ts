import {
  type Ast,
  CelMap,
  check,
  EvaluationError,
  type Expr,
  extendEnvironment,
  NonValue,
  parse,
  Unknown,
} from '@tollgate/cel';
import { typeDynamically } from '@tollgate/cel/tooling';
import { describe, expect, test } from 'vitest';
import { EVALUATORS, type Evaluator } from '../conformance/evaluators.ts';
import { type ContractCase, ENVIRONMENT, type Expected } from './contract-case.ts';
import { ABSORPTION, UNCHECKED } from './failure-cases.ts';
import { HOST_DATA } from './host-data-cases.ts';
import { HOSTILE } from './hostile-data-cases.ts';
import { LIMITS } from './limit-cases.ts';
import { LOCALS } from './local-cases.ts';
import { NULLS } from './null-cases.ts';
import { PRESENCE, PROTOTYPES } from './presence-cases.ts';
import { UNKNOWN } from './unknown-cases.ts';

/** The cases that every evaluator must pass, by subject. */
const CASES: Readonly<Record<string, readonly ContractCase[]>> = {
  'reads host data in place': HOST_DATA,
  'survives hostile data': HOSTILE,
  'reads own properties only': PROTOTYPES,
  'tests presence': PRESENCE,
  'carries unknowns': UNKNOWN,
  'absorbs errors': ABSORPTION,
  'fails at run time for unchecked expressions': UNCHECKED,
  'rejects null where no function accepts it': NULLS,
  'keeps local names apart': LOCALS,
  'respects limits': LIMITS,
};

describe.each(EVALUATORS)('$name', evaluator => {
  describe.each(Object.entries(CASES))('%s', (_group, cases) => {
    test.each(cases.map(each => [titleOf(each), each] as const))('%s', (_title, each) => {
      expect(run(each, evaluator)).toEqual(each.expected);
    });
  });
});

function titleOf({ expression, note }: ContractCase): string {
  return note === undefined ? expression : `${expression} (${note})`;
}

/** Returns the outcome in the form of the cases. */
function run(each: ContractCase, { compile }: Evaluator): Expected {
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

/** Returns the source of a node; that of the macro call for nodes that a macro created. */
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
