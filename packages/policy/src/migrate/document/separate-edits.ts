import type { TextEdit } from '@tollgate/diagnostics';
import { sortEdits } from '../../edits/apply-edits.ts';
import { lose, type Migrating } from './migration-state.ts';

/**
 * The edits without those that others contain or that are made twice, as happens behind aliases. Where two want different things of
 * one place, the first is made and the other reported.
 */
export function separateEdits(migrating: Migrating): readonly TextEdit[] {
  const kept: TextEdit[] = [];
  for (const edit of sortEdits(migrating.edits)) {
    const last = kept.at(-1);
    if (!last || edit.range.start >= last.range.end) kept.push(edit);
    else if (isRemoval(last) && edit.range.end <= last.range.end) continue;
    else if (isRemoval(edit) && edit.range.start === last.range.start) kept[kept.length - 1] = edit;
    else if (!isSame(edit, last)) reportConflict(migrating, edit);
  }
  return kept;
}

/** What is removed leaves nothing behind but its comments. */
function isRemoval({ newText }: TextEdit): boolean {
  return newText.replaceAll(/#.*/g, '').trim() === '';
}

function isSame(a: TextEdit, b: TextEdit): boolean {
  return a.range.start === b.range.start && a.range.end === b.range.end && a.newText === b.newText;
}

function reportConflict(migrating: Migrating, { range }: TextEdit): void {
  const message = 'what an alias refers to would have to become two different things';
  lose(migrating, { code: 'migrate/by-hand', severity: 'error', message, range });
}
