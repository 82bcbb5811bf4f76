import { EDGE_V2 } from '@tollgate/catalog';
import type { SourceText } from '@tollgate/diagnostics';
import { documentLimits } from '../document/model/document-limits.ts';
import { type DocumentNode, entryOf, type ScalarNode } from '../document/model/document-node.ts';
import { Reporter } from '../document/model/reporter.ts';
import type { PartPath } from '../document/model/select-part.ts';
import { readDocuments } from '../document/read-document.ts';
import { innerSource, partAddress } from './documents/find-in-document.ts';
import { type CarrierSettings, findPolicies, maskedDocument } from './find-policies.ts';
import type { EmbeddedPolicy, TextLayer } from './model/embedded-policy.ts';

/**
 * Returns the policy at an address in a file. The address may lead into strings that contain a document. If nothing is there, returns
 * the file with the address as part, whose analysis reports how much of the address exists.
 */
export function policyAt(file: SourceText, path: PartPath, settings: CarrierSettings = {}): EmbeddedPolicy {
  const address = partAddress(path);
  const found = findPolicies(file, settings).find(one => partAddress(one.path) === address);
  return found ?? descend({ file, ...maskedDocument(file, settings), steps: [] }, path);
}

interface Descent {
  readonly file: SourceText;
  readonly source: SourceText;
  readonly layers: readonly TextLayer[];
  /** The steps that lead to `source`. */
  readonly steps: readonly string[];
}

function descend({ file, source, layers, steps: outer }: Descent, part: PartPath): EmbeddedPolicy {
  const path = { document: part.document, steps: [...outer, ...part.steps] };
  const { documents } = readDocuments(source, {
    limits: documentLimits(EDGE_V2),
    reporter: new Reporter(source.uri, 1),
  });
  const roots = part.document === undefined ? documents : documents.slice(part.document - 1, part.document);
  for (const root of roots) {
    const { node, taken } = walkToString(root, part.steps);
    if (node?.text) {
      const inner = { document: part.document, steps: path.steps.slice(0, outer.length + taken) };
      const layer: TextLayer = { style: node.style, text: node.text, outer: source.text };
      return descend(
        { file, source: innerSource(file, inner, node.text.value), layers: [layer, ...layers], steps: inner.steps },
        { document: undefined, steps: part.steps.slice(taken) },
      );
    }
  }
  const isWhole = part.document === undefined && part.steps.length === 0;
  const range = { start: 0, end: source.text.length };
  return {
    ...{ carrier: 'document', file, path, source, layers, range, endpoint: undefined },
    part: isWhole ? undefined : part,
  };
}

/** Follows the path up to the first string on it; a string at the root is not a document of its own. */
function walkToString(
  root: DocumentNode,
  steps: readonly string[],
): { readonly node: ScalarNode | undefined; readonly taken: number } {
  let node: DocumentNode | undefined = root;
  let taken = 0;
  while (node && taken < steps.length && node.kind !== 'scalar') {
    const step: string = steps[taken]!;
    node =
      node.kind === 'map' ? entryOf(node, step)?.value : node.kind === 'list' ? node.items[Number(step)] : undefined;
    taken += 1;
  }
  return { node: node?.kind === 'scalar' && taken > 0 ? node : undefined, taken };
}
