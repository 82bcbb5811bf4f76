import type { Rule } from '@tollgate/policy';
import {
  areaOf,
  type GuardedPath,
  mayKeepOut,
  type PathGuard,
  pathGuards,
} from '../../../analyses/urls/path-guards.ts';
import { isResponsePhase } from '../../../profile/response-phase.ts';
import type { LintContext } from '../../../rule-api/lint-context.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

const ORIGIN = 'https://app.example.com';

/** More guards of one area are not asked about each other's paths: it stays linear. */
const MAX_ASKED = 8;
const MAX_RELATED = 10;

/** What stands in conditions about spellings in general; compiling all others would take longer than the rest. */
const GENERAL = /\/\/|\.\.|[;%]|\/\\*\.|\[\.\]|\[[^\]]*A-Z|lower|upper/;

/** Other ways to write a path that servers resolve to it. What is minor depends on the server, and is only told beside others. */
const SPELLINGS: readonly { readonly of: (path: string) => string; readonly isMinor?: true }[] = [
  { of: path => `/${path}` },
  { of: path => `/x/..${path}` },
  { of: path => `/.${path}` },
  { of: path => path.replace(/[a-z](?=[^a-z]*$)/i, letter => `%${letter.charCodeAt(0).toString(16)}`) },
  { of: path => `${path.replace(/\/$/, '')};x${path.endsWith('/') ? '/' : ''}` },
  { of: path => path.toUpperCase(), isMinor: true },
  { of: path => `${path.replace(/\/$/, '')}./`, isMinor: true },
];

/** Refusals by path, and nothing that refuses `//admin`. */
export const PATH_SPELLINGS: LintRule = {
  id: 'url/path-spellings',
  severity: 'info',
  summary: 'refused paths that pass in a spelling that servers resolve',
  rationale:
    'A policy compares the path as it arrives, and many servers resolve it afterwards: they merge slashes, follow `..`, drop parameters behind ' +
    '`;` and ignore case. `//admin`, `/x/../admin` and `/admin;x` then reach what `/admin` does not. Refuse paths that are not in their ' +
    'simplest form in the first rule; that protects all rules behind it. This is reported once for a policy.',
  bad: {
    policy: `\
inbound:
  - name: the back office is closed
    expressions: ["«req.Path.startsWith('/admin/')»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: only paths in their simplest form
    expressions: ["req.Path.matches('//|/[.]|;|%|[A-Z]|[.]/')"]
    actions: [{ type: deny, config: { status_code: 400 } }]
  - name: the back office is closed
    expressions: ["req.Path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['security'],
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
  // Some rule refuses the spelling whatever the path is.
  const general = guards.filter(({ sources }) => sources.some(source => GENERAL.test(source)));
  const open = SPELLINGS.filter(({ of }) => !general.some(guard => refusesAnywhere(guard, of)));
  const areas = Map.groupBy(
    guards.flatMap(guard => guard.paths.map(({ path }) => ({ area: areaOf(path), guard }))),
    ({ area }) => area,
  );
  const found: Bypass[] = [];
  for (const guard of guards) {
    if (found.length > MAX_RELATED) break;
    for (const guarded of guard.paths) {
      const others = areas.get(areaOf(guarded.path))!.slice(0, MAX_ASKED);
      const bypass = bypassOf(guarded, [guard, ...others.map(one => one.guard)], open);
      if (bypass) found.push(bypass);
    }
  }
  const [first, ...rest] = found;
  if (!first) return;
  const shown = first.spellings.slice(0, 3).map(one => `\`${one}\``);
  context.report({
    range: first.guarded.range,
    message: `${shown.join(', ')} ${shown.length === 1 ? 'is' : 'are'} not refused as \`${first.guarded.path}\` is; refuse paths that are not in their simplest form first`,
    args: { found: first.guarded.path, witness: first.spellings[0]! },
    related: rest
      .slice(0, MAX_RELATED)
      .map(({ guarded }) => ({ range: guarded.range, message: 'the same holds here' })),
  });
}

function bypassOf(guarded: GuardedPath, guards: readonly PathGuard[], open: typeof SPELLINGS): Bypass | undefined {
  if (!isKeptOut(guards.slice(0, 1), guarded.path)) return undefined;
  const passing = open.filter(({ of }) => of(guarded.path) !== guarded.path && !isKeptOut(guards, of(guarded.path)));
  if (passing.every(one => one.isMinor)) return undefined;
  return { guarded, spellings: passing.map(({ of }) => of(guarded.path)) };
}

const PROBE = '/tollgate-probe/page';

function refusesAnywhere(guard: PathGuard, of: (path: string) => string): boolean {
  return isKeptOut([guard], of(PROBE)) && !isKeptOut([guard], PROBE);
}

/** The edge decodes the path; the URL stays as it was sent. */
function isKeptOut(guards: readonly PathGuard[], path: string): boolean {
  return guards.some(guard => mayKeepOut(guard, ORIGIN + path, decodeURIComponent(path)));
}
