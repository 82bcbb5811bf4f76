import { dirname, join, resolve } from 'node:path';
import { nearest } from '@tollgate/cel/tooling';
import type { Diagnostic, ExternalError, SourceText } from '@tollgate/diagnostics';
import { type LintSettings, readLintSettings } from '@tollgate/lint';
import { type DocumentNode, LINT_PRESETS, rangeAt } from '@tollgate/policy';
import { readSource } from '../../input/read-source.ts';
import type { Terminal } from '../../process/terminal.ts';
import { PROJECT_FILE } from '../../trust/confinement.ts';
import { searchUpward } from '../../trust/search-upward.ts';

/** A settings file with its `lint` section. */
export interface LintFile {
  readonly path: string;
  readonly source: SourceText;
  readonly lint: LintSettings;
}

/** The settings files, each after those that it extends. */
export interface ExtendedSettings {
  readonly files: readonly LintFile[];
  /** All presets in any of the files; undefined if no file names presets. */
  readonly presets: readonly string[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly ExternalError[];
}

/** Reads the `lint` section of a settings file and everything it extends. Names of lint rules are checked later. */
export async function loadExtended(
  project: Pick<LintFile, 'path' | 'source'>,
  terminal: Terminal,
): Promise<ExtendedSettings> {
  const loading = new Loading(terminal);
  await loading.add(project, []);
  const { files, diagnostics, failures, presets } = loading;
  return { files, diagnostics, failures, presets: presets.size > 0 || loading.isSaid ? [...presets] : undefined };
}

class Loading {
  readonly files: LintFile[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly failures: ExternalError[] = [];
  readonly presets = new Set<string>();
  /** True if a file names presets. */
  isSaid = false;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** A file that several others extend counts at its first position. */
  async add({ path, source }: Pick<LintFile, 'path' | 'source'>, trail: readonly string[]): Promise<void> {
    if (this.files.some(file => file.path === path)) return;
    const { value, root, diagnostics } = readLintSettings(source, undefined);
    this.diagnostics.push(...diagnostics);
    if (value === undefined) return;
    this.isSaid ||= value.extends !== undefined;
    for (const [index, name] of (value.extends ?? []).entries()) {
      const fault = await this.#extend(name, path, [...trail, path]);
      if (fault !== undefined && root) this.#report({ source, root, index }, fault);
    }
    this.files.push({ path, source, lint: value });
  }

  /** Returns the problem with a name, if any. */
  async #extend(name: string, from: string, trail: readonly string[]): Promise<SettingsFault | undefined> {
    if (LINT_PRESETS.some(preset => preset === name)) {
      this.presets.add(name);
      return undefined;
    }
    const path = pathOf(name, dirname(from));
    if (path === undefined) return { code: 'settings/unknown-name', message: unknown(name) };
    const at = trail.indexOf(path);
    if (at >= 0) {
      const circle = [...trail.slice(at), path].map(one => `\`${one}\``).join(', which extends ');
      return { code: 'settings/invalid', message: `circular \`extends\`: ${circle}` };
    }
    const source = await readSource(path, this.#terminal, { repositoryOf: dirname(from) });
    if (source instanceof Error) this.failures.push(source);
    else await this.add({ path, source }, trail);
    return undefined;
  }

  #report(
    { source, root, index }: { readonly source: SourceText; readonly root: DocumentNode; readonly index: number },
    { code, message }: SettingsFault,
  ): void {
    const range = rangeAt(root, { path: ['lint', 'extends', index] });
    this.diagnostics.push({ code, severity: 'error', message, uri: source.uri, range, args: {} });
  }
}

interface SettingsFault {
  readonly code: string;
  readonly message: string;
}

/** Returns the path of a name; undefined for a package that is not installed. */
function pathOf(name: string, directory: string): string | undefined {
  if (/^(?:\.{0,2}\/|[A-Za-z]:)/.test(name)) return resolve(directory, name);
  const file = /\.(?:ya?ml|json)$/.test(name) ? name : join(name, PROJECT_FILE);
  return searchUpward(join('node_modules', file), directory);
}

function unknown(name: string): string {
  const preset = nearest(name, LINT_PRESETS);
  const hint = preset === undefined ? '; to name a file, begin with `./`' : `; did you mean \`${preset}\`?`;
  return `no preset or installed package \`${name}\`${hint}`;
}
