import { choosePaint, jsonText } from '@tollgate/diagnostics';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { cacheFacts } from './cache-facts.ts';
import { type DoctorReport, problemsOf } from './doctor-report.ts';
import { partFacts } from './part-facts.ts';
import { settingsFacts } from './settings-facts.ts';
import { textDoctor } from './text-doctor.ts';
import { trustFacts } from './trust-facts.ts';
import { versionFacts } from './version-facts.ts';

/** The options of `tollgate doctor`. */
interface DoctorOptions {
  readonly format: 'text' | 'json';
}

/** Prints what the command runs on, which settings are in force and where they come from. Runs no code of the project. */
export async function runDoctor({ format }: DoctorOptions, terminal: Terminal): Promise<ExitCode> {
  const { project, facts } = await settingsFacts(terminal);
  const report: DoctorReport = {
    sections: [
      { name: 'Versions', facts: versionFacts() },
      { name: 'Settings', facts },
      { name: 'Trust', facts: trustFacts(project, terminal) },
      { name: 'Caches', facts: cacheFacts(terminal) },
      { name: 'Optional parts', facts: partFacts() },
    ],
  };
  const text =
    format === 'json'
      ? `${jsonText({ version: 1, problems: problemsOf(report).length, ...report }, 2)}\n`
      : textDoctor(report, choosePaint(terminal.isInteractive, terminal.env));
  terminal.write(text);
  return problemsOf(report).length > 0 ? EXIT.findings : EXIT.clean;
}
