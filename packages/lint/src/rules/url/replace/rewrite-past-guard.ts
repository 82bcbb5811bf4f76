import type { Action, Rule } from '@tollgate/policy';
import { isRedirect } from '../../../actions/action-parts.ts';
import { placeIn, type Replacement } from '../../../actions/replacements.ts';
import { isCheck } from '../../../analyses/access/access.ts';
import { conditionTests } from '../../../analyses/access/rule-conditions.ts';
import { replacementOf } from '../../../analyses/file/url-replacements.ts';
import { areaOf, mayKeepOut, type PathGuard, pathGuards } from '../../../analyses/urls/path-guards.ts';
import { replacedUrls } from '../../../analyses/urls/url-walk.ts';
import type { LintContext } from '../../../rule-api/lint-context.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { nameOfRule, placeOfRule } from '../../../rule-api/rule-name.ts';

/** More guards of one area are not compared with a rewrite: it stays linear. */
const MAX_COMPARED = 8;

/** `/public/x` rewritten to `/admin/x` behind the rule that refuses `/admin/`. */
export const REWRITE_PAST_GUARD: LintRule = {
  id: 'url/rewrite-past-guard',
  severity: 'warning',
  summary: 'a rewrite into a path that an earlier rule keeps out',
  rationale:
    'Rules run in order, and a rule that refuses `/admin` sees the path as it was before later rules rewrite it. A rewrite into `/admin` ' +
    'behind it reaches what the rule was to protect. Put the refusal behind the rewrite, or refuse the path that is rewritten as well.',
  bad: {
    policy: `\
inbound:
  - name: the back office is closed
    expressions: ["req.Path == '/admin' || req.Path.startsWith('/admin/')"]
    actions: [{ type: deny }]
  - name: old names
    expressions: ["req.Path.startsWith('/manage/')"]
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/manage/", to: «$1/admin/» } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: old names
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

/** Rewrites of a rule that checks nothing by itself before. */
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
  if (asksWho(rule, context)) return;
  for (const { before, after } of replacedUrls(replacement, rule, context)) {
    const [from, to] = [before, after].map(url => decodedPath(url));
    if (from === undefined || to === undefined || from === to) continue;
    const guard = areas
      .get(areaOf(to))
      ?.find(one => one.rule.index < rule.index && mayKeepOut(one, after, to) && !mayKeepOut(one, before, from));
    if (!guard) continue;
    context.report({
      range: placeIn(replacement.to, { start: 0, end: replacement.to.value.length }),
      message: `\`${from}\` becomes \`${to}\`, which ${nameOfRule(guard.rule)} keeps out but has already let pass; move that rule behind the rewrite`,
      args: { from, to },
      related: [{ range: placeOfRule(guard.rule, context.file.source.text), message: 'the path is kept out here' }],
    });
    return;
  }
}

/** The rewrite is only for some clients, by what they cannot choose. */
function asksWho(rule: Rule, { file }: LintContext): boolean {
  return conditionTests(rule, file.roles).some(({ origin }) => origin.role === 'client-address');
}

function decodedPath(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return undefined;
  }
}
