import {
  type Activation,
  check,
  compileConditions,
  compileToJavaScript,
  type NonValue,
  parse,
  type TypedAst,
} from '@tollgate/cel';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { activationOf, ENVIRONMENT, EVERYTHING } from './case.ts';
import { type Datum, datumOf, obscure, type Take } from './data.ts';
import { showOursExactly } from './engines.ts';
import { expressionOf } from './expression.ts';

/** Policies with a few rules of a few expressions each. */
const POLICIES = runs(300, 20_000, 'TOLLGATE_DIFFERENTIAL_CASES') / 20;

const SEED = seed(20_261_121, 'TOLLGATE_DIFFERENTIAL_SEED');

interface Rule {
  readonly sources: readonly string[];
  readonly typed: readonly TypedAst[];
}

function ruleOf(take: Take): Rule {
  const sources = Array.from({ length: take(fc.nat, 2) }, () => expressionOf('bool', take, EVERYTHING));
  return { sources, typed: sources.map(typedOf) };
}

function typedOf(source: string): TypedAst {
  return check(parse(source, ENVIRONMENT).ast, ENVIRONMENT).typed;
}

function dataOf(take: Take): Readonly<Record<string, Datum>> {
  return Object.fromEntries(EVERYTHING.variables.map(({ name, type }) => [name, datumOf(type, take, EVERYTHING)]));
}

/** Returns the rule's outcome on its own: the conjunction of its expressions, errors without location. */
function alone({ sources }: Rule, activation: Activation): string {
  if (sources.length === 0) return 'true';
  const typed = typedOf(sources.map(source => `(${source})`).join(' && '));
  return placeless(showOursExactly(compileToJavaScript(typed, ENVIRONMENT).evaluate(activation)));
}

function placeless(shown: string): string {
  return shown.replace(/ at \d+$/, '');
}

test('rules decided by one function have the same outcomes as on their own', () => {
  fc.assert(
    fc.property(fc.gen(), take => {
      const rules = Array.from({ length: 1 + take(fc.nat, 5) }, () => ruleOf(take));
      const full = activationOf(dataOf(take));
      const partial = Object.fromEntries(
        Object.entries(full).map(([name, value]) => [name, obscure(value, name, take)]),
      );
      const { evaluateAll } = compileConditions(
        rules.map(({ typed }) => typed),
        ENVIRONMENT,
      );
      for (const activation of [full, partial, {}]) {
        const results: (boolean | NonValue)[] = [];
        evaluateAll(activation, results);
        expect(results.map(result => placeless(showOursExactly(result)))).toEqual(
          rules.map(rule => alone(rule, activation)),
        );
      }
    }),
    { numRuns: POLICIES, seed: SEED },
  );
});
