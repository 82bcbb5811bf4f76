import { Timestamp } from '@tollgate/cel';
import { type ContractCase, errors, PARTIAL, REQUEST, values, X } from './contract-case.ts';

const OWN = Object.fromEntries([
  ['__proto__', 1],
  ['constructor', 2],
]);

class Inherits {
  get Method(): string {
    return 'inherited';
  }
}

export const PROTOTYPES: readonly ContractCase[] = [
  ...values(
    ['m["constructor"]', { m: OWN }, 2],
    ['m["__proto__"]', { m: OWN }, 1],
    ['has(m.constructor)', { m: {} }, false],
    ['"toString" in m', { m: {} }, false],
    ['"__proto__" in m', { m: OWN }, true],
    ['constructor', { constructor: 'own' }, 'own'],
    ['has(d.constructor)', { d: {} }, false],
    ['d == {"a": 1}', { d: { a: 1 } }, true],
    ['{"__proto__": 1}["__proto__"]', {}, 1],
    ['{"constructor": 1}.constructor', {}, 1],
    ['req.constructor', { req: { constructor: 'own' } }, 'own'],
    ['req.value', { req: { value: 'own' } }, 'own'],
    ['has(req.Method)', { req: new Inherits() }, false, 'an inherited getter of an object'],
    ['has(req.Method)', { req: Object.create({ Method: 'GET' }) }, false, 'an inherited field of an object'],
    ['has(m.inherited)', { m: Object.create({ inherited: 1 }) }, false, 'an inherited entry of a map'],
    ['"inherited" in m', { m: Object.create({ inherited: 1 }) }, false, 'an inherited key of a map'],
  ),
  ...errors(
    ['m["constructor"]', { m: {} }, 'eval/no-such-key', 'm["constructor"]'],
    ['m.__proto__', { m: {} }, 'eval/no-such-key', 'm.__proto__'],
    ['m["hasOwnProperty"]', { m: new Map() }, 'eval/no-such-key', 'm["hasOwnProperty"]'],
    ['m["size"]', { m: new Map() }, 'eval/no-such-key', 'm["size"]'],
    ['constructor', {}, 'eval/no-such-variable', 'constructor'],
    ['toString', {}, 'eval/no-such-variable', 'toString'],
    ['d.constructor', { d: {} }, 'eval/no-such-key', 'd.constructor'],
    ['req.constructor', { req: {} }, 'eval/no-such-field', 'req.constructor'],
    ['req.value', { req: new Timestamp(0, 0) }, 'eval/host-type', 'req'],
  ),
  ...errors(
    ['req.Method', { req: new Inherits() }, 'eval/no-such-field', 'req.Method', 'an inherited getter of an object'],
    [
      'req.Headers["Host"][0]',
      { req: { Headers: Object.create({ Host: ['x'] }) } },
      'eval/no-such-key',
      'req.Headers["Host"]',
    ],
    ['m.inherited + 1', { m: Object.create({ inherited: 1 }) }, 'eval/no-such-key', 'm.inherited'],
    ['s == "x"', Object.create({ s: 'x' }), 'eval/no-such-variable', 's', 'an inherited variable'],
    ['users.all(u, u.x.y == 1)', { users: [{ x: Object.create({ y: 1 }) }] }, 'eval/no-such-key', 'u.x.y'],
    ['peers.all(p, p.Name == "x")', { peers: [Object.create({ Name: 'x' })] }, 'eval/no-such-field', 'p.Name'],
  ),
  ...errors(['d.Method', { d: new Inherits() }, 'eval/no-such-key', 'd.Method', 'an inherited getter']),
];

export const PRESENCE: readonly ContractCase[] = [
  ...values(
    ['has(req.Method)', { req: REQUEST }, true],
    ['has(req.Method)', { req: {} }, false],
    ['has(req.Method)', { req: { Method: undefined } }, false],
    ['has(req.Headers.Host)', { req: REQUEST }, true],
    ['has(req.Headers.X)', { req: REQUEST }, false],
    ['has(d.a)', { d: { a: null } }, true],
    ['has(d.a)', { d: new Map() }, false],
    ['"X" in req.Headers', { req: REQUEST }, false],
    ['"Host" in req.Headers', { req: REQUEST }, true],
    ['"Host" in req.Headers', { req: { Headers: PARTIAL } }, true],
    ['"Via" in req.Headers', { req: { Headers: { Via: X } } }, true],
    ['has(req.Headers.Host)', { req: { Headers: PARTIAL } }, true],
    ['req.Headers["Host"][0]', { req: { Headers: PARTIAL } }, 'example.org'],
    ['req.Headers.?X.orValue(["none"])[0]', { req: REQUEST }, 'none'],
    ['req.Headers[?"Host"].hasValue()', { req: REQUEST }, true],
    ['names[?1].hasValue()', { names: ['x'] }, false],
  ),
  ...errors(
    ['has(req.Peer.Name)', { req: {} }, 'eval/no-such-field', 'req.Peer'],
    ['has(req.Status)', { req: { Status: 'x' } }, 'eval/host-type', 'has(req.Status)'],
    ['has(d.a)', { d: 5 }, 'eval/no-matching-overload', 'has(d.a)'],
  ),
];
