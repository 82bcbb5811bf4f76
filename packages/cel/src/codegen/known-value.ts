import type { Constant } from '../lowering/fold-constants.ts';
import { CidrRange, IpAddress, Timestamp } from '../values/value.ts';
import type { Generation } from './scope/generation.ts';
import { constant, type ModuleScope, runtimeName } from './scope/module-scope.ts';

/** Returns the name of a module constant that holds a value computed before code generation. */
export function knownValue({ scope }: Generation, value: Constant): string {
  return constant(scope, making(scope, value));
}

function making(scope: ModuleScope, value: Constant): string {
  if (value instanceof IpAddress) return made(scope, 'IpAddress', `new Uint8Array([${value.bytes.join(',')}])`);
  if (value instanceof CidrRange) return made(scope, 'CidrRange', `${making(scope, value.ip)},${value.prefixLength}`);
  const name = value instanceof Timestamp ? 'Timestamp' : 'Duration';
  return made(scope, name, `${value.seconds},${value.nanos}`);
}

function made(scope: ModuleScope, name: string, args: string): string {
  return `new ${runtimeName(scope, name)}(${args})`;
}
