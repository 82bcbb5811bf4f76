/**
 * Every example of `--help`, as printed, in a real shell with the packed command: in a fresh repository with a fresh home that has the files which
 * the examples name, and a server that is published to.
 */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../architecture/source-file.ts';
import { createWorkplace, type Workplace } from '../../support/workplace.ts';
import { freePort } from './follow-page.ts';

let work: Workplace;

const POLICY = `on_http_request:
  - name: back office
    expressions:
      - req.url.path.startsWith('/admin/')
    actions:
      - type: deny
`;
const TESTS = `policy: policy.yaml
tests:
  - name: bots are refused
    tags: [smoke]
    request: { url: https://shop.example/admin/ }
    expect: { outcome: denied }
`;
const INVARIANTS = `policy: policy.yaml
invariants:
  - name: the back office is closed
    never: req.url.path.startsWith('/admin/') && decision.reachesUpstream
`;
const PROJECT = `environments:
  production: { url: "http://127.0.0.1:PORT", apiKey: { file: key } }
targets:
  shop: { policy: policies/shop.yaml, route: { edge: "shop.example:443", match: / } }
`;

/** What examples need that is not here, and the suite that has it. */
const ELSEWHERE: readonly (readonly [example: RegExp, where: string])[] = [
  [
    /--engine postgres|postgres:\/\//,
    'a database: test/e2e/replay-tables.test.ts, test/e2e/written-tables.deep.test.ts, npm run test:deep -- --project postgres',
  ],
  [/^tollgate test --watch$/, 'runs until it is interrupted: test/e2e/test-watch.test.ts'],
  [
    /^tollgate init$|^tollgate (?:apply|rollback)(?: production)?$/,
    'asks in a terminal: test/e2e/init.test.ts, test/e2e/publish/confirmation.test.ts',
  ],
  [/^tollgate (?:replay|impact) --follow/, 'runs until it is interrupted: test/e2e/follow.test.ts'],
  [/^tollgate simulate/, 'runs until it is interrupted: test/e2e/simulate.test.ts'],
  [/^tollgate enforce (?!--envoy-config)/, 'runs until it is interrupted: test/e2e/enforce.test.ts'],
  [/^tollgate serve/, 'runs until it is interrupted: docs/guide/operating.md as a journey'],
];

beforeAll(async () => {
  work = await createWorkplace();
});

afterAll(() => work?.remove());

function prepared(port: string): Workplace {
  const place = work.fresh();
  cpSync(join(ROOT, 'examples'), join(place.directory, 'examples'), { recursive: true });
  const example = (name: string) => readFileSync(join(ROOT, 'examples', name), 'utf8');
  for (const name of ['policy.yaml', 'policies/shop.yaml', 'old.yaml', 'new.yaml']) place.write(name, POLICY);
  place.write('main.yaml', example('policies/bookshop.yaml'));
  place.write('deploy.yaml', `kind: NgrokTrafficPolicy\nspec:\n  policy:\n${POLICY.replaceAll(/^(?=.)/gm, '    ')}`);
  place.write('policies/policy.test.yaml', TESTS.replace('policy.yaml', 'shop.yaml'));
  place.write('policy.test.yaml', TESTS);
  place.write('policy.invariants.yaml', INVARIANTS);
  place.write('policies/shop.invariants.yaml', INVARIANTS.replace('policy.yaml', 'shop.yaml'));
  place.write('edge.json', example('edges/bookshop.json'));
  place.write('access.log', example('traffic/access.log'));
  place.write('traffic/access.log', example('traffic/access.log'));
  place.write('browse.har', example('traffic/browse.har'));
  place.write('tollgate.yaml', PROJECT.replace('PORT', port));
  return place;
}

/** What must have happened before: a commit, a compressed log, a server with an edge, and two runs. */
const SETUP = `exec 3>&1 > setup.log
gzip -k traffic/access.log
git add -A && git commit -qm all && git branch -f main
npx tollgate serve --development --database tollgate.db > server.log 2>&1 &
curl -s --fail -o /dev/null --retry 60 --retry-all-errors --retry-delay 1 http://127.0.0.1:$TOLLGATE_PORT/readyz
npx tollgate keys create > key
cp tollgate.db.key secrets.key
post() { curl -s --fail -H "Authorization: Bearer $(cat key)" -H 'Service-Version: 2' -H 'Content-Type: application/json' -d "$2" "http://127.0.0.1:$TOLLGATE_PORT$1"; }
post /edges/https '{"hostports":["shop.example:443"]}' > https.json
post "/edges/https/$(node -p 'JSON.parse(fs.readFileSync("https.json")).id')/routes" '{"match_type":"path_prefix","match":"/"}' > route.json
npx tollgate trust environment production
npx tollgate apply --yes
sed -i 's|/admin/|/office/|' policies/shop.yaml policies/*.test.yaml && npx tollgate apply --yes
sed -i 's|/office/|/staff/|' policies/shop.yaml policies/*.test.yaml && npx tollgate apply --yes
npx tollgate trust
exec >&3
`;

/** What commands say that is no complaint, or right here: the target exists, and nothing waits to be delivered. */
const EXPECTED =
  /^tollgate: (?:added|skipped|no test for|trusted|`\S+` has been adopted already|no undelivered event with the number 17)/;

const COMMANDS = [
  ...['new', 'check', 'lint', 'fmt', 'migrate', 'explain', 'lsp', 'mcp', 'test-rules', 'test', 'replay', 'trace'],
  ...['record', 'snapshot', 'impact', 'describe', 'diff', 'prove', 'bypass', 'plan', 'apply', 'history', 'rollback'],
  ...[
    'drift',
    'pull',
    'adopt',
    'compile',
    'serve',
    'simulate',
    'enforce',
    'keys',
    'events',
    'store',
    'trust',
    'doctor',
    'completion',
  ],
  // Last, because it writes what `new` would.
  'init',
];

it('knows every command', async () => {
  const { text } = await work.fresh().shell('npx tollgate --help');
  const commands = [...text.matchAll(/^ {2}([a-z][a-z-]+) /gm)].map(([, name]) => name);
  expect(commands.filter(name => name !== 'help').toSorted()).toEqual(COMMANDS.toSorted());
});

it('runs every example of `--help`', async () => {
  const port = String(await freePort());
  const place = prepared(port);
  const helps = await place.shell(COMMANDS.map(name => `npx tollgate ${name} --help`).join('\n'));
  const all = [...helps.text.matchAll(/^ {2}(tollgate .*)$/gm)].map(([, line = '']) => line);
  const examples = all.filter(line => !ELSEWHERE.some(([example]) => example.test(line)));
  expect(all.length).toBeGreaterThan(90);
  expect(all.length - examples.length).toBeLessThan(25);
  // A key of its own for the example that revokes one, and the id of the edge.
  const filled = (line: string) =>
    line
      .replace(/\bak_\w+/, '"ak_$(npx tollgate keys create --description old 2> /dev/null | cut -d _ -f 1)"')
      // Two examples of a database that is new.
      .replace(/--database new[.]db/, line.includes('import') ? '--database newer.db' : '$&')
      .replace(/\bedghts_\w+/, `"$(node -p 'JSON.parse(fs.readFileSync("https.json")).id')"`);
  const marked = examples.map((line, at) => `echo "@@${at}"; npx ${filled(line)} < /dev/null; echo "@@code $?"`);
  const stdin = (line: string) => line.replace(/(< [\w.]+) < \/dev\/null/, '$1');
  const { text } = await place.shell(`export TOLLGATE_PORT=${port}\n${SETUP}${marked.map(stdin).join('\n')}`);
  const runs = text.split(/^@@(?=\d)/m).slice(1);
  const failed = runs.flatMap((run, at) => {
    const code = Number(/@@code (\d+)/.exec(run)?.[1]);
    const said = [...run.matchAll(/^tollgate: .*/gm)].map(([line]) => line).filter(line => !EXPECTED.test(line));
    return code <= 1 && said.length === 0 ? [] : [{ example: examples[at], code, run }];
  });
  expect(failed).toEqual([]);
  expect(runs.length).toBe(examples.length);
});
