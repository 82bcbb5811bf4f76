import { jsonText, PLAIN } from '@tollgate/diagnostics';
import { markdownTable, markdownText } from '@tollgate/diagnostics/reports';
import type { Run } from '@tollgate/publisher';
import { EXIT, type ExitCode } from '../../process/exit-code.ts';
import { printMessage, type Terminal } from '../../process/terminal.ts';
import { tableText } from '../../text/table.ts';
import { cutNote, undoneRun } from '../planning/history-notes.ts';
import type { PlanFormat } from '../planning/plan-report.ts';
import { openJournal } from '../project/journal-file.ts';
import { chooseEnvironment, loadProject } from '../project/load-project.ts';

/** The options of `tollgate history`. */
export interface HistoryOptions {
  readonly format: PlanFormat;
}

/** Lists what was published, newest first. Reads only the journal. */
export async function history(
  environment: string | undefined,
  { format }: HistoryOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const project = await loadProject(terminal);
  if (typeof project === 'number') return project;
  const journal = openJournal(project);
  const { runs } = journal;
  const isKnown = runs.some(({ begin }) => begin.environment === environment);
  if (environment !== undefined && !isKnown) chooseEnvironment(project, environment);
  const shown = runs.filter(({ begin }) => environment === undefined || begin.environment === environment).toReversed();
  terminal.write(shownAs(format, shown));
  const cut = cutNote(journal);
  if (cut !== undefined) printMessage(terminal, cut);
  return EXIT.clean;
}

function runJson({ number, begin, outcome, modules }: Run) {
  const { time, command, undoes, environment, url, who, commit } = begin;
  return {
    number,
    time,
    command,
    ...(undoes !== undefined && { undoes }),
    environment,
    url,
    who,
    commit: commit ?? null,
    outcome: outcome ?? 'open',
    modules: modules.map(({ intent, holds }) => ({
      target: intent.target,
      module: intent.module,
      holds: holds ?? 'unknown',
    })),
  };
}

function shownAs(format: PlanFormat, runs: readonly Run[]): string {
  if (format === 'json') return `${jsonText({ version: 1, runs: runs.map(runJson) }, 2)}\n`;
  if (runs.length === 0) return 'nothing was published from this machine yet\n';
  const rows = runs.map(({ number, begin, outcome, modules }) => [
    String(number),
    begin.time.replace(/\.\d+Z$/, 'Z'),
    begin.command === 'rollback' ? `rollback of ${undoneRun(begin)}` : 'apply',
    begin.environment,
    begin.who,
    begin.commit?.slice(0, 10) ?? '-',
    outcome ?? 'killed',
    stateText(modules),
  ]);
  const head = ['run', 'time', 'command', 'environment', 'by', 'commit', 'outcome', 'modules'];
  if (format === 'markdown')
    return `${markdownTable(
      head,
      rows.map(row => row.map(markdownText)),
    )}\n`;
  const cells = [head, ...rows].map(row => row.map(one => ({ text: one })));
  return `${tableText(cells, ['right'], PLAIN)}\n`;
}

function stateText(modules: Run['modules']): string {
  const counts = Map.groupBy(modules, ({ holds }) =>
    holds === undefined ? 'unknown' : { after: 'new', before: 'old', foreign: 'foreign' }[holds],
  );
  return [...counts].map(([state, list]) => `${list.length} ${state}`).join(', ') || '-';
}
