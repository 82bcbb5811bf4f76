// What it takes to judge the mutants of a policy of 30 rules by its tests, over what one lint of the policy takes (CPU time):
//   npx node --conditions=tollgate-source test/bench/mutants.ts
// The tests are those that are written for its coverage, and those that its survivors call for.

import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText } from '@tollgate/lint';
import { analyzePolicy, createPhaseEnvironments, type PolicyTests } from '@tollgate/policy';
import { prepareCoverage } from '@tollgate/simulator';
import { goalContext, judgeMutants, missingTests } from '@tollgate/solver';

const RULES = 30;
const ENVIRONMENTS = createPhaseEnvironments(MODERN, 'http-endpoint');
const CONTEXT = { profile: MODERN, endpoint: 'http-endpoint', environments: ENVIRONMENTS } as const;

/** Rules in six styles by turns. */
function ruleAt(at: number): object {
  const styles: readonly (readonly [conditions: readonly string[], type: string, config: object])[] = [
    [[`req.url.path.startsWith('/api/v${at}/')`, "req.method in ['POST', 'PUT']"], 'deny', { status_code: 403 }],
    [[`req.host == 'h${at}.example.com' || req.url.path == '/old/${at}'`], 'custom-response', { status_code: 410 }],
    [
      [`'x-key-${at}' in req.headers && req.headers['x-key-${at}'][0] == 'a${at}'`],
      'log',
      { metadata: { at: `${at}` } },
    ],
    [[`req.url.path.matches('^/files/${at}/[a-z]+[.]php$')`], 'deny', { status_code: 404 }],
    [
      [`inCidrRange(conn.client_ip, '10.${at}.0.0/16')`, `req.url.path.startsWith('/admin${at}/')`],
      'add-headers',
      { headers: { 'x-seen': `${at}` } },
    ],
    [
      [
        `conn.geo.country_code == 'D${String.fromCharCode(65 + (at % 26))}'`,
        "req.method == 'GET'",
        "!('cookie' in req.headers)",
      ],
      'redirect',
      { from: '^(.*)$', to: `https://other.example.com/${at}`, status_code: 302 },
    ],
  ];
  const [expressions, type, config] = styles[at % styles.length]!;
  return { name: `rule ${at}`, expressions, actions: [{ type, config }] };
}

function seconds<T>(run: () => T): readonly [found: T, seconds: number] {
  const start = process.cpuUsage();
  const found = run();
  const { user, system } = process.cpuUsage(start);
  return [found, (user + system) / 1e6];
}

const text = JSON.stringify({ on_http_request: Array.from({ length: RULES }, (_, at) => ruleAt(at)) });
const linter = createLinter(LINT_RULES.map(rule => activate(rule)));
const [, lint] = seconds(() => lintText(new SourceText('policy.json', text), CONTEXT, linter));
const policy = analyzePolicy(new SourceText('policy.json', text), CONTEXT).policy!;
const mutated = { policy, context: CONTEXT, coverage: prepareCoverage(policy, CONTEXT) };
const { tests } = missingTests(goalContext(policy, CONTEXT, mutated.coverage), {
  reached: new Set(),
  names: new Set(),
});
const covering: PolicyTests = { policy: 'policy.json', tests: tests.map(one => one.test) };
const told = judgeMutants(mutated, [covering]).mutants.flatMap(({ verdict }) =>
  verdict.kind === 'survived' && verdict.test ? [verdict.test] : [],
);
const file = { ...covering, tests: [...covering.tests, ...new Set(told)] };
const [{ mutants }, mutate] = seconds(() => judgeMutants(mutated, [file]));
const counts = Map.groupBy(mutants, ({ verdict }) => verdict.kind);
console.log(
  `${RULES} rules, ${file.tests.length} tests, ${mutants.length} mutants: ${[...counts].map(([kind, all]) => `${all.length} ${kind}`).join(', ')}`,
);
console.log(`lint ${lint.toFixed(2)} s, mutants ${mutate.toFixed(2)} s: ${(mutate / lint).toFixed(1)} times`);
