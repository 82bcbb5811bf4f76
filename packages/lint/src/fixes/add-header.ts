import type { Fix } from '@tollgate/diagnostics';
import type { Action } from '@tollgate/policy';
import { headersOf } from '../actions/action-parts.ts';
import { spelledHeader } from '../profile/header-spelling.ts';
import type { LintContext } from '../rule-api/lint-context.ts';
import { insertEntry } from './insert-entry.ts';

/** Returns a fix that adds a response header to an action; none if the layout has no room for it. */
export function addHeaderFixes(
  action: Action,
  { name, value }: { readonly name: string; readonly value: string },
  { file }: LintContext,
): readonly Fix[] {
  const { text } = file.source;
  const spelt = spelledHeader(name, file.profile);
  const written = JSON.stringify(value);
  const headers = headersOf(action);
  const edit = headers
    ? insertEntry(text, headers, spelt, written)
    : action.configNode && insertEntry(text, action.configNode, 'headers', `{ "${spelt}": ${written} }`);
  return edit ? [{ title: `add \`${spelt}: ${value}\``, applicability: 'suggestion', edits: [edit] }] : [];
}
