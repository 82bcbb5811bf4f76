import type { Expr } from '../../ast/ast.ts';
import { branch, type Exits, emit, fresh, type Generation } from '../scope/generation.ts';
import { failedTest, fitsTest } from '../scope/representation-code.ts';
import { hoistedFailure, loadPlainly, type PlainLoad } from './path-code.ts';
import { pathOf } from './paths.ts';

/** A test that only values of the node's static type can pass, such as `=== "POST"`. */
type IdentityTest = (js: string) => string;

/**
 * Emits a decision by such a test. A value that passes needs no type test; only one that fails is checked for its type and for errors in
 * the host data.
 */
export function identityCondition(g: Generation, node: Expr, test: IdentityTest, exits: Exits): void {
  const path = pathOf(g, node);
  const hoisted = path?.trieNodes.at(-1)?.local;
  const loaded = path && loadPlainly(g, path);
  if (path !== undefined && hoisted !== undefined) {
    hoistedCondition(g, { test: test(hoisted.js), failure: hoistedFailure(g, path, hoisted, exits.fail) }, exits);
  } else if (loaded === undefined) branch(g, test(g.value(g, node, exits.fail)), exits);
  else loadedCondition(g, loaded, test, exits);
}

function hoistedCondition(g: Generation, { test, failure }: { test: string; failure: string }, exits: Exits): void {
  const done = fresh(g, 'L');
  const whenTrue = exits.whenTrue || `break ${done};`;
  emit(g, `${done}:{if(${test}){${whenTrue}}${failure}${exits.whenFalse}}\n`);
}

function loadedCondition(g: Generation, { js, type, exact }: PlainLoad, test: IdentityTest, exits: Exits): void {
  const done = fresh(g, 'L');
  const whenTrue = exits.whenTrue || `break ${done};`;
  const whenFalse = exits.whenFalse || `break ${done};`;
  const failed = `if(${failedTest(g, type, js)}){${exits.fail(js)}}`;
  const second = `${js}=${exact};${failed}if(${test(js)}){${whenTrue}}`;
  emit(g, `${done}:{if(${test(js)}){${whenTrue}}if(!(${fitsTest(g, type, js)})){${second}}${whenFalse}}\n`);
}
