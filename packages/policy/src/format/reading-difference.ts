import type { Diagnostic, SourceText } from '@tollgate/diagnostics';
import { type AnalysisOptions, analyzePolicies } from '../analysis/analyze-policy.ts';
import { documentLimits, maxDiagnostics } from '../document/model/document-limits.ts';
import { type PlainValue, plainValue } from '../document/model/document-node.ts';
import { Reporter } from '../document/model/reporter.ts';
import { readDocuments } from '../document/read-document.ts';
import { normalized } from './print/format-expression.ts';
import { normalizedInterpolations } from './print/interpolated-string.ts';

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
  if (!isCollection(before) || !isCollection(after)) return Object.is(before, after) ? undefined : position.path;
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

function isCollection(value: PlainValue): value is Collection {
  return typeof value === 'object' && value !== null;
}

function entriesOf(value: Collection): ReadonlyMap<string, PlainValue> {
  return new Map(Object.entries(value));
}
