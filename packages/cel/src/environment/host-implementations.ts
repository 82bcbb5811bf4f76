import type { FunctionDecl } from '../ast/declaration.ts';
import type { Implementation } from '../runtime/context/implementation.ts';
import { fenceFunction } from '../runtime/fence-function.ts';
import { DYN } from '../types/type.ts';

/**
 * Returns the user implementations, each fenced. Throws a `TypeError` for an invalid one.
 *
 * @param functions all functions of the environment
 */
export function hostImplementations(
  given: Readonly<Record<string, Implementation>>,
  functions: ReadonlyMap<string, FunctionDecl>,
  libraryImplementations: ReadonlyMap<string, Implementation>,
): readonly (readonly [overloadId: string, implementation: Implementation])[] {
  const entries = Object.entries(given);
  if (entries.length === 0) return [];
  const signatures = new Map(
    [...functions.values()].flatMap(({ name, overloads }) => overloads.map(({ id, result }) => [id, { name, result }])),
  );
  return entries.map(([id, implementation]) => {
    rejectOtherShape(id, implementation);
    if (libraryImplementations.get(id) === implementation) return [id, implementation];
    const { name, result } = signatures.get(id) ?? { name: id, result: DYN };
    const { call, mixed } = implementation;
    return [
      id,
      {
        ...implementation,
        call: fenceFunction(name, result, call),
        ...(mixed !== undefined && { mixed: fenceFunction(name, DYN, mixed) }),
        total: false,
      },
    ];
  });
}

/** JavaScript users have no type checker to tell them. */
function rejectOtherShape(id: string, given: unknown): void {
  const remedy = 'write `{ call: (…) => …, total: false }`';
  if (typeof given === 'function') throw new TypeError(`the implementation of \`${id}\` is a bare function; ${remedy}`);
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(
      `the implementation of \`${id}\` must be an object, found ${given === null ? 'null' : typeof given}; ${remedy}`,
    );
  }
  const { call, mixed } = given as Readonly<Record<string, unknown>>;
  if (typeof call !== 'function') {
    throw new TypeError(`the implementation of \`${id}\` has no function \`call\`, found ${typeof call}; ${remedy}`);
  }
  if (mixed !== undefined && typeof mixed !== 'function') {
    throw new TypeError(
      `\`mixed\` of the implementation of \`${id}\` must be a function, found ${typeof mixed}; leave it out`,
    );
  }
}
