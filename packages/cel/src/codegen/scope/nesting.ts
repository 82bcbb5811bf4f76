import type { Type } from '../../types/type.ts';
import { type Decision, type Exits, emit, type Fail, fresh, type Generation } from './generation.ts';
import { failedTest } from './representation-code.ts';

/**
 * Loops nested more deeply go into a function of their own: V8 needs exponential time to optimize nested loops, seconds at depth 40, and
 * crashes at depth 100.
 */
const LOOPS_PER_FUNCTION = 4;

function isTooDeep(g: Generation): boolean {
  return g.depth > 0 && g.depth % LOOPS_PER_FUNCTION === 0;
}

/** Emits a decision that contains a loop. */
export function loopingDecision(g: Generation, decision: Decision, exits: Exits): void {
  const separate = isTooDeep(g);
  g.depth += 1;
  if (separate) separateDecision(g, decision, exits);
  else decision(exits);
  g.depth -= 1;
}

function separateDecision(g: Generation, decision: Decision, exits: Exits): void {
  const name = fresh(g, 'v');
  emit(g, `const ${name}=(()=>{`);
  decision({ whenTrue: 'return true;', whenFalse: 'return false;', fail: nonValue => `return ${nonValue};` });
  emit(
    g,
    `})();\nif(${name}===true){${exits.whenTrue}}else if(${name}===false){${exits.whenFalse}}else{${exits.fail(name)}}\n`,
  );
}

/** Emits a value whose computation contains a loop. */
export function loopingValue(g: Generation, type: Type, emitValue: (fail: Fail) => string, fail: Fail): string {
  const separate = isTooDeep(g);
  g.depth += 1;
  const value = separate ? separateValue(g, type, emitValue, fail) : emitValue(fail);
  g.depth -= 1;
  return value;
}

function separateValue(g: Generation, type: Type, emitValue: (fail: Fail) => string, fail: Fail): string {
  const name = fresh(g, 'v');
  emit(g, `const ${name}=(()=>{`);
  const value = emitValue(nonValue => `return ${nonValue};`);
  emit(g, `return ${value};})();if(${failedTest(g, type, name)}){${fail(name)}}\n`);
  return name;
}
