import { partialMap } from '@tollgate/cel';
import { UnknownPresence } from '@tollgate/cel/tooling';
import { type ContractCase, errors, unknowns, values, X } from './contract-case.ts';

const CYCLIC: { self?: unknown; k: number } = { k: 1 };
CYCLIC.self = CYCLIC;

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

const MAYBE = new UnknownPresence(['m["b"]']);
const DEEP = nested(100_000);
/** Like the result of a pattern match. */
const ARRAY_WITH_PROPERTIES = Object.assign(['x'], { index: 3 });

/** Data that is cyclic, nested too deeply, or not of its declared shape. */
export const HOSTILE: readonly ContractCase[] = [
  ...errors(
    ['d in [e]', { d: CYCLIC, e: CYCLIC }, 'limit/value-depth', 'd', 'without end'],
    ['d in e', { d: DEEP, e: [DEEP] }, 'limit/value-depth', 'd', 'too deep'],
    ['d == e', { d: DEEP, e: DEEP }, 'limit/value-depth', 'd', 'too deep'],
    ['[1, d]', { d: DEEP }, 'limit/value-depth', '[1, d]', 'too deep'],
    ['d.startsWith("a")', { d: DEEP }, 'eval/no-matching-overload', 'd.startsWith("a")', 'not a string'],
    ['names[?0]', { names: [1] }, 'eval/host-type', 'names[?0]'],
    ['m.?a', { m: { a: 'text' } }, 'eval/host-type', 'm.?a'],
    ['has(d.index)', { d: ARRAY_WITH_PROPERTIES }, 'eval/no-matching-overload', 'has(d.index)'],
    ['d.join()', { d: [1, 2] }, 'eval/no-matching-overload', 'd.join()'],
    ['[d].join()', { d: 1 }, 'eval/no-matching-overload', '[d].join()'],
    ['d.flatten()', { d: 1 }, 'eval/no-matching-overload', 'd.flatten()'],
  ),
  ...values(
    ['d.flatten()', { d: [1, [2], [[3]]] }, [1, 2, [3]]],
    ['"k" in d', { d: CYCLIC }, true, 'a map without end'],
    ['1 in d', { d: [1, DEEP] }, true, 'too deep behind it'],
    ['d.all(k, k != "")', { d: CYCLIC }, true, 'keys of a map without end'],
    ['d.exists(x, x == 1)', { d: [1, DEEP] }, true, 'too deep behind it'],
    ['headers.exists(k, k == "b")', { headers: { a: DEEP, b: [] } }, true, 'keys alone'],
  ),
  ...unknowns(
    ['d in [1, "a"]', { d: partialMap({}, 'd') }, ['d'], 'a map known in part'],
    ['d.all(k, k != "")', { d: partialMap({ k: 1 }, 'd') }, ['d'], 'keys of a map known in part'],
    ['d in [[1]]', { d: [X] }, ['x'], 'a list known in part'],
    ['m.exists(k, k == "b")', { m: { a: 1, b: MAYBE } }, ['m["b"]'], 'a key that may be there'],
    ['d.map(k, k)', { d: new Map([['b', MAYBE]]) }, ['m["b"]'], 'a key that may be there'],
  ),
];
