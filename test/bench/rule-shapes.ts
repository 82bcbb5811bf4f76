// Rules of each shape, decided with the index over their tests and without it, in one run; both must find the same rules:
//   npx node --conditions=tollgate-source test/bench/rule-shapes.ts [RULES]

import { isDeepStrictEqual } from 'node:util';
import {
  check,
  compileConditions,
  createEnvironment,
  EXTENSION_LIBRARIES,
  indexConditions,
  type NonValue,
  objectType,
  parse,
  STRING,
  type Type,
  type TypedAst,
} from '@tollgate/cel';
import { nanoseconds, sampleOf } from './measure.ts';

const RULES = Number(process.argv[2] ?? 300);

/** What a rule of each shape tests, by its number. */
const SHAPES: Readonly<Record<string, (n: number) => string>> = {
  equality: n => `req.path == '/p${n}'`,
  prefix: n => `req.path.startsWith('/q${n}/')`,
  'a || b, one field': n => `req.path == '/p${n}' || req.path.startsWith('/q${n}/')`,
  'a || b, two fields': n => `req.path == '/p${n}' || req.host == 'h${n}.example'`,
  'a && b': n => `req.method == 'GET' && req.path.startsWith('/q${n}/')`,
  '(a && b) || c': n => `(req.method == 'POST' && req.path == '/p${n}') || req.path.endsWith('.x${n}')`,
  'list macro': n => `['/q${n}/', '/r${n}/'].exists(p, req.path.startsWith(p))`,
  address: n => `cidr('81.${n % 256}.${n >> 8}.0/24').containsIP(conn.ip)`,
  header: n => `req.headers['User-Agent'][0].contains('scanner-${n}')`,
  'header in half': n => `'X-Key' in req.headers && req.headers['X-Key'][0] == 'k${n}'`,
  negation: n => `req.path != '/p${n}' && req.method == 'TRACE'`,
  'negation alone': n => `!req.path.startsWith('/q${n}/') && size(req.path) < ${n % 3}`,
  'one in four indexed': n => (n % 4 === 0 ? `req.path == '/p${n}'` : `size(req.path) == ${100 + n}`),
};

const HEADERS: Type = { kind: 'map', key: STRING, value: { kind: 'list', element: STRING } };

function fieldsOf(types: Readonly<Record<string, Type>>) {
  return new Map(Object.entries(types).map(([name, type]) => [name, { type }]));
}

const env = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'req', type: objectType('Request') },
    { name: 'conn', type: objectType('Connection') },
  ],
  objects: [
    { name: 'Request', fields: fieldsOf({ path: STRING, host: STRING, method: STRING, headers: HEADERS }) },
    { name: 'Connection', fields: fieldsOf({ ip: STRING }) },
  ],
});

const REQUESTS = Array.from({ length: 1024 }, (_, n) => ({
  req: {
    path: [`/p${n * 7}`, `/q${n}/a`, '/static/app.js', `/r${n % 50}/x`][n % 4]!,
    host: `h${n % 900}.example`,
    method: n % 3 === 0 ? 'POST' : 'GET',
    headers: {
      ...(n % 10 > 0 && { 'User-Agent': [n % 50 === 1 ? `scanner-${n % 300}` : 'Mozilla/5.0 (X11; Linux x86_64)'] }),
      ...(n % 2 > 0 && { 'X-Key': [`k${n}`] }),
    },
  },
  conn: { ip: `81.${n % 256}.${n % 2}.9` },
}));

function rulesOf(textOf: (n: number) => string): readonly (readonly TypedAst[])[] {
  return Array.from({ length: RULES }, (_, n) => {
    const { ast, diagnostics } = parse(textOf(n), env);
    const checked = check(ast, env);
    const [wrong] = [...diagnostics, ...checked.diagnostics];
    if (wrong !== undefined) throw new Error(`${textOf(n)}: ${wrong.message}`);
    return [checked.typed];
  });
}

let slower = 0;
console.log(`${RULES} rules, nanoseconds for a request`);
console.log(`${''.padEnd(22)}${'all'.padStart(9)}${'index'.padStart(9)}  index / all`);
for (const [name, textOf] of Object.entries(SHAPES)) {
  const rules = rulesOf(textOf);
  const { evaluateAll } = compileConditions(rules, env);
  const results: (boolean | NonValue)[] = [];
  const all = (request: (typeof REQUESTS)[number]) => {
    evaluateAll(request, results);
    return results.some(result => result !== false);
  };
  const index = indexConditions(rules, env);
  const found = (request: (typeof REQUESTS)[number]) => {
    let any = false;
    index.evaluate(request, () => {
      any = true;
      return true;
    });
    return any;
  };
  for (const request of REQUESTS) {
    evaluateAll(request, results);
    const matched = results.flatMap((result, at) => (result === false ? [] : [at]));
    const indexed: number[] = [];
    index.evaluate(request, rule => indexed.push(rule) > 0);
    if (!isDeepStrictEqual(matched, indexed)) throw new Error(`${name}: ${matched} and ${indexed}`);
  }
  const [one = 0, other = 0] = nanoseconds([sampleOf(all, REQUESTS), sampleOf(found, REQUESTS)], 3);
  if (other > one * 1.1) slower++;
  const shown = [one, other].map(time => Math.round(time).toString().padStart(9)).join('');
  console.log(`${name.padEnd(22)}${shown}${(other / one).toFixed(2).padStart(13)}`);
}
console.log(slower === 0 ? 'no shape is slower with the index' : `${slower} shapes are slower with the index`);
