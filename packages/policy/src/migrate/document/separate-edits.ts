import type { TextEdit } from '@tollgate/diagnostics';
import { sortEdits } from '../../edits/apply-edits.ts';
import { lose, type MigrationState } from './migration-state.ts';

/**
 * Returns the edits without duplicates and nested ones, which aliases cause. If two edits of one range
 * conflict, keeps the first and reports the other.
 */
export function separateEdits(migrating: MigrationState): readonly TextEdit[] {
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

function reportConflict(migrating: MigrationState, { range }: TextEdit): void {
  const message = 'the value behind an alias would need two different edits; write it out instead of using an alias';
  lose(migrating, { code: 'migrate/by-hand', severity: 'error', message, range });
}
