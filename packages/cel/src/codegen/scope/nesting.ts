import type { Type } from '../../types/type.ts';
import { type Decision, type Exits, emit, type Fail, fresh, type Generation } from './generation.ts';
import { failedTest } from './representation-code.ts';

/**
 * Loops nested deeper than this go into a function of their own. The time in which V8 optimises nested loops is exponential in their depth:
 * seconds at 40, and at 100 it ends the process.
 */
const LOOPS_PER_FUNCTION = 4;

function isTooDeep(g: Generation): boolean {
  return g.depth > 0 && g.depth % LOOPS_PER_FUNCTION === 0;
}

/** Emits a decision that loops. */
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

/** Emits a value of a type that is made by looping. */
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
