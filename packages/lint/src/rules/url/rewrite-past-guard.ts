import type { Action, Rule } from '@tollgate/policy';
import { conditionTests, isCheck } from '../../analyses/access.ts';
import { areaOf, mayKeepOut, type PathGuard, pathGuards } from '../../analyses/path-guards.ts';
import { replacedUrls, replacementOf } from '../../analyses/url-walk.ts';
import { isRedirect, nameOfRule, rangeOfRule } from '../../readers/actions.ts';
import { placeIn, type Replacement } from '../../readers/replacements.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** At most this many guards of one area are compared with a rewrite, which keeps the cost linear. */
const MAX_COMPARED = 8;

/** Reports a rewrite of `/public/x` to `/admin/x` after a rule that denies `/admin/`. */
export const REWRITE_PAST_GUARD: LintRule = {
  id: 'url/rewrite-past-guard',
  severity: 'warning',
  summary: 'rewrite to a path that an earlier rule denies',
  rationale:
    'Rules run in order, so a rule that denies `/admin` sees the path before later rules rewrite it. A later rewrite to `/admin` ' +
    'reaches what the rule was meant to protect. Move the rule that denies after the rewrite, or deny the original path too.',
  bad: {
    policy: `\
inbound:
  - name: no admin pages
    expressions: ["req.Path == '/admin' || req.Path.startsWith('/admin/')"]
    actions: [{ type: deny }]
  - name: map old paths
    expressions: ["req.Path.startsWith('/manage/')"]
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/manage/", to: «$1/admin/» } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: map old paths
    expressions: ["req.Path.startsWith('/manage/')"]
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/manage/", to: $1/admin/ } }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    policy: (policy, context) => {
      for (const phase of context.file.profile.phases) checkPhase(policy.rules[phase], context);
    },
  },
};

function checkPhase(rules: readonly Rule[], context: LintContext): void {
  if (!rules.some(rule => rewritesOf(rule, context).length > 0)) return;
  const areas = new Map<string, PathGuard[]>();
  for (const guard of pathGuards(rules, context)) {
    for (const area of new Set(guard.paths.map(({ path }) => areaOf(path))))
      areas.set(area, [...(areas.get(area) ?? []), guard].slice(0, MAX_COMPARED));
  }
  for (const rule of rules) {
    for (const replacement of rewritesOf(rule, context)) reportPast(rule, replacement, areas, context);
  }
}

/** Returns the rewrites of a rule that come before any check of its own. */
function rewritesOf({ actions }: Rule, { file }: LintContext): readonly Replacement[] {
  const first = actions.findIndex(isCheck);
  const open: readonly Action[] = first < 0 ? actions : actions.slice(0, first);
  return open.flatMap(action => (isRedirect(action) ? [] : (replacementOf(action, file) ?? [])));
}

function reportPast(
  rule: Rule,
  replacement: Replacement,
  areas: ReadonlyMap<string, readonly PathGuard[]>,
  context: LintContext,
): void {
  if (testsClient(rule, context)) return;
  for (const { before, after } of replacedUrls(replacement, rule, context)) {
    const [from, to] = [before, after].map(url => decodedPath(url));
    if (from === undefined || to === undefined || from === to) continue;
    const guard = areas
      .get(areaOf(to))
      ?.find(
        earlier =>
          earlier.rule.index < rule.index && mayKeepOut(earlier, after, to) && !mayKeepOut(earlier, before, from),
      );
    if (!guard) continue;
    context.report({
      range: placeIn(replacement.to, { start: 0, end: replacement.to.value.length }),
      message: `\`${from}\` becomes \`${to}\`, which ${nameOfRule(guard.rule)} denies but has already let pass; move that rule after the rewrite`,
      args: { from, to },
      related: [{ range: rangeOfRule(guard.rule, context.file.source.text), message: 'path is denied here' }],
    });
    return;
  }
}

/** True if the rewrite is limited to some clients by address, which they cannot choose. */
function testsClient(rule: Rule, { file }: LintContext): boolean {
  return conditionTests(rule, file.roles).some(({ origin }) => origin.role === 'client-address');
}

function decodedPath(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return undefined;
  }
}
