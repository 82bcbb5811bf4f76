import type { Profile } from '@tollgate/catalog';
import type { Diagnostic, SourceText } from '@tollgate/diagnostics';
import { type AnalysisOptions, analyzePolicies } from '../analysis/analyze-policy.ts';
import { documentLimits, maxDiagnostics, type PlainValue, plainValue, Reporter } from '../document/document-node.ts';
import { readDocuments } from '../document/read-document.ts';
import { isAmbiguous } from '../document/scalar-text.ts';
import type { PartPath } from '../document/select-part.ts';
import { normalized, normalizedInterpolations } from './print-scalar.ts';
import { findRoles, type PolicyRoles } from './roles.ts';
import {
  findParts,
  isCollection,
  type Slot,
  type SyntaxCollection,
  type SyntaxDocument,
  type SyntaxNode,
  type SyntaxScalar,
} from './syntax-tree.ts';

/**
 * Returns where two files differ when they are read: `document 1, /inbound/0/name`. Undefined if they have the
 * same values, apart from key order and the layout of expressions, and the same comments.
 */
export function readingDifference(
  before: SourceText,
  after: SourceText,
  options: Pick<AnalysisOptions, 'profile'>,
): string | undefined {
  const [was, is] = [read(before, options), read(after, options)];
  if (!was || !is) return was === is ? undefined : 'the document can no longer be read';
  if (was.values.length !== is.values.length) return `${was.values.length} documents, then ${is.values.length}`;
  const { interpolationEscape } = options.profile.switches;
  const isSame = (a: string, b: string) =>
    normalized(a) === normalized(b) ||
    normalizedInterpolations(a, interpolationEscape) === normalizedInterpolations(b, interpolationEscape);
  for (const [index, value] of was.values.entries()) {
    const path = differingPath(value, is.values[index]!, { path: '', hasExpressions: false, isSame });
    if (path !== undefined) return `document ${index + 1}, ${path === '' ? 'the root' : path}`;
  }
  return was.comments === is.comments ? undefined : 'the comments';
}

/**
 * Returns the first error that rewriting introduced: one with a new code, or one more with the same code.
 * Undefined if there is none.
 */
export function newError(before: SourceText, after: SourceText, options: AnalysisOptions): Diagnostic | undefined {
  const [was, is] = [before, after].map(source =>
    analyzePolicies(source, options).diagnostics.filter(one => one.severity === 'error'),
  );
  const allowed = new Map<string, number>();
  for (const { code } of was!) allowed.set(code, (allowed.get(code) ?? 0) + 1);
  return is!.find(({ code }) => {
    const left = (allowed.get(code) ?? 0) - 1;
    allowed.set(code, left);
    return left < 0;
  });
}

interface Contents {
  readonly values: readonly PlainValue[];
  /** Sorted and joined. */
  readonly comments: string;
}

/** Undefined if it cannot be read. */
function read(source: SourceText, { profile }: Pick<AnalysisOptions, 'profile'>): Contents | undefined {
  const reporter = new Reporter(source.uri, maxDiagnostics(profile));
  const { documents, comments } = readDocuments(source, { limits: documentLimits(profile), reporter });
  if (reporter.found.some(one => one.severity === 'error')) return undefined;
  const texts = comments.map(({ start, end }) => source.text.slice(start, end).trimEnd());
  return { values: documents.map(plainValue), comments: texts.sort().join('\n') };
}

interface Position {
  readonly path: string;
  /** Whether strings here may be or contain expressions. */
  readonly hasExpressions: boolean;
  readonly isSame: (a: string, b: string) => boolean;
}

function differingPath(before: PlainValue, after: PlainValue, position: Position): string | undefined {
  if (typeof before === 'string' && typeof after === 'string') {
    const isSame = before === after || (position.hasExpressions && position.isSame(before, after));
    return isSame ? undefined : position.path;
  }
  if (!isYamlCollection(before) || !isYamlCollection(after))
    return Object.is(before, after) ? undefined : position.path;
  const [was, is] = [entriesOf(before), entriesOf(after)];
  if (Array.isArray(before) !== Array.isArray(after) || was.size !== is.size) return position.path;
  for (const [key, value] of was) {
    const other = is.get(key);
    const path = `${position.path}/${key}`;
    if (other === undefined) return path;
    const hasExpressions = position.hasExpressions || key === 'expressions' || key === 'config';
    const found = differingPath(value, other, { ...position, path, hasExpressions });
    if (found !== undefined) return found;
  }
  return undefined;
}

type Collection = Extract<PlainValue, object>;

function isYamlCollection(value: PlainValue): value is Collection {
  return typeof value === 'object' && value !== null;
}

function entriesOf(value: Collection): ReadonlyMap<string, PlainValue> {
  return new Map(Object.entries(value));
}

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
