import { type ContractCase, errors, REQUEST, values } from './contract-case.ts';

const NONE = 'eval/no-matching-overload';

/** Null where the checker accepts it for a value of another type, and optionals inside optionals. */
export const NULLS: readonly ContractCase[] = [
  ...errors(
    ['(a ? null : maybe).hasValue()', { a: true }, NONE, '(a ? null : maybe).hasValue()'],
    ['(a ? null : maybe).value()', { a: true }, NONE, '(a ? null : maybe).value()'],
    ['(a ? null : maybe).orValue(2)', { a: true }, NONE, '(a ? null : maybe).orValue(2)'],
    ['(a ? null : maybe).or(maybe)', { a: true }, NONE, '(a ? null : maybe).or(maybe)'],
    ['optional.none().or(a ? null : maybe)', { a: true }, NONE, 'optional.none().or(a ? null : maybe)'],
    ['[?(a ? null : maybe)]', { a: true }, NONE, '[?(a ? null : maybe)]'],
    ['(a ? null : req).Method', { a: true }, NONE, '(a ? null : req).Method'],
    ['has((a ? null : req).Method)', { a: true }, NONE, 'has((a ? null : req).Method)'],
    ['(a ? null : req).?Method', { a: true }, NONE, '(a ? null : req).?Method'],
    ['cel.bind(x, a ? null : maybe, x.hasValue())', { a: true }, NONE, 'x.hasValue()'],
    ['cel.bind(x, a ? null : req, x.Peer.Name)', { a: true }, NONE, 'x.Peer'],
    ['[a ? null : req].map(r, r.Method)', { a: true }, NONE, 'r.Method'],
    ['(a ? null : t).getFullYear()', { a: true }, NONE, '(a ? null : t).getFullYear()'],
    ['(a ? null : ip("1.2.3.4")).family()', { a: true }, NONE, '(a ? null : ip("1.2.3.4")).family()'],
  ),
  ...values(
    ['(a ? null : maybe) == null', { a: true }, true],
    ['[null][0] == null', {}, true],
    ['[null][dyn(0)] == null', {}, true],
    ['dyn([null])[0] == null', {}, true],
    ['d[dyn(0)] == null', { d: [null] }, true],
    ['d[dyn("a")] == null', { d: { a: null } }, true],
    ['d.a == null', { d: { a: null } }, true],
    ['dyn([null])[?0].hasValue()', {}, true],
    ['dyn(optional.of([null]))[0].hasValue()', {}, true],
    ['(a ? null : req).Method', { a: false, req: REQUEST }, 'GET'],
    ['{"a": optional.of(1)}.?a.value().value()', {}, 1],
    ['{"a": optional.of(1)}.?a.orValue(optional.of(2)).value()', {}, 1],
    ['{"a": optional.of(1)}.?b.orValue(optional.of(2)).value()', {}, 2],
    ['[optional.of([1])][?0].value().value()[0]', {}, 1],
    ['optional.of({"a": optional.of(1)}).?a.value().value()', {}, 1],
    ['optional.of({"a": optional.of(1)}).a.value().value()', {}, 1],
  ),
];
