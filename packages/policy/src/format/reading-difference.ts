import type { Diagnostic, SourceText } from '@tollgate/diagnostics';
import { type AnalysisOptions, analyzePolicies } from '../analysis/analyze-policy.ts';
import { documentLimits, maxDiagnostics } from '../document/model/document-limits.ts';
import { type PlainValue, plainValue } from '../document/model/document-node.ts';
import { Reporter } from '../document/model/reporter.ts';
import { readText } from '../document/read-document.ts';
import { normalized } from './print/format-expression.ts';
import { normalizedFilled } from './print/interpolated-string.ts';

/**
 * Says where the documents of two texts differ when both are read again: `document 1, /inbound/0/name`. Undefined when they hold the
 * same values, the order of keys and the layout of expressions aside, and the same comments.
 */
export function readingDifference(
  before: SourceText,
  after: SourceText,
  options: Pick<AnalysisOptions, 'profile'>,
): string | undefined {
  const [was, is] = [read(before, options), read(after, options)];
  if (!was || !is) return was === is ? undefined : 'the document cannot be read any more';
  if (was.values.length !== is.values.length) return `${was.values.length} documents, then ${is.values.length}`;
  const { interpolationEscape } = options.profile.switches;
  const isSame = (a: string, b: string) =>
    normalized(a) === normalized(b) ||
    normalizedFilled(a, interpolationEscape) === normalizedFilled(b, interpolationEscape);
  for (const [index, value] of was.values.entries()) {
    const path = differingPath(value, is.values[index]!, { path: '', hasExpressions: false, isSame });
    if (path !== undefined) return `document ${index + 1}, ${path === '' ? 'the whole' : path}`;
  }
  return was.comments === is.comments ? undefined : 'the comments';
}

/**
 * The first error that policies have after they were rewritten and did not have before: one of another code, or one more of the same.
 * Undefined when there is none.
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

interface Reading {
  readonly values: readonly PlainValue[];
  /** In one string, sorted. */
  readonly comments: string;
}

/** Undefined for what cannot be read. */
function read(source: SourceText, { profile }: Pick<AnalysisOptions, 'profile'>): Reading | undefined {
  const reporter = new Reporter(source.uri, maxDiagnostics(profile));
  const { documents, comments } = readText(source, { limits: documentLimits(profile), reporter });
  if (reporter.found.some(one => one.severity === 'error')) return undefined;
  const texts = comments.map(({ start, end }) => source.text.slice(start, end).trimEnd());
  return { values: documents.map(plainValue), comments: texts.sort().join('\n') };
}

interface Place {
  readonly path: string;
  /** Whether strings here may be expressions, or have some in them. */
  readonly hasExpressions: boolean;
  readonly isSame: (a: string, b: string) => boolean;
}

function differingPath(before: PlainValue, after: PlainValue, place: Place): string | undefined {
  if (typeof before === 'string' && typeof after === 'string') {
    const isSame = before === after || (place.hasExpressions && place.isSame(before, after));
    return isSame ? undefined : place.path;
  }
  if (!isCollection(before) || !isCollection(after)) return Object.is(before, after) ? undefined : place.path;
  const [was, is] = [entriesOf(before), entriesOf(after)];
  if (Array.isArray(before) !== Array.isArray(after) || was.size !== is.size) return place.path;
  for (const [key, value] of was) {
    const other = is.get(key);
    const path = `${place.path}/${key}`;
    if (other === undefined) return path;
    const hasExpressions = place.hasExpressions || key === 'expressions' || key === 'config';
    const found = differingPath(value, other, { ...place, path, hasExpressions });
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
