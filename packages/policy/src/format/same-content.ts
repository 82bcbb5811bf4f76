import type { Profile } from '@tollgate/catalog';
import type { PartPath } from '../document/model/select-part.ts';
import { isAmbiguous } from '../document/scalars/scalar-style.ts';
import { normalized } from './print/format-expression.ts';
import { normalizedInterpolations } from './print/interpolated-string.ts';
import { findRoles, type PolicyRoles } from './roles/policy-roles.ts';
import type { Role } from './roles/role.ts';
import { findParts } from './syntax/find-part.ts';
import { readSyntax } from './syntax/read-syntax.ts';
import { SourceLines } from './syntax/source-lines.ts';
import type { SyntaxNode, SyntaxScalar } from './syntax/syntax-tree.ts';

/** How to find the policies in a file. */
interface PolicyLocator {
  readonly profile: Profile;
  readonly part?: PartPath;
}

/** Returns true if two files have the same documents, apart from key order and the layout of expressions, and the same comments. */
export function hasSameContent(before: string, after: string, places: PolicyLocator): boolean {
  // Most files have been formatted before.
  if (before === after) return true;
  const known = new Map<string, string>();
  // Most expressions are written alike in both.
  const normal = (expression: string) => {
    const found = known.get(expression) ?? normalized(expression);
    known.set(expression, found);
    return found;
  };
  return contentOf(before, places, normal) === contentOf(after, places, normal);
}

type Normalize = (expression: string) => string;

function contentOf(text: string, { profile, part }: PolicyLocator, normal: Normalize): string {
  const documents = readSyntax(new SourceLines(text));
  const parts = findParts(documents, part);
  const values = documents.map(({ root, directives }, index) => {
    const roles = findRoles(root, parts[index]?.node, profile);
    const { interpolationEscape } = profile.switches;
    return [directives, describe(root, { roles, interpolationEscape, normal })];
  });
  const comments = documents.flatMap(document => document.comments.map(comment => comment.text)).sort();
  return JSON.stringify({ values, comments });
}

interface Comparison extends Pick<Profile['switches'], 'interpolationEscape'> {
  readonly roles: PolicyRoles;
  readonly normal: Normalize;
}

function describe(node: SyntaxNode | undefined, comparison: Comparison): unknown {
  if (!node) return null;
  if (node.kind === 'alias') return { alias: node.name };
  const { anchor, tag } = node;
  const { roles } = comparison;
  if (node.kind === 'scalar') {
    const isText = node.style !== 'plain' || !isAmbiguous(node.value);
    const value = isText ? comparable(node, roles.of(node), comparison) : node.value;
    return { anchor, tag, isText, value };
  }
  const slots = node.slots.map(({ key, value }) => [describe(key, comparison), describe(value, comparison)]);
  // Key order matters only for merged maps.
  const isFree = node.kind === 'map' && roles.keysOf(node).length > 0;
  const ordered = isFree ? slots.map(slot => JSON.stringify(slot)).sort() : slots;
  return { kind: node.kind, anchor, tag, slots: ordered };
}

function comparable({ value }: SyntaxScalar, role: Role, { interpolationEscape, normal }: Comparison): string {
  if (role === 'expression') return normal(value);
  return role === 'filled' ? normalizedInterpolations(value, interpolationEscape) : value;
}
