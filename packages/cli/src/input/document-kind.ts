import type { SourceText } from '@tollgate/diagnostics';
import { readEdgeDocument, readTests } from '@tollgate/policy';
import { TESTS_NAME } from './find-inputs.ts';

/** What a file contains. `policy` includes carriers; `other` is nothing that Tollgate reads. */
export type DocumentKind = 'policy' | 'tests' | 'edge' | 'other';

const TESTS_KEYS = [/(?:^|[\s{,"'])policy["']?\s*:/, /(?:^|[\s{,"'])tests["']?\s*:/];

/** Returns whether a file contains policy tests or an edge; undefined for anything else. In most files, looking for keys suffices. */
export function documentKind(source: SourceText): 'tests' | 'edge' | undefined {
  const { text, uri } = source;
  if (TESTS_NAME.test(uri)) return 'tests';
  if (TESTS_KEYS.every(key => key.test(text)) && isTests(source)) return 'tests';
  return readEdgeDocument(source) ? 'edge' : undefined;
}

function isTests(source: SourceText): boolean {
  const { root } = readTests(source);
  const kindOf = (key: string) =>
    root?.kind === 'map' ? root.entries.find(entry => entry.key === key)?.value.kind : undefined;
  return kindOf('policy') === 'scalar' && kindOf('tests') === 'list';
}
