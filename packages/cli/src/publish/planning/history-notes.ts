import { commitOf, isAncestor } from '../project/commit.ts';
import type { JournalFile } from '../project/journal-file.ts';
import type { Planning } from './make-plan.ts';

/** Returns what the reader should know of the history. */
export function notesOn({ journal, environment, project }: Planning): readonly string[] {
  const cut = cutNote(journal);
  return [...(cut === undefined ? [] : [cut]), ...lastRunNotes({ journal, environment, project })];
}

/** An entry is on disk before what it announces, so a line that is cut off hides no write. */
export function cutNote({ isCut, path }: Pick<JournalFile, 'isCut' | 'path'>): string | undefined {
  return isCut ? `note: the last line of \`${path}\` is cut off, as after a crash; it is ignored` : undefined;
}

function lastRunNotes({
  journal,
  environment,
  project,
}: Pick<Planning, 'journal' | 'environment' | 'project'>): readonly string[] {
  const last = journal.runs.findLast(({ begin }) => begin.environment === environment.name);
  if (!last) return [];
  const { begin, number, modules } = last;
  const notes: string[] = [];
  if (modules.some(({ holds }) => holds === undefined)) {
    notes.push(`note: run ${number} ended without knowing what it wrote; \`tollgate apply\` finds out which`);
  }
  if (begin.command === 'rollback')
    notes.push(`note: run ${number} rolled back run ${begin.undoes}; applying publishes it again`);
  const now = commitOf(project.directory);
  if (begin.commit !== undefined && now !== undefined && !isAncestor(project.directory, begin.commit, now)) {
    notes.push(
      `note: run ${number} published commit ${begin.commit.slice(0, 10)}, which this checkout does not contain`,
    );
  }
  return notes;
}
