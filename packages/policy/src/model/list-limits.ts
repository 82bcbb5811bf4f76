import type { Profile } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import { limitOf } from '../document/model/document-limits.ts';
import type { Reporter } from '../document/model/reporter.ts';

const LISTS = {
  maxRules: { code: 'limit/rules', what: 'a policy has at most', of: 'rules' },
  maxExpressions: { code: 'limit/expressions', what: 'a rule has at most', of: 'expressions' },
  maxActions: { code: 'limit/actions', what: 'a rule has at most', of: 'actions' },
} as const;

/** Reports a list that is longer than the profile allows, at the first excess item. */
export function reportTooMany(
  items: readonly { readonly range: Range }[],
  limit: keyof typeof LISTS,
  { profile, reporter }: { readonly profile: Profile; readonly reporter: Reporter },
): void {
  const value = limitOf(profile, limit, Number.POSITIVE_INFINITY);
  const first = items[value];
  if (!first) return;
  const { code, what, of } = LISTS[limit];
  const message = `${what} ${value} ${of} (${limit}), found ${items.length}`;
  reporter.report({ code, message, range: first.range, args: { limit, value, found: items.length } });
}
