import type { Profile } from '@tollgate/catalog';
import type { PartPath } from '../document/model/select-part.ts';
import { isAmbiguous } from '../document/scalars/scalar-style.ts';
import { normalized } from './print/format-expression.ts';
import { normalizedInterpolations } from './print/interpolated-string.ts';
import { findRoles, type PolicyRoles } from './roles/policy-roles.ts';
import { findParts } from './syntax/find-part.ts';
import {
  isCollection,
  type Slot,
  type SyntaxCollection,
  type SyntaxDocument,
  type SyntaxNode,
  type SyntaxScalar,
} from './syntax/syntax-tree.ts';

/** How to find the policies in a file. */
interface PolicyLocator {
  readonly profile: Profile;
  readonly part?: PartPath;
}

/** Returns true if two files have the same documents, apart from key order and the layout of expressions, and the same comments. */
export function hasSameContent(
  before: readonly SyntaxDocument[],
  after: readonly SyntaxDocument[],
  places: PolicyLocator,
): boolean {
  const [was, is] = [rootsOf(before, places), rootsOf(after, places)];
  const { interpolationEscape } = places.profile.switches;
  return (
    was.length === is.length &&
    was.every(({ directives, root, roles }, index) => {
      const other = is[index]!;
      const comparison = { before: roles, after: other.roles, interpolationEscape };
      return isSameList(directives, other.directives) && isSame(root, other.root, comparison);
    }) &&
    isSameList(commentsIn(before), commentsIn(after))
  );
}

interface Root extends Pick<SyntaxDocument, 'directives' | 'root'> {
  readonly roles: PolicyRoles;
}

function rootsOf(documents: readonly SyntaxDocument[], { profile, part }: PolicyLocator): readonly Root[] {
  const parts = findParts(documents, part);
  return documents.map(({ directives, root }, index) => {
    return { directives, root, roles: findRoles(root, parts[index]?.node, profile) };
  });
}

function commentsIn(documents: readonly SyntaxDocument[]): readonly string[] {
  return documents.flatMap(({ comments }) => comments.map(({ text }) => text)).sort();
}

function isSameList(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((one, index) => one === after[index]);
}

interface Comparison extends Pick<Profile['switches'], 'interpolationEscape'> {
  readonly before: PolicyRoles;
  readonly after: PolicyRoles;
}

function isSame(before: SyntaxNode | undefined, after: SyntaxNode | undefined, comparison: Comparison): boolean {
  if (!before || !after) return before === after;
  if (before.kind === 'alias') return after.kind === 'alias' && before.name === after.name;
  if (after.kind === 'alias' || before.anchor !== after.anchor || before.tag !== after.tag) return false;
  if (before.kind === 'scalar') return after.kind === 'scalar' && isSameScalar(before, after, comparison);
  return isCollection(after) && isSameCollection(before, after, comparison);
}

function isSameCollection(before: SyntaxCollection, after: SyntaxCollection, comparison: Comparison): boolean {
  if (before.kind !== after.kind || before.slots.length !== after.slots.length) return false;
  // Key order matters only for merged maps.
  const isFree = before.kind === 'map' && comparison.before.keysOf(before).length > 0;
  const [was, is] = isFree ? [byKey(before), byKey(after)] : [before.slots, after.slots];
  return was.every(({ key, value }, index) => {
    const other = is[index]!;
    return isSame(key, other.key, comparison) && isSame(value, other.value, comparison);
  });
}

function byKey({ slots }: SyntaxCollection): readonly Slot[] {
  const nameOf = ({ key }: Slot) => key?.value ?? '';
  return slots.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
}

function isSameScalar(before: SyntaxScalar, after: SyntaxScalar, comparison: Comparison): boolean {
  if (isText(before) !== isText(after)) return false;
  // Most scalars are written alike in both, and expressions need not be read then.
  return before.value === after.value || isSameText(before, after, comparison);
}

/** Returns true if a scalar is a string whatever the version of YAML. */
function isText({ style, value }: SyntaxScalar): boolean {
  return style !== 'plain' || !isAmbiguous(value);
}

function isSameText(one: SyntaxScalar, other: SyntaxScalar, comparison: Comparison): boolean {
  const { before, after, interpolationEscape } = comparison;
  const role = before.of(one);
  if (role !== after.of(other) || !isText(one)) return false;
  if (role === 'expression') return normalized(one.value) === normalized(other.value);
  const normal = (value: string) => normalizedInterpolations(value, interpolationEscape);
  return role === 'filled' && normal(one.value) === normal(other.value);
}
