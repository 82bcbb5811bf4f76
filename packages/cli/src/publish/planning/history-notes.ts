import { describeAddress, lastApplied, MODULES, type Run, recordKey } from '@tollgate/publisher';
import { commitOf, isAncestor, projectIdOf } from '../project/commit.ts';
import type { JournalFile } from '../project/journal-file.ts';
import type { Planning } from './make-plan.ts';

/** Returns what the reader should know of the history. */
export function notesOn(planning: Planning): readonly string[] {
  const { journal, environment, project } = planning;
  const notes = [...journalNotes(journal), ...lastRunNotes({ journal, environment, project })];
  return [...notes, ...goneTargetNotes(planning)];
}

/** Names what this project has published to records that none of its targets is at any more. */
function goneTargetNotes({
  project,
  environment,
  plan,
  live,
  historyOf,
  keyed,
  journal,
  isWhole,
}: Planning): readonly string[] {
  if (!isWhole) return [];
  const id = projectIdOf(project.path);
  const logged = new Set(journal.runs.map(({ begin }) => begin.run));
  const addressed = new Set(plan.targets.map(({ ref }) => recordKey(ref)));
  return live.records.flatMap(record => {
    const history = historyOf(record);
    const [newest] = history.runs;
    if (addressed.has(recordKey(record.ref)) || newest?.environment !== environment.name) return [];
    const isOwn = logged.has(newest.run) || (id !== undefined && newest.project === id);
    const isLive = MODULES.some(
      module => record.modules[module] !== null && lastApplied(history, module, keyed)?.isLive,
    );
    if (!isOwn || !isLive) return [];
    const { ref, hostports, route } = record;
    const address = describeAddress({ kind: ref.kind, edge: hostports[0] ?? ref.edgeId ?? ref.id, route });
    const { target, who } = newest;
    return `note: no target is at ${address} any more, but what ${who} published there as \`${target}\` is still live`;
  });
}

/** Returns the number of the run that a rollback undoes; the beginning of its id if it is in the journal of another machine. */
export function undoneRun({ undoes, undoesRun }: Pick<Run['begin'], 'undoes' | 'undoesRun'>): string {
  return undoes === undefined ? (undoesRun ?? '').slice(0, 8) : String(undoes);
}

/** Says what of a journal is ignored. An entry is on disk before what it announces, so a line that is cut off hides no write. */
export function journalNotes({ isCut, path, foreign }: Omit<JournalFile, 'runs' | 'append'>): readonly string[] {
  const cut = `note: the last line of \`${path}\` is cut off, as after a crash; it is ignored`;
  const entries = foreign === 1 ? '1 entry' : `${foreign} entries`;
  const others = `note: ${entries} of \`${path}\` ${foreign === 1 ? 'was' : 'were'} not written with the history key of this user; ignored`;
  return [...(isCut ? [cut] : []), ...(foreign > 0 ? [others] : [])];
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
    notes.push(`note: run ${number} rolled back run ${undoneRun(begin)}; applying publishes it again`);
  const now = commitOf(project.directory);
  if (begin.commit !== undefined && now !== undefined && !isAncestor(project.directory, begin.commit, now)) {
    notes.push(
      `note: run ${number} published commit ${begin.commit.slice(0, 10)}, which this checkout does not contain`,
    );
  }
  return notes;
}
