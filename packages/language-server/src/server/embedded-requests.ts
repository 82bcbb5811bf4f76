import { type EmbeddedPolicy, rangeInFile } from '@tollgate/policy';
import { toOffsets, toRange } from '../protocol/ranges.ts';
import { inStrings } from '../snapshot/embedded-at.ts';
import type { EmbeddedSnapshot, Snapshot } from '../snapshot/snapshot.ts';

/** Converts an answer about a policy's own document into one about the file: every range in it. Takes plain data. */
export function inFile<T>(answer: T, inner: EmbeddedSnapshot, file: Snapshot): T;
export function inFile(answer: unknown, inner: EmbeddedSnapshot, file: Snapshot): unknown {
  if (Array.isArray(answer)) return answer.map(one => inFile(one, inner, file));
  if (typeof answer !== 'object' || answer === null) return answer;
  if (isRange(answer)) return toRange(file.source, rangeOf(answer, inner));
  if (isPosition(answer)) return toRange(file.source, rangeOf({ start: answer, end: answer }, inner)).start;
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, inFile(value, inner, file)]));
}

/** Returns what a feature gives for a document and for the policies in strings of it. Takes plain data. */
export function withEmbedded<T>(snapshot: Snapshot, feature: (one: Snapshot) => readonly T[]): readonly T[] {
  return [...feature(snapshot), ...inStrings(snapshot).flatMap(one => inFile(feature(one.snapshot), one, snapshot))];
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
