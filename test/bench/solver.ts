// Whether each rule of long policies can run, adversarial lists, and the difference of two policies, in CPU seconds:
//   node --conditions=tollgate-source test/bench/solver.ts

import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments, type Policy } from '@tollgate/policy';
import { comparePolicies, PolicyQuestions, SolverSession } from '@tollgate/solver';

const TARGET = { profile: EDGE_V2, endpoint: 'https-route' } as const;
const CONTEXT = { ...TARGET, environments: createPhaseEnvironments(EDGE_V2, TARGET.endpoint) };

function policyOf(rules: readonly (readonly string[])[]): Policy {
  const inbound = rules.map(expressions => ({ expressions, actions: [{ type: 'deny' }] }));
  const { policy, diagnostics } = analyzePolicy(new SourceText('policy.json', JSON.stringify({ inbound })), CONTEXT);
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (policy === undefined || error !== undefined) throw new Error(error?.message ?? 'no policy');
  return policy;
}

function cpuSeconds<T>(work: () => T): readonly [seconds: number, result: T] {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  return [(user + system) / 1e6, result];
}

/** Rules of seven shapes, of which one in five is covered by earlier ones. */
function mixedRules(count: number): readonly (readonly string[])[] {
  return Array.from({ length: count }, (_, at) => {
    const area = `area${Math.floor(at / 5)}`;
    switch (at % 5) {
      case 0:
        return [`req.Path.matches('^/${area}(/|$)')`, "req.Method == 'POST'"];
      case 1:
        return [`req.Path.matches('^/${area}/(a|b)[0-9]+$')`];
      case 2:
        return [`req.Host == '${area}.example.com'`, `req.Path.startsWith('/${area}/')`];
      case 3:
        return [`req.Headers['User-Agent'].exists(one, one.matches('(?i)bot${at}\\\\b'))`];
      default:
        return [`req.Path.matches('^/${area}/a[1-5]$')`, "inCidrRange(conn.ClientIP, '10.0.0.0/8')"];
    }
  });
}

/** Asks of each rule, or only of the last one, whether it can run. */
function ask(policy: Policy, isLastOnly = false): Readonly<Record<string, number>> {
  const questions = new PolicyQuestions(new SolverSession(CONTEXT), policy);
  const rules = isLastOnly ? policy.rules.inbound.slice(-1) : policy.rules.inbound;
  const counts: Record<string, number> = {};
  for (const rule of rules) {
    const { kind } = questions.canMatch(rule);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function report(title: string, seconds: number, result: unknown): void {
  console.log(`${title.padEnd(52)} ${seconds.toFixed(2).padStart(7)} s   ${JSON.stringify(result)}`);
}

const ADVERSARIAL: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '1,000 equalities against a pattern': [
    ...Array.from({ length: 1000 }, (_, at) => [`req.Path == '/${String(at).padStart(3, '0')}'`]),
    ["req.Path.matches('^/[0-9]{3}$')"],
  ],
  '256 networks against their union': [
    ...Array.from({ length: 256 }, (_, at) => [`inCidrRange(conn.ClientIP, '10.${at}.0.0/16')`]),
    ["inCidrRange(conn.ClientIP, '10.0.0.0/8')"],
  ],
  '300 `contains` against a pattern': [
    ...Array.from({ length: 300 }, (_, at) => [`req.Path.contains('x${at}y')`]),
    ["req.Path.matches('^/x[0-9]{1,2}y$')"],
  ],
  'a pattern of a million states against itself': [
    ["req.Path.matches('^/(a|b)*a(a|b){20}$')"],
    ["req.Path.matches('^/(a|b)*a(a|b){20}$') && req.Path.endsWith('b')"],
  ],
};

report('warm up', ...cpuSeconds(() => ask(policyOf(mixedRules(50)))));
const times = [100, 1000].map(count => {
  const policy = policyOf(mixedRules(count));
  const [seconds, counts] = cpuSeconds(() => ask(policy));
  report(`${count} rules with regular expressions`, seconds, counts);
  return seconds;
});
console.log(`1,000 rules take ${(times[1]! / times[0]!).toFixed(1)} times as long as 100 (at most 12; at most 2 s)`);
for (const [title, rules] of Object.entries(ADVERSARIAL)) {
  const policy = policyOf(rules);
  report(title, ...cpuSeconds(() => ask(policy, true)));
}
const [before, after] = [mixedRules(200), mixedRules(200).with(103, ["req.Path.startsWith('/changed')"])].map(policyOf);
report(
  'difference of 200 rules, one changed (at most 0.5 s)',
  ...cpuSeconds(() => comparePolicies(before!, after!, CONTEXT).verdict),
);
