import { reanalyzeWhileTyping } from '@tollgate/policy';
import { singleEdit } from '../protocol/ranges.ts';
import { claimsPolicy } from './claims.ts';
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
 * again. If that leaves the document unreadable as a whole, the snapshot is provisional; see {@link settleSnapshot}.
 */
export function editSnapshot(before: Snapshot, document: SentDocument, surroundings: Surroundings): Snapshot {
  const { base, source, target, project } = before;
  const edit = singleEdit(source.text, document.source.text);
  if (!edit) return { ...before, ...document, source };
  const isSame =
    project === surroundings.project && before.kind === 'policy' && isSameKind(before, document, surroundings);
  if (!base || !target || !isSame) return takeSnapshot(document, surroundings);
  const now = surroundings.project.targetOf(document.source);
  if (now instanceof Error || now.profile !== target.profile || now.endpoint !== target.endpoint)
    return takeSnapshot(document, surroundings);
  const analysis = reanalyzeWhileTyping(base, edit, optionsFor(now, surroundings));
  if (analysis.diagnostics.some(one => one.code === 'yaml/several-documents'))
    return takeSnapshot(document, surroundings);
  return withAnalysis({ ...before, ...document, source: analysis.parts.source }, analysis, now);
}

/** Returns the snapshot with the diagnostics of the whole text. Later edits still start from what could be read. */
export function settleSnapshot(snapshot: Snapshot, surroundings: Surroundings): Snapshot {
  if (snapshot.base?.parts.bridged === undefined) return snapshot;
  const whole = takeSnapshot(snapshot, surroundings);
  return { ...snapshot, diagnostics: whole.diagnostics, policies: whole.policies, comments: whole.comments };
}

/** Finding out what a document contains takes longer than reading a rule again. A policy stays one until it stops looking like one. */
function isSameKind(before: Snapshot, document: SentDocument, surroundings: Surroundings): boolean {
  const { text } = document.source;
  if (before.kind === 'policy' && (document.languageId === LANGUAGE || claimsPolicy(text))) return true;
  return kindOfDocument(document, surroundings) === before.kind;
}
