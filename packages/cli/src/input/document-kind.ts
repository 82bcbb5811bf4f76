import { PROFILES } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel/tooling';
import type { SourceText } from '@tollgate/diagnostics';
import { readEdgeDocument, readTests } from '@tollgate/policy';
import { TESTS_NAME } from './find-inputs.ts';

/** What a file contains. `other` is nothing that Tollgate reads. */
export type DocumentKind = 'policy' | 'tests' | 'edge' | 'other';

const POLICY_KEYS = [...new Set(['enabled', ...PROFILES.flatMap(({ phases }) => phases)])];
/** Matches a key: at the start of a line, or after a space, bracket or quote. */
const POLICY_KEY = new RegExp(`(?:^|[\\s{,"'])(?:${POLICY_KEYS.join('|')})["']?\\s*:`);
const TESTS_KEYS = [/(?:^|[\s{,"'])policy["']?\s*:/, /(?:^|[\s{,"'])tests["']?\s*:/];

/** Detects what a file contains from its name and content. In most files, looking for its keys suffices. */
export function documentKind(source: SourceText): DocumentKind {
  const { text, uri } = source;
  if (TESTS_NAME.test(uri)) return 'tests';
  if (TESTS_KEYS.every(key => key.test(text)) && isTests(source)) return 'tests';
  if (readEdgeDocument(source)) return 'edge';
  // Keep empty files, so that they are reported as empty.
  return POLICY_KEY.test(text) || text.trim() === '' || isMisspelt(text) ? 'policy' : 'other';
}

const OUTER_KEY = /^[ \t]{0,4}["']?(\w+)["']?\s*:/gm;
/** Maximum number of keys to look at; policies have few. */
const MAX_KEYS = 20;

/** Returns true if a top-level key is almost the key of a policy. */
function isMisspelt(text: string): boolean {
  let count = 0;
  for (const [, key = ''] of text.matchAll(OUTER_KEY)) {
    if (nearest(key, POLICY_KEYS) !== undefined) return true;
    if (++count === MAX_KEYS) break;
  }
  return false;
}

function isTests(source: SourceText): boolean {
  const { root } = readTests(source);
  const kindOf = (key: string) =>
    root?.kind === 'map' ? root.entries.find(entry => entry.key === key)?.value.kind : undefined;
  return kindOf('policy') === 'scalar' && kindOf('tests') === 'list';
}
