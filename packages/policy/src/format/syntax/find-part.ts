import type { PartPath } from '../../document/model/select-part.ts';
import { isCollection, type SyntaxCollection, type SyntaxDocument, type SyntaxNode } from './syntax-tree.ts';

/** A part of a document and its ancestors, outermost first. */
export interface SyntaxPart {
  readonly node: SyntaxNode;
  readonly owners: readonly SyntaxCollection[];
}

/** Returns the part of each document at the path, or undefined for documents without it. Without a path, returns the roots. */
export function findParts(
  documents: readonly SyntaxDocument[],
  path: PartPath | undefined,
): readonly (SyntaxPart | undefined)[] {
  let number = 0;
  return documents.map(({ root }) => {
    if (!root || isNothing(root)) return undefined;
    number += 1;
    if (path?.document !== undefined && path.document !== number) return undefined;
    return walk(root, path?.steps ?? []);
  });
}

/** Empty documents are not counted. */
function isNothing(root: SyntaxNode): boolean {
  return root.kind === 'scalar' && root.source === '' && root.anchor === undefined && root.tag === undefined;
}

function walk(root: SyntaxNode, steps: readonly string[]): SyntaxPart | undefined {
  const owners: SyntaxCollection[] = [];
  let node: SyntaxNode = root;
  for (const step of steps) {
    if (!isCollection(node)) return undefined;
    owners.push(node);
    const next = childAt(node, step);
    if (!next) return undefined;
    node = next;
  }
  return { node, owners };
}

function childAt({ kind, slots }: SyntaxCollection, step: string): SyntaxNode | undefined {
  if (kind === 'map') return slots.findLast(({ key }) => key?.value === step)?.value;
  return /^(?:0|[1-9]\d*)$/.test(step) ? slots[Number(step)]?.value : undefined;
}
