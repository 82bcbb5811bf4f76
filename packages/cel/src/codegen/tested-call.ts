import { branch, type Exits, emit, fresh, type Generation } from './generation.ts';
import { runtimeName } from './module-scope.ts';

/** Emits a decision by a call that gives a truth value or a NonValue; says where an error arose. */
export function testedCall(g: Generation, code: string, exprId: number, exits: Exits): void {
  const name = fresh(g, 'v');
  const located = `${runtimeName(g.scope, 'locate')}(${name},${exprId})`;
  emit(g, `const ${name}=${code};if(typeof ${name}!=="boolean"){${exits.fail(located)}}\n`);
  branch(g, name, exits);
}
