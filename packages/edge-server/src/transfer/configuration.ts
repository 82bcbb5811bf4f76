import type { WholeRecord } from '../store/port/store.ts';

/** The format identifier of an exported configuration. */
export const FORMAT = 'tollgate-configuration';
export const FORMAT_VERSION = 1;

/**
 * Yields a whole configuration as JSON with one record per line: edges, routes, modules, policies, backends, keys and everything else with an
 * identifier. Secrets stay encrypted, so an import requires the encryption key; API keys are hashes.
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
