import type { WholeRecord } from '../store/port/store.ts';

/** What an exported configuration begins with. */
export const FORMAT = 'tollgate-configuration';
export const FORMAT_VERSION = 1;

/**
 * A whole configuration as JSON text, a record a line: edges, routes, modules, policies, backends, keys and all else that has an
 * identifier. Secrets stay encrypted, so the key that they are encrypted with is needed to use it; API keys are hashes, as in the store.
 */
export function* configurationText(contents: readonly WholeRecord[], exportedAt: string): Generator<string> {
  yield `{"format":"${FORMAT}","version":${FORMAT_VERSION},"exported_at":"${exportedAt}","records":[`;
  for (const [index, record] of contents.entries()) yield `${index === 0 ? '\n' : ',\n'}${recordText(record)}`;
  yield '\n]}\n';
}

function recordText({ id, kind, parentId, body, revision, createdAt, refs, claims, sources }: WholeRecord): string {
  const head = JSON.stringify({
    id,
    kind,
    parent_id: parentId,
    revision,
    created_at: createdAt,
    refs,
    claims,
    sources,
  });
  return `${head.slice(0, -1)},"body":${body}}`;
}
