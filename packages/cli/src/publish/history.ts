// `tollgate history`: the runs that published, and the versions of a target.

import { ExternalError, jsonText, PLAIN, printable } from '@tollgate/diagnostics';
import { markdownTable, markdownText } from '@tollgate/diagnostics/reports';
import { type Keyed, MODULES, type RecordHistory, type RecordRun, type Run, readState } from '@tollgate/publisher';
import { tableText } from '@tollgate/reports';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { type JournalFile, openJournal, openKeyed } from './journal-file.ts';
import { ownHistories } from './live-policies.ts';
import { journalNotes, undoneRun } from './make-plan.ts';
import { openRemote } from './open-remote.ts';
import type { PlanFormat } from './plan-report.ts';
import { chooseEnvironment, loadProject, type PublishProject } from './project.ts';

/** The options of `tollgate history`. */
interface HistoryOptions {
  readonly local?: true;
  readonly format: PlanFormat;
}

/** A run, as it is listed. */
interface ListedRun {
  readonly id: string;
  /** Undefined for runs of other machines. */
  readonly number: number | undefined;
  readonly from: readonly Origin[];
  readonly begin: Pick<Run['begin'], 'time' | 'command' | 'environment' | 'who' | 'commit' | 'undoes' | 'undoesRun'>;
  readonly url: string | undefined;
  readonly outcome: string;
  readonly modules: readonly { readonly target: string; readonly module: string; readonly holds: string }[];
}

/** Where a run is known from: the journal of this machine, or what records at the edge tell. */
type Origin = 'journal' | 'edge';

/** Lists what was published, newest first: what this machine has logged, and what records at the edge tell of others. */
export async function history(
  environment: string | undefined,
  { local, format }: HistoryOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const project = await loadProject(terminal);
  if (typeof project === 'number') return project;
  const keyed = openKeyed(project, false);
  const journal = openJournal(project, keyed);
  const { runs } = journal;
  const isKnown = runs.some(({ begin }) => begin.environment === environment);
  if (environment !== undefined && !isKnown) chooseEnvironment(project, environment);
  const own = runs.filter(({ begin }) => environment === undefined || begin.environment === environment);
  const asked = local
    ? { histories: [], failure: undefined }
    : await askEdges(environment, { project, journal, keyed }, terminal);
  terminal.write(shownAs(format, listed(own, asked.histories), local === true));
  for (const note of journalNotes(journal)) printMessage(terminal, note);
  if (asked.failure === undefined) return EXIT.clean;
  printMessage(terminal, `only the journal of this machine is listed: ${asked.failure.message}`);
  return asked.failure instanceof UsageError ? EXIT.usage : EXIT.external;
}

interface Asked {
  readonly histories: readonly RecordHistory[];
  readonly failure: ExternalError | UsageError | undefined;
}

interface Asking {
  readonly project: PublishProject;
  readonly journal: JournalFile;
  readonly keyed: Keyed;
}

/** The journal is worth showing, also where the edges cannot be asked. */
async function askEdges(
  name: string | undefined,
  { project, journal, keyed }: Asking,
  terminal: Terminal,
): Promise<Asked> {
  try {
    const environment = chooseEnvironment(project, name);
    const remote = openRemote(project, environment, terminal);
    return { histories: await ownHistories({ project, environment, remote, keyed, journal }), failure: undefined };
  } catch (error) {
    if (error instanceof ExternalError || error instanceof UsageError) return { histories: [], failure: error };
    throw error;
  }
}

function listed(runs: readonly Run[], histories: readonly RecordHistory[]): readonly ListedRun[] {
  const told = Map.groupBy(
    histories.flatMap(history => history.runs),
    ({ run }) => run,
  );
  const announced = new Set(histories.flatMap(({ record }) => runsToldBy(record.metadata)));
  const own = runs.map(({ number, begin, outcome, modules }): ListedRun => {
    told.delete(begin.run);
    return {
      id: begin.run,
      number,
      from: announced.has(begin.run) ? ['journal', 'edge'] : ['journal'],
      begin,
      url: begin.url,
      outcome: outcome ?? 'open',
      modules: modules.map(({ intent, holds }) => ({
        target: intent.target,
        module: intent.module,
        holds: holds ?? 'unknown',
      })),
    };
  });
  const others = [...told.values()].map(announcedRun);
  return [...own, ...others].toSorted(({ begin: a }, { begin: b }) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
}

function runsToldBy(metadata: string): readonly string[] {
  const state = readState(metadata);
  return state.kind === 'state' ? state.runs.map(({ run }) => run) : [];
}

/** Records tell what a run was about to write, not how it ended. */
function announcedRun(list: readonly RecordRun[]): ListedRun {
  const { run, undoes: undoesRun, ...about } = list[0]!;
  const modules = list.flatMap(one =>
    MODULES.filter(module => one.modules[module]).map(module => ({ target: one.target, module, holds: 'announced' })),
  );
  const begin = { ...about, ...(undoesRun !== undefined && { undoesRun }) };
  return { id: run, number: undefined, from: ['edge'], begin, url: undefined, outcome: 'announced', modules };
}

function runJson({ id, number, from, begin, url, outcome, modules }: ListedRun) {
  const { time, command, undoes, undoesRun, environment, who, commit } = begin;
  return {
    number: number ?? null,
    run: id,
    from,
    time,
    command,
    ...(undoes !== undefined && { undoes }),
    ...(undoesRun !== undefined && { undoesRun }),
    environment,
    url: url ?? null,
    who,
    commit: commit ?? null,
    outcome,
    modules,
  };
}

/** Runs of other machines have no number here. */
const SHORT = 8;

function shownAs(format: PlanFormat, runs: readonly ListedRun[], isLocal: boolean): string {
  if (format === 'json') return `${jsonText({ version: 1, runs: runs.map(runJson) }, 2)}\n`;
  if (runs.length === 0) return `nothing was published${isLocal ? ' from this machine' : ''} yet\n`;
  const rows = runs.map(({ id, number, from, begin, outcome, modules }) =>
    [
      String(number ?? id.slice(0, SHORT)),
      begin.time.replace(/\.\d+Z$/, 'Z'),
      begin.command === 'rollback' ? `rollback of ${undoneRun(begin)}` : 'apply',
      begin.environment,
      begin.who,
      begin.commit?.slice(0, 10) ?? '-',
      outcome === 'open' ? 'killed' : outcome,
      stateText(modules),
      from.join(', '),
    ].map(printable),
  );
  const head = ['run', 'time', 'command', 'environment', 'by', 'commit', 'outcome', 'modules', 'known from'];
  if (format === 'markdown')
    return `${markdownTable(
      head,
      rows.map(row => row.map(markdownText)),
    )}\n`;
  const cells = [head, ...rows].map(row => row.map(one => ({ text: one })));
  return `${tableText(cells, ['right'], PLAIN)}\n`;
}

const STATES: Readonly<Record<string, string>> = { after: 'new', before: 'old' };

function stateText(modules: ListedRun['modules']): string {
  const counts = Map.groupBy(modules, ({ holds }) => STATES[holds] ?? holds);
  return [...counts].map(([state, list]) => `${list.length} ${state}`).join(', ') || '-';
}
