import { nearest } from '@tollgate/cel/tooling';
import type { DocumentNode } from './document-node.ts';
import type { Reporter } from './reporter.ts';

/** The path of a part of a file. */
export interface PartPath {
  /** One-based; undefined means every document that has the part. */
  readonly document: number | undefined;
  /** Keys and zero-based list indices, outermost first. */
  readonly steps: readonly string[];
}

/**
 * Parses `/spec/policy`, `2` or `2/spec/policy`: a JSON Pointer (RFC 6901), preceded by the number of the document
 * if there are several. Undefined if malformed.
 */
export function parsePartPath(text: string): PartPath | undefined {
  const found = /^([1-9]\d{0,8})?((?:\/(?:[^~/]|~[01])*)*)$/.exec(text);
  if (!found) return undefined;
  const [, number, pointer = ''] = found;
  const steps = pointer.split('/').slice(1);
  return {
    document: number === undefined ? undefined : Number(number),
    steps: steps.map(step => step.replaceAll('~1', '/').replaceAll('~0', '~')),
  };
}

/** Returns the parts at the path; if there are none, reports how much of the path exists. */
export function selectParts(
  documents: readonly DocumentNode[],
  path: PartPath,
  reporter: Reporter,
): readonly DocumentNode[] {
  const { document: number } = path;
  const candidates = number === undefined ? documents : documents.slice(number - 1, number);
  if (candidates.length === 0) {
    if (documents.length > 0) reportNoDocument(documents, number!, reporter);
    return [];
  }
  const walks = candidates.map(root => furthestOn(root, path.steps));
  const found = walks.flatMap(({ node, taken }) => (taken === path.steps.length ? [node] : []));
  if (found.length === 0) reportNoPart(furthest(walks), path.steps, reporter);
  return found;
}

/** How much of a path exists. */
interface Walk {
  /** The last node that exists on the path. */
  readonly node: DocumentNode;
  readonly taken: number;
}

/** Follows a path as far as it exists. */
export function furthestOn(root: DocumentNode, steps: readonly string[]): Walk {
  let node = root;
  for (const [taken, step] of steps.entries()) {
    const next = childAt(node, step);
    if (!next) return { node, taken };
    node = next;
  }
  return { node, taken: steps.length };
}

function childAt(node: DocumentNode, step: string): DocumentNode | undefined {
  if (node.kind === 'map') return node.entries.find(entry => entry.key === step)?.value;
  return node.kind === 'list' && /^(?:0|[1-9]\d*)$/.test(step) ? node.items[Number(step)] : undefined;
}

function furthest(walks: readonly Walk[]): Walk {
  return walks.reduce((best, one) => (one.taken > best.taken ? one : best));
}

function reportNoPart({ node, taken }: Walk, steps: readonly string[], reporter: Reporter): void {
  if (node.kind === 'broken') return;
  const path = `/${steps.slice(0, taken + 1).join('/')}`;
  const keys = node.kind === 'map' ? node.entries.map(entry => entry.key) : [];
  const suggestion = nearest(steps[taken]!, keys);
  const hint = suggestion === undefined ? '' : `; did you mean \`${suggestion}\`?`;
  reporter.report({
    code: 'policy/no-such-part',
    message: `no \`${path}\` in the document${hint}`,
    range: { start: node.range.start, end: node.range.start },
    args: { path, keys, ...(suggestion !== undefined && { suggestion }) },
  });
}

function reportNoDocument(documents: readonly DocumentNode[], number: number, reporter: Reporter): void {
  const count = documents.length;
  const { end } = documents.at(-1)!.range;
  reporter.report({
    code: 'policy/no-such-document',
    message: `no document ${number}: the file has ${count}`,
    range: { start: end, end },
    args: { document: number, found: count },
  });
}
