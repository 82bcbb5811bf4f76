// Which of thousands of rules is the first to match a request: looked up in an index, beside a linear pass written by hand:
//   npx node --conditions=tollgate-source test/bench/rules5000.ts

import {
  type Activation,
  check,
  createEnvironment,
  EXTENSION_LIBRARIES,
  INT,
  indexConditions,
  objectType,
  parse,
  STRING,
  type TypedAst,
} from '@tollgate/cel';
import { nanoseconds, sampleOf, shownTime } from './measure.ts';

const RULES = 5000;
const FEW_RULES = 100;
const REQUESTS = 4096;

interface Request extends Activation {
  readonly req: { readonly Host: string; readonly Path: string; readonly Agent: string; readonly Length: number };
  readonly conn: { readonly IP: string; readonly Country: string };
}

interface Rule {
  readonly expressions: readonly string[];
  /** What a person would write for it. */
  readonly hand: (request: Request) => boolean;
}

/** Numbers below `limit`, the same in each run. */
type Random = (limit: number) => number;

function randomFrom(seed: number): Random {
  let state = seed;
  return limit => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Half of all requests go to a few hot hosts. */
const host = (random: Random) => `shop-${random(2) === 0 ? random(10) : random(2000)}.example.com`;
const path = (random: Random) => `/api/v${random(5)}/${['users', 'orders', 'items'][random(3)]}/${random(400)}`;
const country = (random: Random) => String.fromCharCode(65 + random(26), 65 + random(26));
const network = (random: Random) => `${1 + random(220)}.${random(256)}`;

const KINDS: readonly ((random: Random) => Rule)[] = [
  random => {
    const [name, exact] = [host(random), path(random)];
    return {
      expressions: [`req.Host == "${name}"`, `req.Path == "${exact}"`],
      hand: ({ req }) => req.Host === name && req.Path === exact,
    };
  },
  random => {
    const [name, prefix] = [host(random), `/api/v${random(9)}/${['users', 'orders'][random(2)]}/${random(90)}`];
    return {
      expressions: [`req.Host == "${name}" && req.Path.startsWith("${prefix}")`],
      hand: ({ req }) => req.Host === name && req.Path.startsWith(prefix),
    };
  },
  random => {
    const prefix = `/old-${random(500)}/`;
    return { expressions: [`req.Path.startsWith("${prefix}")`], hand: ({ req }) => req.Path.startsWith(prefix) };
  },
  random => {
    const part = `bot-${random(5000)}/`;
    return { expressions: [`req.Agent.contains("${part}")`], hand: ({ req }) => req.Agent.includes(part) };
  },
  random => {
    const [one, other, exact] = [country(random), country(random), path(random)];
    return {
      expressions: [`conn.Country in ["${one}", "${other}"]`, `req.Path == "${exact}"`],
      hand: ({ req, conn }) => (conn.Country === one || conn.Country === other) && req.Path === exact,
    };
  },
  random => {
    const [name, start] = [host(random), network(random)];
    const prefix = `${start}.`;
    return {
      expressions: [`inRange(conn.IP, "${start}.0.0/16")`, `req.Host != "${name}"`],
      hand: ({ req, conn }) => conn.IP.startsWith(prefix) && req.Host !== name,
    };
  },
  random => {
    const [name, bound] = [host(random), 1000 * random(1000)];
    return {
      expressions: [`req.Length > ${bound}`, `req.Host == "${name}"`],
      hand: ({ req }) => req.Length > bound && req.Host === name,
    };
  },
  random => {
    const bound = 999_000 + random(1000);
    return { expressions: [`req.Length >= ${bound}`], hand: ({ req }) => req.Length >= bound };
  },
];

function rulesOf(count: number): readonly Rule[] {
  const random = randomFrom(7);
  return Array.from({ length: count }, () => KINDS[random(KINDS.length)]!(random));
}

function requestOf(random: Random): Request {
  return {
    req: {
      Host: random(4) === 0 ? `cold-${random(1e6)}.example.net` : host(random),
      Path: random(50) === 0 ? `/old-${random(500)}/${random(99)}` : path(random),
      Agent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/1${random(40)}.0 ${random(99) === 0 ? `bot-${random(9999)}/` : ''}`,
      Length: random(1_000_000),
    },
    conn: { IP: `${network(random)}.${random(256)}.${random(256)}`, Country: country(random) },
  };
}

const fields = (all: Readonly<Record<string, typeof STRING>>) =>
  new Map(Object.entries(all).map(([name, type]) => [name, { type }]));
const BODY = 'isIP(address) && isCIDR(range) && cidr(range).containsIP(address)';
const ENVIRONMENT = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'req', type: objectType('Request') },
    { name: 'conn', type: objectType('Connection') },
  ],
  objects: [
    { name: 'Request', fields: fields({ Host: STRING, Path: STRING, Agent: STRING, Length: INT }) },
    { name: 'Connection', fields: fields({ IP: STRING, Country: STRING }) },
  ],
  functions: [
    {
      name: 'inRange',
      doc: 'Whether an address is in a range.',
      overloads: [
        {
          id: 'in_range',
          member: false,
          params: [STRING, STRING],
          result: { kind: 'bool' },
          body: { paramNames: ['address', 'range'], source: BODY },
        },
      ],
    },
  ],
});

function typedOf(source: string): TypedAst {
  const { ast, diagnostics } = parse(source, ENVIRONMENT);
  const checked = check(ast, ENVIRONMENT);
  const [wrong] = [...diagnostics, ...checked.diagnostics];
  if (wrong !== undefined) throw new Error(`${source}: ${wrong.message}`);
  return checked.typed;
}

/** Gives the first rule that matches; -1 for none. */
type FirstMatch = (request: Request) => number;

function indexedPass(rules: readonly Rule[]): FirstMatch {
  const conditions = indexConditions(
    rules.map(({ expressions }) => expressions.map(typedOf)),
    ENVIRONMENT,
  );
  return request => {
    let first = -1;
    conditions.evaluate(request, (rule, result) => {
      if (result !== true) return true;
      first = rule;
      return false;
    });
    return first;
  };
}

function linearPass(rules: readonly Rule[]): FirstMatch {
  const tests = rules.map(({ hand }) => hand);
  return request => {
    for (let rule = 0; rule < tests.length; rule++) if (tests[rule]!(request)) return rule;
    return -1;
  };
}

const random = randomFrom(11);
const requests = Array.from({ length: REQUESTS }, () => requestOf(random));
const many = rulesOf(RULES);
const few = rulesOf(FEW_RULES);

const started = performance.now();
const indexed = indexedPass(many);
const built = performance.now() - started;
const linear = linearPass(many);
const indexedFew = indexedPass(few);
let matches = 0;
for (const [number, request] of requests.entries()) {
  const expected = linear(request);
  if (expected >= 0) matches += 1;
  const found = indexed(request);
  if (found !== expected) throw new Error(`request ${number}: rule ${found} by the index, ${expected} by hand`);
}

const [byHand = 0, byIndex = 0, byIndexFew = 0] = nanoseconds(
  [linear, indexed, indexedFew].map(pass => sampleOf((request: Request) => pass(request) >= 0, requests)),
);
const rows = [
  ['linear pass by hand', byHand],
  ['index', byIndex],
  [`index of ${FEW_RULES} rules`, byIndexFew],
] as const;
for (const [name, time] of rows) console.log(`${name.padEnd(24)}${shownTime(time).padStart(10)} a request`);
console.log(
  `${RULES} rules, of which one matches ${matches} of ${REQUESTS} requests; checked and indexed in ${built.toFixed(0)} ms`,
);
console.log(`${((100 * byIndex) / byHand).toFixed(1)} % of the linear pass (at most 5)`);
console.log(`${(byIndex / byIndexFew).toFixed(1)} × the cost of ${FEW_RULES} rules (at most 10)`);
