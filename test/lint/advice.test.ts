import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { CODE_PAGES } from '@tollgate/cli/codes';
import { type Diagnostic, type Fix, SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, type LintExample, lintText, unmark } from '@tollgate/lint';
import { analyzePolicy, applyEdits, createPhaseEnvironments, type Policy } from '@tollgate/policy';
import { createSimulation, type RuleResult } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { describe, expect, inject, it } from 'vitest';
import { CONDITIONS, DEFAULT_PARTS, exchangeOf, type Parts } from './whole-exchanges.ts';

// Every replacement that a finding proposes, applied: it must lead to no new error, to no evaluation error in a rule that refuses traffic, and
// must let no request pass that was refused, unless that is what it is for. Requests come with each header and parameter that the policy
// names, without it, and with an empty value.

/** A document that has findings with fixes. */
interface Subject {
  readonly text: string;
  readonly profile: (typeof PROFILES)[number];
  readonly endpoint: EndpointKind;
  readonly diagnose: (text: string) => readonly Diagnostic[];
}

const BOOLEAN_OPTIONS = { everywhere: true, routes: true, managed: true };

/** With the findings that an option turns on, because they have fixes as well. */
const LINTER = createLinter(LINT_RULES.map(rule => activate(rule, BOOLEAN_OPTIONS)));

function subjectOf(text: string, profileName = 'edge-v2', endpoint?: EndpointKind, linter = LINTER): Subject {
  const profile = PROFILES.find(({ name }) => name === profileName)!;
  const target = { profile, endpoint: endpoint ?? profile.endpoints[0]! };
  const found = new Map<string, readonly Diagnostic[]>();
  const diagnose = (one: string) => {
    const diagnostics = found.get(one) ?? lintText(new SourceText('p.yaml', one), target, linter).diagnostics;
    found.set(one, diagnostics);
    return diagnostics;
  };
  return { text, ...target, diagnose };
}

/** The policy that has the finding of a code; expressions become the condition of a rule that denies. */
const EXAMPLES: readonly (readonly [string, Subject])[] = CODE_PAGES.flatMap(({ code, bad, rule }) => {
  if (rule) return exampleOf(rule.bad).map(subject => [code, subject] as const);
  if (bad?.stands) return [];
  if (bad?.kind === 'policy') return [[code, subjectOf(bad.text, bad.profile, bad.endpoint as EndpointKind)]];
  if (bad?.kind !== 'expression') return [];
  const phase = bad.profile === 'modern' ? 'on_http_request' : 'inbound';
  return [[code, subjectOf(ruleOf(bad.text, phase), bad.profile, bad.endpoint as EndpointKind)]];
});

function exampleOf({ policy, profile, endpoint, tests, isEdge, options }: LintExample): readonly Subject[] {
  const linter = createLinter(LINT_RULES.map(rule => activate(rule, options)));
  return tests === undefined && !isEdge ? [subjectOf(unmark(policy).text, profile, endpoint, linter)] : [];
}

function ruleOf(condition: string, phase: string): string {
  return `${phase}:\n  - expressions: [${JSON.stringify(condition)}]\n    actions: [{ type: deny }]\n`;
}

/** Values that a header or parameter has in the requests: absent, empty, and such as policies compare with. */
const VALUES = [undefined, '', 'a', 'xay', 'A', '0', '9'];

/** Names in a policy that may be those of a header or parameter. */
function namesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/['"]([A-Za-z][\w-]*)\\?['"]/g)].map(([, name]) => name!))].slice(0, 12);
}

/** Values that a policy compares with, which decide more often than others. */
function literalsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/'([^'\\\n]{1,40})'/g)].map(([, value]) => value!))].slice(0, 12);
}

/** Requests for a policy: with one of its names as header and parameter, and with its literals as path, host and method. */
function exchangesFor(text: string): readonly Exchange[] {
  const [names, literals] = [namesIn(text), literalsIn(text)];
  const named = names.flatMap(name =>
    [...VALUES, ...literals].map((value): Partial<Parts> => {
      const own = value === undefined ? [] : [[name, value] as const];
      return { headers: own, query: own };
    }),
  );
  const paths = literals.filter(one => one.startsWith('/')).flatMap(one => [one, `${one}x`, `${one}/x`, `/x${one}`]);
  const methods = literals.filter(one => /^[A-Za-z]+$/.test(one)).flatMap(one => [one, one.toUpperCase()]);
  const hosts = literals.filter(one => /^[\w.-]+$/.test(one)).flatMap(one => [one, `x.${one}`, `x${one}`]);
  return [
    ...[{}, ...named],
    ...paths.map(path => ({ path })),
    ...methods.map(method => ({ method })),
    ...hosts.map(host => ({ host })),
    ...['10.0.0.1', '::1'].map(clientIp => ({ clientIp })),
  ].map(parts => exchangeOf({ ...DEFAULT_PARTS, ...parts }));
}

/** What the rules of a policy do to each exchange; undefined if the policy has errors. */
interface Simulated {
  readonly policy: Policy;
  readonly results: readonly (readonly RuleResult[])[];
  readonly isRefused: readonly boolean[];
}

function simulate(text: string, { profile, endpoint }: Subject, exchanges: readonly Exchange[]): Simulated | undefined {
  const environments = createPhaseEnvironments(profile, endpoint);
  const { policy, diagnostics } = analyzePolicy(new SourceText('p.yaml', text), { profile, endpoint, environments });
  if (!policy || diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const { decide } = createSimulation(policy, { profile, environments });
  const decisions = exchanges.map(one => decide(one));
  return {
    policy,
    results: decisions.map(({ rules }) => rules),
    isRefused: decisions.map(({ outcomes }) => outcomes.every(({ kind, status }) => isRefusal(kind, status))),
  };
}

function isRefusal(kind: string, status: unknown): boolean {
  return kind === 'denied' || kind === 'closed' || (kind === 'answered' && typeof status === 'number' && status >= 400);
}

interface Advice {
  readonly subject: Subject;
  readonly finding: Diagnostic;
  readonly fix: Fix;
  readonly after: string;
}

function adviceIn(subject: Subject): readonly Advice[] {
  return subject
    .diagnose(subject.text)
    .flatMap(finding =>
      (finding.fixes ?? []).map(fix => ({ subject, finding, fix, after: applyEdits(subject.text, fix.edits) })),
    );
}

/** Counts the errors by code. */
function errorsIn(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, number> {
  const codes = diagnostics.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));
  return new Map(Object.entries(Object.groupBy(codes, code => code)).map(([code, all]) => [code, all!.length]));
}

/** Returns what is wrong with a proposed replacement; undefined if nothing is. */
function faultOf({ subject, finding, fix, after }: Advice): string | undefined {
  const before = errorsIn(subject.diagnose(subject.text));
  const added = [...errorsIn(subject.diagnose(after))].filter(([code, count]) => count > (before.get(code) ?? 0));
  if (added.some(([code]) => REVEALED[finding.code]?.includes(code) !== true)) return `leads to ${added[0]![0]}`;
  const exchanges = exchangesFor(`${subject.text}${after}`);
  const [was, is] = [subject.text, after].map(text => simulate(text, subject, exchanges));
  if (!is) return undefined;
  const failed = exchanges.findIndex((_, at) => failuresAt(is, at) > (was ? failuresAt(was, at) : 0));
  if (failed >= 0) return `fails to evaluate for ${shown(exchanges[failed]!)}`;
  const opened = was === undefined ? -1 : exchanges.findIndex((_, at) => was.isRefused[at] && !is.isRefused[at]);
  return opened >= 0 && !OPENS.has(finding.code) && fix.applicability !== 'safe'
    ? `lets pass ${shown(exchanges[opened]!)}`
    : undefined;
}

/** A rule that never matched hides the rules behind it once it does. */
const REVEALED: Readonly<Record<string, readonly string[]>> = {
  'logic/contradiction-across-list': ['logic/unreachable-rule', 'logic/shadowed-different-action'],
};

/** Counts the rules that would refuse an exchange and do not, because their condition ends in an error. */
function failuresAt({ policy, results }: Simulated, at: number): number {
  const all = Object.values(policy.rules).flat();
  return results[at]!.filter(({ status }, index) => {
    const isRefusing = all[index]?.actions.some(({ type }) => /deny|custom-response/.test(type.value)) ?? false;
    return status === 'failed' && isRefusing;
  }).length;
}

function shown({ method, url, requestHeaders, clientIp }: Exchange): string {
  const fields = requestHeaders.fields.slice(1).map(({ name, value }) => `${name}: ${value}`);
  return [method, url, 'from', clientIp, ...fields].join(' ');
}

/** Findings about rules that refuse more than they should, with fixes that refuse less. */
const OPENS: ReadonlySet<string> = new Set([
  ...['http/method-case', 'http/method-unknown', 'logic/negated-or', 'tls/version-unknown', 'url/prefix-boundary'],
  'regex/unanchored-path',
]);

/** A mistaken test of a header or parameter, and the values for which it was meant to hold. `H` is the map of headers, `P` that of parameters. */
interface Mistake {
  readonly source: string;
  readonly isMeant: (value: string | undefined) => boolean;
}

/** What users write who take a header for a string, or think that `has` takes an index. An absent header is empty to them. */
const MISTAKES: readonly Mistake[] = mistakes([
  ["H['x-key'] == ''", value => value === undefined || value === ''],
  ["'' == H['x-key']", value => value === undefined || value === ''],
  ["H['x-key'] != ''", value => value !== undefined && value !== ''],
  ["H['x-key'] == 'a'", value => value === 'a'],
  ["'a' == H['x-key']", value => value === 'a'],
  ["H['x-key'] != 'a'", value => value !== 'a'],
  ["H['x-key'] in ['a', 'xay']", value => value === 'a' || value === 'xay'],
  ["H['x-key'] in ['', 'a']", value => value === undefined || value === '' || value === 'a'],
  ["H['x-key'].contains('a')", value => value?.includes('a') ?? false],
  ["H['x-key'].startsWith('a')", value => value?.startsWith('a') ?? false],
  ["H['x-key'].endsWith('y')", value => value?.endsWith('y') ?? false],
  ["H['x-key'].matches('^a$')", value => value === 'a'],
  ["H.contains('x-key')", value => value !== undefined],
  ["has(H['x-key'])", value => value !== undefined],
  ["has(H['x-key'][0])", value => value !== undefined],
  ["H['x-key'] == null", value => value === undefined],
  ["H['x-key'] != null", value => value !== undefined],
  ["H['x-key'][0] == 'a'", value => value === 'a'],
  ["H['x-key'][0] != 'a'", value => value !== 'a'],
  ["H['x-key'][0] in ['a', 'xay']", value => value === 'a' || value === 'xay'],
  ["H['x-key'][0].contains('a')", value => value?.includes('a') ?? false],
  ["H.KEY == ''", value => value === undefined || value === ''],
  ["H.KEY != ''", value => value !== undefined && value !== ''],
  ["H.KEY == 'a'", value => value === 'a'],
  ["H.KEY != 'a'", value => value !== 'a'],
  ["H.KEY in ['a', 'xay']", value => value === 'a' || value === 'xay'],
  ["H.KEY.contains('a')", value => value?.includes('a') ?? false],
  ['H.KEY == null', value => value === undefined],
  ['H.KEY != null', value => value !== undefined],
]);

function mistakes(all: readonly (readonly [source: string, isMeant: Mistake['isMeant']])[]): readonly Mistake[] {
  return all.map(([source, isMeant]) => ({ source, isMeant }));
}

/** The same for cookies: `C` is the map of cookies, or in the oldest profile the list, which users take for one; `V` is the field with the value. */
const COOKIE_MISTAKES: readonly Mistake[] = mistakes([
  ["C['x-key'] == ''", value => value === undefined || value === ''],
  ["'' == C['x-key']", value => value === undefined || value === ''],
  ["C['x-key'] != ''", value => value !== undefined && value !== ''],
  ["C['x-key'] == 'a'", value => value === 'a'],
  ["C['x-key'] != 'a'", value => value !== 'a'],
  ["C['x-key'] in ['a', 'xay']", value => value === 'a' || value === 'xay'],
  ["C['x-key'] in ['', 'a']", value => value === undefined || value === '' || value === 'a'],
  ["C['x-key'].contains('a')", value => value?.includes('a') ?? false],
  ["C['x-key'].V.startsWith('a')", value => value?.startsWith('a') ?? false],
  ["C['x-key'].V == ''", value => value === undefined || value === ''],
  ["C['x-key'].V != 'a'", value => value !== 'a'],
  ["C['x-key'] == null", value => value === undefined],
  ["C['x-key'] != null", value => value !== undefined],
  ["has(C['x-key'])", value => value !== undefined],
  ["getReqCookie('x-key') == ''", value => value === undefined || value === ''],
  ["getReqCookie('x-key') != 'a'", value => value !== 'a'],
  ["getReqCookie('x-key') == 'a'", value => value === 'a'],
  ["getReqCookie('x-key').endsWith('y')", value => value?.endsWith('y') ?? false],
  ["getReqCookie('x-key').V == 'a'", value => value === 'a'],
]);

/** Where a condition stands: alone, negated, beside others. `T` is the mistaken test. */
const CONTEXTS: readonly { readonly source: string; readonly holds: (test: boolean, isPost: boolean) => boolean }[] = [
  { source: 'T', holds: test => test },
  { source: '!(T)', holds: test => !test },
  { source: "M == 'POST' && T", holds: (test, isPost) => isPost && test },
  { source: "T || M == 'POST'", holds: (test, isPost) => isPost || test },
  { source: "M == 'POST' && !(T)", holds: (test, isPost) => isPost && !test },
  { source: "!(T && M == 'POST')", holds: (test, isPost) => !(test && isPost) },
  { source: "M == 'POST' ? T : !(T)", holds: (test, isPost) => (isPost ? test : !test) },
  { source: '(T) == false', holds: test => !test },
  { source: "true == (T) && M == 'POST'", holds: (test, isPost) => test && isPost },
  { source: "(T) != (M == 'POST')", holds: (test, isPost) => test !== isPost },
];

const CAPITALS = { H: 'req.Headers', P: 'req.Params', M: 'req.Method', C: 'req.Cookies', V: 'Value' } as const;
const SNAKE = { C: 'req.cookies', V: 'value' } as const;
const DIALECTS = [
  { profile: 'edge-v2', phase: 'inbound', ...CAPITALS, key: 'X-Key' },
  { profile: 'edge-v2', phase: 'inbound', ...CAPITALS, key: 'x-key' },
  {
    ...{ profile: 'modern', phase: 'on_http_request', H: 'req.headers', P: 'req.url.query_params' },
    ...{ M: 'req.method', key: 'x-key', ...SNAKE },
  },
  {
    ...{ profile: 'modern', phase: 'on_http_request', H: 'req.headers', P: 'req.url.query_params' },
    ...{ M: 'req.method', key: 'X-Key', ...SNAKE },
  },
] as const;

interface MistakenCase {
  readonly name: string;
  readonly subject: Subject;
  readonly key: string;
  /** The number of the mistake in its context, and that of the map in its dialect. */
  readonly turn: readonly [pair: number, map: number];
  readonly holds: (value: string | undefined, isPost: boolean) => boolean;
}

/** Every mistake in every context and dialect, about a header and about a parameter. */
const ALL_MISTAKEN: readonly MistakenCase[] = DIALECTS.flatMap(({ profile, phase, H, P, M, key }, dialect) =>
  MISTAKES.flatMap(({ source, isMeant }, mistake) =>
    CONTEXTS.flatMap((context, place) =>
      [H, P].map((map, index) => {
        // A name after a dot is an identifier.
        const name = source.includes('KEY') ? key.replace('-', '') : key;
        const test = source.replaceAll(/\bH\b/g, map).replace('KEY', name).replaceAll('x-key', key);
        const condition = context.source.replaceAll(/\bM\b/g, M).replaceAll(/\bT\b/g, () => test);
        return {
          name: `${profile}: ${condition}`,
          subject: subjectOf(ruleOf(condition, phase), profile),
          key: name,
          turn: [mistake * CONTEXTS.length + place, dialect * 2 + index],
          holds: (value, isPost) => context.holds(isMeant(value), isPost),
        } satisfies MistakenCase;
      }),
    ),
  ),
);

/** The same for cookies, whose names are matched as they are. */
const ALL_ABOUT_COOKIES: readonly MistakenCase[] = DIALECTS.filter(({ key }) => key === 'x-key').flatMap(
  ({ profile, phase, C, V, M, key }, dialect) =>
    COOKIE_MISTAKES.flatMap(({ source, isMeant }, mistake) =>
      CONTEXTS.map((context, place) => {
        const test = source.replaceAll(/\bC\b/g, C).replace(/\bV\b/, V);
        const condition = context.source.replaceAll(/\bM\b/g, M).replaceAll(/\bT\b/g, () => test);
        return {
          name: `${profile}: ${condition}`,
          subject: subjectOf(ruleOf(condition, phase), profile),
          key,
          turn: [mistake * CONTEXTS.length + place, dialect],
          holds: (value, isPost) => context.holds(isMeant(value), isPost),
        } satisfies MistakenCase;
      }),
    ),
);

/** In the quick form, every mistake in every context once, with the dialects and maps by turns. */
const MAPS = DIALECTS.length * 2;
const MISTAKEN = inject('isDeep')
  ? [...ALL_MISTAKEN, ...ALL_ABOUT_COOKIES]
  : [
      ...ALL_MISTAKEN.filter(({ turn: [pair, map] }) => (pair + Math.floor(pair / MAPS)) % MAPS === map),
      ...ALL_ABOUT_COOKIES.filter(({ turn: [pair, dialect] }) => pair % 2 === dialect),
    ];

/** Applies the advice for a mistaken condition until there is none, and returns the ways in which it then differs from what was meant. */
function differences({ subject, key, holds }: MistakenCase): readonly string[] {
  const [finding] = subject
    .diagnose(subject.text)
    .filter(one => one.severity === 'error' || IS_UNGUARDED.has(one.code));
  if (!finding) return [];
  let { text } = subject;
  for (let round = 0; round < 4; round += 1) {
    const fix = subject
      .diagnose(text)
      .filter(one => one.severity === 'error' || IS_UNGUARDED.has(one.code))
      .flatMap(one => one.fixes ?? [])[0];
    if (!fix) break;
    text = applyEdits(text, fix.edits);
  }
  const tried = VALUES.flatMap(value => [true, false].map(isPost => ({ value, isPost })));
  const exchanges = tried.map(({ value, isPost }) => {
    const own = value === undefined ? [] : [[key, value] as const];
    const headers = value === undefined ? [] : [...own, ['Cookie', `${key}=${value}`] as const];
    return exchangeOf({ ...DEFAULT_PARTS, method: isPost ? 'POST' : 'GET', headers, query: own });
  });
  const simulated = simulate(text, subject, exchanges);
  if (!simulated) return [`${finding.message}: no cure`];
  return tried.flatMap(({ value, isPost }, at) => {
    const status = simulated.results[at]![0]!.status;
    const isMeant = holds(value, isPost) ? 'matched' : 'not-matched';
    return status === isMeant ? [] : [`${text.split('\n')[1]} is ${status} for ${String(value)}`];
  });
}

const IS_UNGUARDED = new Set(['type/unguarded-index', 'type/unguarded-look-up']);

describe('advice for mistaken tests of headers, parameters and cookies', () => {
  it('means what was meant, with, without and with an empty value', () => {
    const wrong = MISTAKEN.flatMap(one =>
      differences(one)
        .slice(0, 1)
        .map(what => `${one.name}: ${what}`),
    );
    expect(wrong).toEqual([]);
  });
});

function faultsIn(subject: Subject): readonly object[] {
  return adviceIn(subject).flatMap(advice => {
    const fault = faultOf(advice);
    const { finding, fix, after } = advice;
    return fault === undefined ? [] : [{ code: finding.code, title: fix.title, fault, after }];
  });
}

/** Conditions that lint rules have an opinion on, besides those of the other suites. */
const STYLED = [
  ...[
    "req.Path.matches('^/api')",
    "req.Path.matches('/api$')",
    "req.Path.matches('^/api$')",
    "req.Host.matches('e[.]co$')",
  ],
  ...[
    "!req.Host.endsWith('e.co')",
    "req.Path.startsWith('/admin')",
    "!(req.Method == 'A') == true",
    "'A' == req.Method",
  ],
  ...[
    "req.Method == 'A' || req.Method == 'A'",
    "!!req.Path.startsWith('/a/')",
    "req.Method == 'get'",
    "req.Path == 'a'",
  ],
  ...[
    "getReqHeader('X')[0] != 'a'",
    "getReqCookie('a').Value == 'b'",
    "req.Params['q'][0] == '1'",
    "req.Cookies[0].Name == 'a'",
  ],
  ...["int(req.Headers['X'][0]) > 3", "req.Headers['X'][0] < '3'", "'GPT' in req.Headers['User-Agent']"],
  ...["string(req.Path) == '/a'", "inCidrRange(conn.ClientIP, '10.0.0.1/8')", "conn.ClientIP == '10.0.0.1'"],
  ...["conn.Geo.CountryCode == 'de'", "req.Path.matches('.*admin.*')", "req.Path == '/a' || req.Path == '/b'"],
];

const ACTIONS = [
  '{ type: deny }',
  '{ type: custom-response, config: { status_code: 403, content: no } }',
  '{ type: log }',
];

/** A policy for each condition and action, alone and as the second of two. The quick form takes the actions by turns. */
const GENERATED: readonly (readonly [string, readonly Subject[]])[] = [...CONDITIONS, ...STYLED].map(
  (condition, at) => {
    const actions = inject('isDeep') ? ACTIONS : [ACTIONS[at % ACTIONS.length]!];
    const quoted = JSON.stringify(condition);
    return [
      condition,
      actions.flatMap(action => [
        subjectOf(`inbound:\n  - expressions: [${quoted}]\n    actions: [${action}]\n`),
        subjectOf(
          `inbound:\n  - name: a\n    expressions:\n      - req.Method == 'PUT'\n      - ${quoted}\n    actions:\n      - ${action}\n` +
            `  - name: b\n    expressions: [${quoted}]\n    actions: [{ type: deny }]\n`,
        ),
      ]),
    ] as const;
  },
);

describe('proposed replacements', () => {
  it.each(GENERATED)('are right in generated policies: %s', (_, subjects) => {
    expect(subjects.flatMap(faultsIn)).toEqual([]);
  });

  it.each(EXAMPLES)('are right for the example of %s', (_, subject) => {
    expect(faultsIn(subject)).toEqual([]);
  });
});
