import type { Terminal } from '../process/terminal.ts';
import { type LoadedSettings, loadSettings } from '../settings/load-settings.ts';
import { PROJECT_FILE } from '../trust/confinement.ts';
import type { DoctorFact } from './doctor-report.ts';

/** The project file that is in force, and each setting with the place that it comes from. */
interface SettingsFacts {
  readonly project: LoadedSettings['project'];
  readonly facts: readonly DoctorFact[];
}

/** What applies if the project file does not say otherwise. */
const DEFAULTS: Readonly<Record<string, string>> = {
  profile: 'detected in each file',
  endpoint: 'the first of the profile',
  openTypes: 'open',
  lint: 'extends: recommended',
};

/** Environment variables that change what the command does. Values may be secret, so only some are shown. */
const VARIABLES = { shown: ['TOLLGATE_TRUST', 'NO_COLOR', 'FORCE_COLOR'], hidden: ['TOLLGATE_API_KEY'] } as const;

/** Reads the settings for the working directory, without running modules that they name. */
export async function settingsFacts(terminal: Terminal): Promise<SettingsFacts> {
  const loaded = await loadSettings({ runsNoCode: true, onUntrusted: () => undefined }, terminal);
  const { project, diagnostics, failures } = loaded;
  const values: Readonly<Record<string, unknown>> = { ...project?.value };
  const file: DoctorFact = project
    ? { name: PROJECT_FILE, value: project.path }
    : { name: PROJECT_FILE, value: 'none in this directory or above; `tollgate init` writes one' };
  const invalid = [...diagnostics.map(({ message }) => message), ...failures.map(({ message }) => message)];
  const problem = { problem: `${invalid[0]}; see \`tollgate check\`` };
  return {
    project,
    facts: [
      { ...file, ...(invalid.length > 0 && problem) },
      ...Object.keys({ ...DEFAULTS, ...values }).map((name): DoctorFact => {
        const value = values[name];
        if (value === undefined) return { name, value: DEFAULTS[name]!, from: 'default' };
        return { name, value: summaryOf(value), from: `${PROJECT_FILE}:${lineOf(name, project?.source.text ?? '')}` };
      }),
      ...VARIABLES.shown.flatMap(name => {
        const value = terminal.env[name];
        return value === undefined ? [] : [{ name, value, from: 'environment' }];
      }),
      ...VARIABLES.hidden.flatMap(name =>
        terminal.env[name] === undefined ? [] : [{ name, value: 'set', from: 'environment' }],
      ),
    ],
  };
}

/** Returns a scalar, the items of a list of scalars, or the keys of anything else, whose values may be secret. */
function summaryOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (!Array.isArray(value)) return Object.keys(value).join(', ');
  const isPlain = value.every(one => typeof one !== 'object');
  return isPlain ? value.join(', ') : `${value.length} ${value.length === 1 ? 'entry' : 'entries'}`;
}

/** Returns the line of a key at the top of a file, counted from 1. */
function lineOf(key: string, text: string): number {
  return text.split('\n').findIndex(line => line.startsWith(`${key}:`)) + 1;
}
