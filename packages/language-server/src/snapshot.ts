import { type Phase, PROFILES } from '@tollgate/catalog';
import type { Target } from '@tollgate/core/targeting';
import type { Diagnostic, Range, SourceText } from '@tollgate/diagnostics';
import {
  type Analysis,
  checkInvariant,
  type DocumentNode,
  type EmbeddedPolicy,
  type EmbeddedSettings,
  entryOf,
  invariantContext,
  type MappedText,
  offsetInPolicy,
  type PartPath,
  type PhaseEnvironments,
  type Policy,
  parseDocuments,
  rangeInFile,
  readInvariants,
  type WrittenInvariant,
} from '@tollgate/policy';
import type { DocumentKind, Project } from './host.ts';
import type { Replaced } from './protocol.ts';

/** A policy of a document with what it was checked against. */
export interface AnalysedPolicy {
  readonly policy: Policy;
  readonly target: Target;
  readonly environments: PhaseEnvironments;
  /** Path within the document; undefined for a document that is a policy. */
  readonly part: PartPath | undefined;
  /** What follows `#` on the command line; undefined if the file is the policy. */
  readonly address: string | undefined;
}

/** The expressions of a file of invariants. */
export interface Claims {
  /** The phase whose variables they may use. */
  readonly phase: Phase;
  readonly texts: readonly MappedText[];
  /** The policy that they are about, with the variables of its decisions. */
  readonly tested: AnalysedPolicy;
}

/** A policy inside a string or code fence of a document. */
export interface EmbeddedSnapshot {
  readonly embedded: EmbeddedPolicy;
  /** Of the document that the string contains; offsets in it are not those of the file. */
  readonly snapshot: Snapshot;
}

/** The last version of a document that could be read, and what was edited since. */
export interface LastGood {
  readonly snapshot: Snapshot;
  readonly edited: Replaced | undefined;
}

/** Returns where a range of the last good version is now; undefined if it was edited. */
export function movedSince({ edited }: LastGood, { start, end }: Range): Range | undefined {
  if (!edited) return { start, end };
  const { range, length } = edited;
  const by = length - (range.end - range.start);
  if (end <= range.start) return { start, end };
  if (start >= range.end) return { start: start + by, end: end + by };
  return start <= range.start && end >= range.end ? { start, end: end + by } : undefined;
}

/** Returns where a range of the last good version is now, without the parts of it that were removed. A range inside another one stays in it. */
export function keptSince({ edited }: LastGood, { start, end }: Range): Range {
  if (!edited) return { start, end };
  const { range, length } = edited;
  const by = length - (range.end - range.start);
  const moved = (offset: number, inside: number) =>
    offset <= range.start ? offset : offset >= range.end ? offset + by : inside;
  return { start: moved(start, range.start), end: moved(end, range.start + length) };
}

/** A version of a document with everything that is known about it. Immutable. */
export interface Snapshot {
  readonly uri: string;
  /** Path of the file; the URI if it is not a file. */
  readonly path: string;
  readonly version: number;
  readonly languageId: string;
  readonly source: SourceText;
  readonly kind: DocumentKind;
  readonly project: Project;
  /** How embedded policies are found. */
  readonly embeddedSettings: EmbeddedSettings;
  /** Those whose offsets are the document's own. */
  readonly policies: readonly AnalysedPolicy[];
  /** All policies embedded in the file. */
  readonly embedded: readonly EmbeddedSnapshot[];
  /** What policies of this document are checked against; undefined for other documents. */
  readonly target: Target | undefined;
  /** The root of a document that is not a policy. */
  readonly root: DocumentNode | undefined;
  readonly comments: readonly Range[];
  /** The errors and warnings of the analysis, in document order. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the expressions of invariants are checked against; undefined for other documents, and if their policy cannot be read. */
  readonly claims: Claims | undefined;
  /** The policy that policy tests are about; undefined for other documents, and if it cannot be read. */
  readonly tested: AnalysedPolicy | undefined;
  /** For a document that cannot be read while it is edited: what outline, lenses, colours and references are taken from. */
  readonly lastGood: LastGood | undefined;
  /** What the next edit starts from; undefined if the document is analysed as a whole after each edit. */
  readonly base: Analysis | undefined;
}

/**
 * Returns a snapshot that shows what a document had before, if rules, tests or keys have vanished that nobody touched. People type through
 * states that are no YAML, or YAML of another shape: a line indented too little ends the string that a policy is in.
 */
export function keepingShown(now: Snapshot, good: LastGood | undefined): Snapshot {
  if (!good || isEmptied(now)) return now;
  const before = shownRanges(good.snapshot).map(range => ({ range, moved: movedSince(good, range) }));
  const lengthOf = ({ start, end }: Range) => end - start;
  const untouched = before.filter(({ range, moved }) => moved && lengthOf(moved) === lengthOf(range)).length;
  const shown = shownRanges(now).length;
  // What an edit bridges has its types, as it was before.
  const isBroken = now.base === undefined && now.diagnostics.some(one => UNREADABLE.test(one.code));
  const isMore = isBroken ? shown > before.filter(one => one.moved).length : shown >= untouched;
  return isMore ? now : { ...now, lastGood: good };
}

/** What is read of such documents may lack its types. */
const UNREADABLE = /^(?:yaml|json|limit|hcl)\//;

/** Returns true if a document has something to show. */
export function hasContent(snapshot: Snapshot): boolean {
  return shownRanges(snapshot).length > 0;
}

/** A document that was emptied, or became one of another tool, has nothing to show. */
function isEmptied({ kind, source: { text } }: Snapshot): boolean {
  return kind === 'other' ? !MENTIONS_PHASE.test(text) : text.trim() === '';
}

const MENTIONS_PHASE = new RegExp(`\\b(?:${[...new Set(PROFILES.flatMap(({ phases }) => phases))].join('|')})\\b`);

/** Returns the ranges in the file of rules, tests and keys. */
function shownRanges({ kind, policies, embedded, root }: Snapshot): readonly Range[] {
  if (kind === 'embedding')
    return embedded.flatMap(({ embedded: policy, snapshot }) =>
      shownRanges(snapshot).map(range => rangeInFile(policy, range)),
    );
  if (kind === 'policy' || kind === 'edge')
    return policies.flatMap(({ policy }) => Object.values(policy.rules).flatMap(rules => rules.map(one => one.range)));
  if (root?.kind !== 'map') return [];
  return root.entries.flatMap(({ key, keyRange, value }) =>
    value.kind === 'list' && (key === 'tests' || key === 'invariants')
      ? [keyRange, ...value.items.map(one => one.range)]
      : [keyRange],
  );
}

/** A position in a policy that a string of a document contains. */
interface EmbeddedPosition {
  readonly inner: EmbeddedSnapshot;
  /** In the policy's own document. */
  readonly offset: number;
}

/** Returns the policy in a string at an offset of the document; undefined if the offset is the document's own. */
export function embeddedAt(snapshot: Snapshot, offset: number): EmbeddedPosition | undefined {
  for (const inner of inStrings(snapshot)) {
    const at = offsetInPolicy(inner.embedded, offset);
    if (at !== undefined) return { inner, offset: at };
  }
  return undefined;
}

/** Returns the policies in strings and code fences of a document. */
export function inStrings({ embedded }: Snapshot): readonly EmbeddedSnapshot[] {
  return embedded.filter(one => one.embedded.layers.length > 0);
}

/** Returns the policy at an address in a document, also in a string of it; without an address, the first one. */
export function policyNamed(snapshot: Snapshot, address: string | undefined): AnalysedPolicy | undefined {
  const found = [...snapshot.policies, ...inStrings(snapshot).flatMap(one => one.snapshot.policies)];
  return address === undefined ? found[0] : found.find(one => one.address === address);
}

/** The keys of invariants whose values are expressions. */
export const CONDITION_KEYS: readonly (keyof WrittenInvariant)[] = ['never', 'always', 'when', 'implies'];

/** The keys of invariants whose values name rules. */
export const RULE_KEYS: readonly (keyof WrittenInvariant)[] = ['unreachable', 'never_fails'];

/** Returns the snapshot of a file of invariants without the policy that they are about. */
export function invariantsSnapshot(bare: Snapshot): Snapshot {
  const { root, comments, diagnostics } = readInvariants(bare.source);
  return { ...bare, root: root ?? parseDocuments(bare.source)[0], comments, diagnostics };
}

/** Returns the snapshot of invariants with what their expressions and the names of rules mean in a policy. */
export function withTestedPolicy(snapshot: Snapshot, tested: AnalysedPolicy | undefined): Snapshot {
  const { source, root } = snapshot;
  if (!tested) return snapshot;
  const { value, diagnostics } = readInvariants(source);
  const given = textAt(root, 'profile')?.value;
  const profile = PROFILES.find(({ name }) => name === given) ?? tested.target.profile;
  const endpoint = profile.endpoints.find(one => one === textAt(root, 'endpoint')?.value) ?? tested.target.endpoint;
  const { place, environment, profile: extended } = invariantContext(profile, endpoint);
  const environments = { ...tested.environments, [place.phase]: environment };
  const target = { ...tested.target, profile: extended, endpoint, environments };
  const found = (value?.invariants ?? []).flatMap((written, index): readonly Diagnostic[] => {
    const at = { source, root: root!, path: ['invariants', index] };
    return checkInvariant(written, at, { policy: tested.policy, profile, endpoint }).diagnostics;
  });
  return {
    ...snapshot,
    target,
    claims: { phase: place.phase, texts: conditionsIn(root), tested: { ...tested, target, environments } },
    diagnostics: [...diagnostics, ...found].toSorted((a, b) => a.range.start - b.range.start),
  };
}

/** Returns the maps of invariants in a document. */
export function invariantsIn(root: DocumentNode | undefined): readonly DocumentNode[] {
  const list = root?.kind === 'map' ? entryOf(root, 'invariants')?.value : undefined;
  return list?.kind === 'list' ? list.items : [];
}

/** Returns the string below a key. */
export function textAt(node: DocumentNode | undefined, key: string): MappedText | undefined {
  const value = node?.kind === 'map' ? entryOf(node, key)?.value : undefined;
  return value?.kind === 'scalar' ? value.text : undefined;
}

/** Returns the names of the rules of a policy; of those that have none, phase and number. */
export function ruleNames({ rules }: Policy): readonly string[] {
  return Object.values(rules)
    .flat()
    .map(({ name, phase, index }) => name?.value ?? `${phase} ${index + 1}`);
}

function conditionsIn(root: DocumentNode | undefined): readonly MappedText[] {
  return invariantsIn(root).flatMap(node => CONDITION_KEYS.flatMap(key => textAt(node, key) ?? []));
}
