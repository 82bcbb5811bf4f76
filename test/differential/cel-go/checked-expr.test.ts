import { CheckedExprSchema } from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import { fromJson, type JsonValue, toJson } from '@bufbuild/protobuf';
import { check, parse } from '@tollgate/cel';
import { checkedExpr } from '@tollgate/compile';
import { expect, it, test } from 'vitest';
import { runs, seed } from '../../support/runs.ts';
import { caseOf, EVERYTHING } from '../case.ts';
import { callCase, casesOf, ENVIRONMENT, VARIABLES } from './cases.ts';
import { openReference, type Question } from './driver.ts';

const CASES = runs(150, 4000, 'TOLLGATE_CEL_GO_CASES');
const SEED = seed(20_261_123, 'TOLLGATE_DIFFERENTIAL_SEED');
const PROFILE = { ...EVERYTHING, without: new Set(['computedRange']) };

/** Expressions that our checker accepts, with their checked form. */
const questions = [
  ...casesOf<Question>(CASES, SEED, callCase),
  ...casesOf<Question>(CASES, SEED, take => caseOf(take, PROFILE)),
].flatMap(({ source, data }) => {
  const { ast, diagnostics } = parse(source, ENVIRONMENT);
  const checked = check(ast, ENVIRONMENT);
  const isFine = [...diagnostics, ...checked.diagnostics].length === 0 && source.isWellFormed();
  return isFine ? [{ source, data, checked: checkedExpr(checked.typed) }] : [];
});

it('is valid in the JSON form of protocol buffers', () => {
  expect(questions.length).toBeGreaterThan(CASES / 2);
  for (const { source, checked } of questions) {
    const message = fromJson(CheckedExprSchema, checked as JsonValue);
    expect([source, fromJson(CheckedExprSchema, toJson(CheckedExprSchema, message))]).toEqual([source, message]);
  }
});

const reference = openReference(VARIABLES);
const title = reference.isAvailable ? 'cel-go' : `cel-go, left out because ${reference.reason}`;

test.skipIf(!reference.isAvailable)(`evaluates to the same in ${title}, checked here or there, seed ${SEED}`, () => {
  if (!reference.isAvailable) return;
  const there = reference.ask(questions.map(({ source, data }) => ({ source, data })));
  const here = reference.ask(questions);
  const different = questions.flatMap(({ source }, at) =>
    there[at]!.type !== undefined && (here[at]!.shown !== there[at]!.shown || here[at]!.type !== there[at]!.type)
      ? [[source, here[at], there[at]]]
      : [],
  );
  expect(different).toEqual([]);
});
