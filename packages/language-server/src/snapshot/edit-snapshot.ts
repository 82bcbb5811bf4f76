import { reanalyzePolicy } from '@tollgate/policy';
import { singleEdit } from '../protocol/ranges.ts';
import type { Snapshot } from './snapshot.ts';
import {
  kindOfDocument,
  optionsFor,
  type SentDocument,
  type Surroundings,
  takeSnapshot,
  withAnalysis,
} from './take-snapshot.ts';

/**
 * Returns the snapshot of an edited document: what {@link takeSnapshot} returns, but after an edit inside one rule only that rule is read
 * again.
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
  const analysis = reanalyzePolicy(base, edit, optionsFor(now, surroundings));
  if (analysis.diagnostics.some(one => one.code === 'yaml/several-documents'))
    return takeSnapshot(document, surroundings);
  return withAnalysis({ ...before, ...document, source: analysis.parts.source }, analysis, now);
}

function isSameKind(before: Snapshot, document: SentDocument, { kindOf }: Surroundings): boolean {
  return kindOfDocument(document, kindOf) === before.kind;
}
