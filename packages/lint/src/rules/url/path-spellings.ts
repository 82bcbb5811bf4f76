import type { Rule } from '@tollgate/policy';
import { hides } from '../../analyses/access.ts';
import { areaOf, type GuardedPath, mayKeepOut, type PathGuard, pathGuards } from '../../analyses/path-guards.ts';
import { isResponsePhase } from '../../readers/profile-roles.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

const ORIGIN = 'https://app.example.com';

/** At most this many guards of one area are tested against each other's paths, which keeps the cost linear. */
const MAX_COMPARED = 8;
const MAX_RELATED = 10;

/** Matches the source of conditions that may deny a spelling for every path; only those are worth evaluating. */
const GENERAL = /\/\/|\.\.|[;%]|\/\\*\.|\[\.\]|\[[^\]]*A-Z|lower|upper/;

/** Other spellings that servers resolve to the same path. Minor ones depend on the server and are only reported along with others. */
const SPELLINGS: readonly { readonly of: (path: string) => string; readonly isMinor?: true }[] = [
  { of: path => `/${path}` },
  { of: path => `/x/..${path}` },
  { of: path => `/.${path}` },
  { of: path => path.replace(/[a-z](?=[^a-z]*$)/i, letter => `%${letter.charCodeAt(0).toString(16)}`) },
  { of: path => `${path.replace(/\/$/, '')};x${path.endsWith('/') ? '/' : ''}` },
  { of: path => path.toUpperCase(), isMinor: true },
  { of: path => `${path.replace(/\/$/, '')}./`, isMinor: true },
];

/** Reports policies that deny a path but let equivalent paths such as `//admin` pass. */
export const PATH_SPELLINGS: LintRule = {
  id: 'url/path-spellings',
  severity: 'info',
  summary: 'denied paths that pass in spellings that servers normalize',
  rationale:
    'A policy compares the path as it arrives, but many servers normalize it afterwards: they merge slashes, resolve `..`, drop ' +
    'parameters after `;` and ignore case. `//admin`, `/x/../admin` and `/admin;x` then reach what `/admin` does not. Deny paths that ' +
    'are not in normal form in the first rule, which protects all rules after it. Reported once per policy.',
  bad: {
    policy: `\
inbound:
  - name: no admin pages
    expressions: ["«req.Path.startsWith('/admin/')»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: normalized paths only
    expressions: ["req.Path.matches('//|/[.]|;|%|[A-Z]|[.]/')"]
    actions: [{ type: deny, config: { status_code: 400 } }]
  # The check of spellings comes first.
  - name: no admin pages
    expressions: ["req.Path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    policy: (policy, context) => {
      for (const phase of context.file.profile.phases) {
        if (!isResponsePhase(context.file.profile, phase)) checkPhase(policy.rules[phase], context);
      }
    },
  },
};

interface Bypass {
  readonly guarded: GuardedPath;
  readonly spellings: readonly string[];
}

function checkPhase(rules: readonly Rule[], context: LintContext): void {
  const guards = pathGuards(rules, context);
  if (guards.length === 0) return;
  // Spellings that no rule denies for every path.
  const general = guards.filter(({ sources }) => sources.some(source => GENERAL.test(source)));
  const open = SPELLINGS.filter(({ of }) => !general.some(guard => deniesEverywhere(guard, of)));
  const areas = Map.groupBy(
    guards.flatMap(guard => guard.paths.map(({ path }) => ({ area: areaOf(path), guard }))),
    ({ area }) => area,
  );
  const bypasses: Bypass[] = [];
  for (const guard of guards.filter(({ rule }) => !hides(rule))) {
    if (bypasses.length > MAX_RELATED) break;
    for (const guarded of guard.paths) {
      const others = areas.get(areaOf(guarded.path))!.slice(0, MAX_COMPARED);
      const bypass = bypassOf(guarded, [guard, ...others.map(other => other.guard)], open);
      if (bypass) bypasses.push(bypass);
    }
  }
  const [first, ...rest] = bypasses;
  if (!first) return;
  const shown = first.spellings.slice(0, 3).map(spelling => `\`${spelling}\``);
  context.report({
    range: first.guarded.range,
    message: `${shown.join(', ')} ${shown.length === 1 ? 'is' : 'are'} not denied like \`${first.guarded.path}\`; deny paths that are not in normal form first`,
    args: { found: first.guarded.path, witness: first.spellings[0]! },
    related: rest.slice(0, MAX_RELATED).map(({ guarded }) => ({ range: guarded.range, message: 'also affected' })),
  });
}

function bypassOf(guarded: GuardedPath, guards: readonly PathGuard[], open: typeof SPELLINGS): Bypass | undefined {
  if (!isKeptOut(guards.slice(0, 1), guarded.path)) return undefined;
  const passing = open.filter(({ of }) => of(guarded.path) !== guarded.path && !isKeptOut(guards, of(guarded.path)));
  if (passing.every(({ isMinor }) => isMinor)) return undefined;
  return { guarded, spellings: passing.map(({ of }) => of(guarded.path)) };
}

const PROBE = '/tollgate-probe/page';

function deniesEverywhere(guard: PathGuard, of: (path: string) => string): boolean {
  return isKeptOut([guard], of(PROBE)) && !isKeptOut([guard], PROBE);
}

/** Tests the path decoded, as the edge sees it, and the URL as sent. */
function isKeptOut(guards: readonly PathGuard[], path: string): boolean {
  return guards.some(guard => mayKeepOut(guard, ORIGIN + path, decodeURIComponent(path)));
}
