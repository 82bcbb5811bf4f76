import { PROFILES } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel';
import type { SourceText } from '@tollgate/diagnostics';
import { readEdgeDocument, readTests } from '@tollgate/policy';
import { TESTS_NAME } from './find-inputs.ts';

/** What a file holds. `other`: nothing that any command here reads. */
export type DocumentKind = 'policy' | 'tests' | 'edge' | 'other';

const POLICY_KEYS = [...new Set(['enabled', ...PROFILES.flatMap(({ phases }) => phases)])];
/** Behind the beginning of a line, a space, a bracket or a quote, as keys are. */
const POLICY_KEY = new RegExp(`(?:^|[\\s{,"'])(?:${POLICY_KEYS.join('|')})["']?\\s*:`);
const TESTS_KEYS = [/(?:^|[\s{,"'])policy["']?\s*:/, /(?:^|[\s{,"'])tests["']?\s*:/];

/** Tells what a file holds by its name and its text. Most files are told by a look at their keys. */
export function documentKind(source: SourceText): DocumentKind {
  const { text, uri } = source;
  if (TESTS_NAME.test(uri)) return 'tests';
  if (TESTS_KEYS.every(key => key.test(text)) && isTests(source)) return 'tests';
  if (readEdgeDocument(source)) return 'edge';
  // Of an empty file it is said that it is empty.
  return POLICY_KEY.test(text) || text.trim() === '' || isMisspelt(text) ? 'policy' : 'other';
}

const OUTER_KEY = /^[ \t]{0,4}["']?(\w+)["']?\s*:/gm;
/** Keys that are looked at: a policy has few. */
const MOST_KEYS = 20;

/** Whether one of the outer keys is nearly one of a policy. */
function isMisspelt(text: string): boolean {
  let count = 0;
  for (const [, key = ''] of text.matchAll(OUTER_KEY)) {
    if (nearest(key, POLICY_KEYS) !== undefined) return true;
    if (++count === MOST_KEYS) break;
  }
  return false;
}

function isTests(source: SourceText): boolean {
  const { root } = readTests(source);
  const kindOf = (key: string) =>
    root?.kind === 'map' ? root.entries.find(entry => entry.key === key)?.value.kind : undefined;
  return kindOf('policy') === 'scalar' && kindOf('tests') === 'list';
}
