import { type EmbeddedPolicy, offsetInPolicy, rangeInFile } from '@tollgate/policy';
import { toOffsets, toRange } from '../protocol/ranges.ts';
import type { EmbeddedSnapshot, Snapshot } from '../snapshot/snapshot.ts';

/** A position in a policy that a string of a document contains. */
interface EmbeddedPosition {
  readonly inner: EmbeddedSnapshot;
  /** In the policy's own document. */
  readonly offset: number;
}

/** Returns the policy in a string at an offset of the document; undefined if the offset is the document's own. */
export function embeddedAt({ embedded }: Snapshot, offset: number): EmbeddedPosition | undefined {
  for (const inner of embedded) {
    if (inner.embedded.layers.length === 0) continue;
    const at = offsetInPolicy(inner.embedded, offset);
    if (at !== undefined) return { inner, offset: at };
  }
  return undefined;
}

/** Converts an answer about a policy's own document into one about the file: every range in it. Takes plain data. */
export function inFile<T>(answer: T, inner: EmbeddedSnapshot, file: Snapshot): T;
export function inFile(answer: unknown, inner: EmbeddedSnapshot, file: Snapshot): unknown {
  if (Array.isArray(answer)) return answer.map(one => inFile(one, inner, file));
  if (typeof answer !== 'object' || answer === null) return answer;
  if (isRange(answer)) return toRange(file.source, rangeOf(answer, inner));
  if (isPosition(answer)) return toRange(file.source, rangeOf({ start: answer, end: answer }, inner)).start;
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, inFile(value, inner, file)]));
}

/** Returns what a feature gives for a position, in the policy of a string if it is in one. Takes plain data. */
export function atPosition<T>(
  snapshot: Snapshot,
  position: ProtocolPosition,
  feature: (one: Snapshot, offset: number) => T,
): T {
  const offset = snapshot.source.offsetAt(position);
  const embedded = embeddedAt(snapshot, offset);
  if (!embedded) return feature(snapshot, offset);
  return inFile(feature(embedded.inner.snapshot, embedded.offset), embedded.inner, snapshot);
}

/** Returns what a feature gives for a document and for the policies in strings of it. Takes plain data. */
export function withEmbedded<T>(snapshot: Snapshot, feature: (one: Snapshot) => readonly T[]): readonly T[] {
  const inStrings = snapshot.embedded.filter(({ embedded }) => embedded.layers.length > 0);
  return [...feature(snapshot), ...inStrings.flatMap(one => inFile(feature(one.snapshot), one, snapshot))];
}

interface ProtocolPosition {
  readonly line: number;
  readonly character: number;
}

interface ProtocolRange {
  readonly start: ProtocolPosition;
  readonly end: ProtocolPosition;
}

function isPosition(value: object): value is ProtocolPosition {
  const { line, character } = value as Partial<Record<keyof ProtocolPosition, unknown>>;
  return typeof line === 'number' && typeof character === 'number' && Object.keys(value).length === 2;
}

function rangeOf(range: ProtocolRange, { embedded, snapshot }: EmbeddedSnapshot): ReturnType<typeof rangeInFile> {
  return rangeInFile(embedded satisfies EmbeddedPolicy, toOffsets(snapshot.source, range));
}

function isRange(value: object): value is ProtocolRange {
  const { start, end } = value as Partial<Record<keyof ProtocolRange, unknown>>;
  return typeof start === 'object' && typeof end === 'object' && Object.keys(value).length === 2;
}
