import { steppingCall } from './context-code.ts';
import { branch, type Exits, emit, fresh, type Generation } from './generation.ts';
import { runtimeName } from './module-scope.ts';

/** Emits a decision by a call that returns a bool, an error or an unknown, and adds the location to an error. */
export function testedCall(g: Generation, code: string, exprId: number, exits: Exits): void {
  const name = fresh(g, 'v');
  emit(g, `const ${name}=${code};`);
  tested(g, name, exprId, exits);
}

/** Like {@link testedCall}, for a call that spends steps. */
export function testedSteppingCall(g: Generation, code: string, exprId: number, exits: Exits): void {
  tested(g, steppingCall(g, code), exprId, exits);
}

function tested(g: Generation, name: string, exprId: number, exits: Exits): void {
  const located = `${runtimeName(g.scope, 'locate')}(${name},${exprId})`;
  emit(g, `if(typeof ${name}!=="boolean"){${exits.fail(located)}}\n`);
  branch(g, name, exits);
}
