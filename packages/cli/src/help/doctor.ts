// `tollgate doctor`: what the command finds on this computer and in this project.

import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROFILES, SOURCE_DATES } from '@tollgate/catalog';
import { choosePaint, jsonText, type Paint, printable } from '@tollgate/diagnostics';
import { formatCount } from '@tollgate/reports';
import { tryGit } from '../input/git.ts';
import { type LoadedSettings, loadSettings, modulesOf } from '../input/load-settings.ts';
import { BASELINE_FILE, CACHE_FILE } from '../lint/lint-options.ts';
import { cacheDirectory } from '../process/code-cache.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { VERSION } from '../process/version.ts';
import { PROJECT_FILE } from '../trust/confinement.ts';
import { readTrust, requireTrust, trustFile } from '../trust/trusted-directories.ts';

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

/** What `tollgate doctor` found. */
interface DoctorReport {
  readonly sections: readonly DoctorSection[];
}

/** Facts about one part of the installation. */
interface DoctorSection {
  readonly name: string;
  readonly facts: readonly DoctorFact[];
}

/** One fact. */
interface DoctorFact {
  readonly name: string;
  readonly value: string;
  /** Where it comes from: a line of a file, an environment variable, or `default`. */
  readonly from?: string;
  /** What to do, if this is a problem. */
  readonly problem?: string;
}

/** Returns the facts that are problems. */
function problemsOf({ sections }: DoctorReport): readonly DoctorFact[] {
  return sections.flatMap(({ facts }) => facts.filter(({ problem }) => problem !== undefined));
}

/** Returns the report for a terminal. */
function textDoctor(report: DoctorReport, paint: Paint): string {
  const parts = report.sections.map(({ name, facts }) => {
    const width = Math.max(...facts.map(fact => fact.name.length));
    return [paint('strong', name), ...facts.flatMap(fact => linesOf(fact, width, paint))].join('\n');
  });
  const count = problemsOf(report).length;
  const summary = count === 0 ? 'no problems' : `${count} ${count === 1 ? 'problem' : 'problems'}`;
  return `${[...parts, paint('strong', summary)].join('\n\n')}\n`;
}

function linesOf({ name, value, from, problem }: DoctorFact, width: number, paint: Paint): readonly string[] {
  const origin = from === undefined ? '' : paint('frame', `  (${printable(from)})`);
  const line = `  ${name.padEnd(width)}  ${printable(value)}${origin}`;
  return problem === undefined ? [line] : [line, `  ${' '.repeat(width)}  ${paint('error', printable(problem))}`];
}

/** Returns the versions of the command, of what it runs on, and of its catalog. */
function versionFacts(): readonly DoctorFact[] {
  const command = process.argv[1] ?? process.execPath;
  const git = tryGit(dirname(process.execPath), ['--version'])?.replace(/^git version /, '');
  return [
    { name: 'tollgate', value: VERSION, from: `${command}${isClone(command) ? ', a clone' : ''}` },
    { name: runtimeName(), value: runtimeVersion(), from: process.execPath },
    { name: 'platform', value: `${process.platform} ${process.arch}` },
    git === undefined
      ? { name: 'git', value: 'not found; `--changed` and `--staged` need it' }
      : { name: 'git', value: git },
    ...PROFILES.map(({ name }) => ({ name, value: `catalog data of ${SOURCE_DATES[name]}` })),
  ];
}

function isClone(command: string): boolean {
  return existsSync(join(dirname(command), '../src/main.ts'));
}

function runtimeName(): string {
  const { bun, deno } = process.versions;
  if (bun !== undefined) return 'Bun';
  return deno === undefined ? 'Node' : 'Deno';
}

function runtimeVersion(): string {
  const { bun, deno, node } = process.versions;
  return bun ?? deno ?? node;
}

/** Packages that not everybody needs, and what they are for. */
const PARTS = [
  { name: '@duckdb/node-api', purpose: 'traffic in CSV and Parquet files' },
  { name: 'pg', purpose: '`tollgate serve` with PostgreSQL' },
] as const;

/** Returns which optional packages are installed. A missing one is not a problem. */
function partFacts(): readonly DoctorFact[] {
  return PARTS.map(({ name, purpose }) => {
    const found = installedVersion(name);
    return found === undefined
      ? { name, value: `not installed; for ${purpose}: \`npm install ${name}\`` }
      : { name, value: found };
  });
}

/** Looks where the command would load the package from: in `node_modules` of the folders above it. */
function installedVersion(name: string): string | undefined {
  const command = process.argv[1];
  if (command === undefined || !existsSync(command)) return undefined;
  for (let folder = dirname(realpathSync(command)); ; folder = dirname(folder)) {
    const file = join(folder, 'node_modules', name, 'package.json');
    if (existsSync(file)) return versionIn(file);
    if (folder === dirname(folder)) return undefined;
  }
}

function versionIn(file: string): string {
  const { version }: { readonly version?: unknown } = JSON.parse(readFileSync(file, 'utf8'));
  return String(version);
}

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
async function settingsFacts(terminal: Terminal): Promise<SettingsFacts> {
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

/** Returns which directories are trusted, and which of the modules that settings name may run. */
function trustFacts(project: LoadedSettings['project'], { env }: Terminal): readonly DoctorFact[] {
  const store = trustFile(env);
  const list: DoctorFact =
    store === undefined
      ? { name: 'trusted directories', value: 'none: the user has no configuration directory' }
      : storedFact(store);
  const modules = modulesOf(project).map((module): DoctorFact => {
    const refusal = refusalOf(module, env, project?.path);
    return refusal === undefined
      ? { name: 'module', value: `${module} may run` }
      : { name: 'module', value: `${module} may not run`, problem: refusal };
  });
  return [list, ...modules];
}

function storedFact(store: string): DoctorFact {
  const name = 'trusted directories';
  try {
    return { name, value: String(readTrust(store).directories.length), from: store };
  } catch (error) {
    return { name, value: 'unreadable', from: store, problem: messageOf(error) };
  }
}

function refusalOf(module: string, env: Terminal['env'], namedIn: string | undefined): string | undefined {
  try {
    requireTrust(module, env, namedIn);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns where caches are, and how large. */
function cacheFacts({ env }: Terminal): readonly DoctorFact[] {
  const caches = cacheDirectory(env, process.platform);
  const compiled: DoctorFact =
    caches === undefined
      ? { name: 'compiled code', value: 'not cached: the user has no cache directory' }
      : { name: 'compiled code', value: sizeText(sizeBelow(join(caches, 'tollgate'))), from: join(caches, 'tollgate') };
  const files = [CACHE_FILE, BASELINE_FILE].flatMap(path => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? [{ name: path, value: sizeText(found.size) }] : [];
  });
  return [compiled, ...files];
}

function sizeText(bytes: number): string {
  return bytes === 0 ? 'empty' : `${formatCount(Math.ceil(bytes / 1000))} kB`;
}

function sizeBelow(directory: string): number {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    const files = entries.filter(entry => entry.isFile());
    return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  } catch {
    return 0;
  }
}
