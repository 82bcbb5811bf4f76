import type { Target } from '@tollgate/core/targeting';
import type { TextEdit } from '@tollgate/diagnostics';
import { reanalyzeWhileTyping } from '@tollgate/policy';
import type { Replaced } from '../protocol/ranges.ts';
import { stillClaimsPolicy } from './claims.ts';
import { moveFindings } from './move-findings.ts';
import type { Snapshot } from './snapshot.ts';
import {
  kindOfDocument,
  LANGUAGE,
  optionsFor,
  type SentDocument,
  type Surroundings,
  takeSnapshot,
  withAnalysis,
} from './take-snapshot.ts';

/**
 * Returns the snapshot of an edited document: what {@link takeSnapshot} returns, but after an edit inside one rule only that rule is read
 * again. If that leaves the document unreadable as a whole, the snapshot is provisional; see {@link isProvisional}. A long document that was
 * unreadable when it was opened keeps its diagnostics until the next pause: reading it takes longer than a keystroke may take.
 */
export function editSnapshot(
  before: Snapshot,
  document: SentDocument,
  { range, length }: Replaced,
  surroundings: Surroundings,
): Snapshot {
  const { base, target, project } = before;
  const { source } = document;
  const edit = { range, newText: source.text.slice(range.start, range.start + length) };
  const isSame =
    project === surroundings.project &&
    before.kind === 'policy' &&
    isSameKind(before, document, { edit, surroundings });
  if (!base || !target || !isSame) return takeSnapshot(document, surroundings);
  if (base.parts.size === undefined && source.text.length > LONG)
    return {
      ...before,
      ...document,
      policies: [],
      comments: [],
      diagnostics: moveFindings(before.diagnostics, { range, length }),
    };
  const now = targetAfter(before, document, edit);
  if (!now || now.profile !== target.profile || now.endpoint !== target.endpoint)
    return takeSnapshot(document, surroundings);
  const analysis = reanalyzeWhileTyping(base, edit, optionsFor(now, surroundings), source);
  if (analysis.diagnostics.some(one => one.code === 'yaml/several-documents'))
    return takeSnapshot(document, surroundings);
  return withAnalysis({ ...before, ...document }, analysis, now);
}

/** Returns true if {@link takeSnapshot} may find other diagnostics or another kind or profile in the document. */
export function isProvisional({ base, kind, source }: Snapshot): boolean {
  return kind === 'policy' && base !== undefined && (base.parts.bridged !== undefined || source.text.length > LONG);
}

/** From this length on, what a document contains and its profile are not detected after each edit, which would take longer than reading a rule. */
const LONG = 50_000;

function targetAfter({ project, target }: Snapshot, { source }: SentDocument, edit: TextEdit): Target | undefined {
  if (source.text.length > LONG) return target && withEvidence(target, edit);
  const now = project.targetOf(source);
  return now instanceof Error ? undefined : now;
}

/** Moves what the profile was detected from with an edit before it. */
function withEvidence(target: Target, { range, newText }: TextEdit): Target {
  const { detected } = target;
  const { evidence } = detected ?? {};
  if (!detected || !evidence || evidence.start < range.end) return target;
  const by = newText.length - (range.end - range.start);
  return { ...target, detected: { ...detected, evidence: { start: evidence.start + by, end: evidence.end + by } } };
}

/** Finding out what a long document contains takes longer than reading a rule again. A policy stays one until it stops looking like one. */
function isSameKind(
  before: Snapshot,
  document: SentDocument,
  { edit, surroundings }: { readonly edit: TextEdit; readonly surroundings: Surroundings },
): boolean {
  const { text } = document.source;
  if (text.length > LONG && (document.languageId === LANGUAGE || stillClaimsPolicy(text, edit))) return true;
  return kindOfDocument(document, surroundings) === before.kind;
}
