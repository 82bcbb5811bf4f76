import type { SourceText } from '@tollgate/diagnostics';
import { type ParsedSettings, readEdgeDocument, readInvariants, readTests } from '@tollgate/policy';
import { INVARIANTS_NAME, TESTS_NAME } from './find-inputs.ts';

/** What a file contains. `policy` includes carriers; `other` is nothing that Tollgate reads. */
export type DocumentKind = 'policy' | 'tests' | 'invariants' | 'edge' | 'other';

const POLICY_KEY = /(?:^|[\s{,"'])policy["']?\s*:/;
const LIST_KEYS = { tests: /(?:^|[\s{,"'])tests["']?\s*:/, invariants: /(?:^|[\s{,"'])invariants["']?\s*:/ } as const;

/** Returns whether a file contains policy tests, invariants or an edge; undefined for anything else. In most files, looking for keys suffices. */
export function documentKind(source: SourceText): 'tests' | 'invariants' | 'edge' | undefined {
  const { text, uri } = source;
  if (TESTS_NAME.test(uri)) return 'tests';
  if (INVARIANTS_NAME.test(uri)) return 'invariants';
  if (POLICY_KEY.test(text)) {
    if (LIST_KEYS.tests.test(text) && isAbout(readTests(source), 'tests')) return 'tests';
    if (LIST_KEYS.invariants.test(text) && isAbout(readInvariants(source), 'invariants')) return 'invariants';
  }
  return readEdgeDocument(source) ? 'edge' : undefined;
}

function isAbout({ root }: ParsedSettings<unknown>, list: keyof typeof LIST_KEYS): boolean {
  const kindOf = (key: string) =>
    root?.kind === 'map' ? root.entries.find(entry => entry.key === key)?.value.kind : undefined;
  return kindOf('policy') === 'scalar' && kindOf(list) === 'list';
}
