import { normalized } from './expression-text.ts';
import { findRoles, type PolicyRoles } from './policy-roles.ts';
import { readSyntax } from './read-syntax.ts';
import type { SyntaxNode } from './syntax-tree.ts';
import { TextLines } from './text-lines.ts';
import { isAmbiguous } from './text-style.ts';

/** Whether two texts have the same documents, the order of keys and the layout of expressions aside, and the same comments. */
export function hasSameContent(before: string, after: string, phases: readonly string[]): boolean {
  return contentOf(before, phases) === contentOf(after, phases);
}

function contentOf(text: string, phases: readonly string[]): string {
  const documents = readSyntax(new TextLines(text));
  const values = documents.map(({ root, directives }) => [directives, describe(root, findRoles(root, phases))]);
  const comments = documents.flatMap(document => document.comments.map(comment => comment.text)).sort();
  return JSON.stringify({ values, comments });
}

function describe(node: SyntaxNode | undefined, roles: PolicyRoles): unknown {
  if (!node) return null;
  if (node.kind === 'alias') return { alias: node.name };
  const { anchor, tag } = node;
  if (node.kind === 'scalar') {
    const isText = node.style !== 'plain' || !isAmbiguous(node.value);
    const value = roles.of(node) === 'expression' && isText ? normalized(node.value) : node.value;
    return { anchor, tag, isText, value };
  }
  const slots = node.slots.map(({ key, value }) => [describe(key, roles), describe(value, roles)]);
  // The order of keys means nothing but to merged maps.
  const isFree = node.kind === 'map' && roles.keysOf(node).length > 0;
  const ordered = isFree ? slots.map(slot => JSON.stringify(slot)).sort() : slots;
  return { kind: node.kind, anchor, tag, slots: ordered };
}
