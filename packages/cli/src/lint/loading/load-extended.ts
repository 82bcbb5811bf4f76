import { dirname, join, resolve } from 'node:path';
import { nearest } from '@tollgate/cel';
import type { Diagnostic, ExternalError, SourceText } from '@tollgate/diagnostics';
import { type LintSettings, readLintSettings } from '@tollgate/lint';
import { type DocumentNode, LINT_PRESETS, rangeAt } from '@tollgate/policy';
import { readSource } from '../../input/read-source.ts';
import type { Terminal } from '../../process/terminal.ts';
import { PROJECT_FILE } from '../../settings/load-settings.ts';
import { searchUpward } from '../../trust/search-upward.ts';

/** A file of settings with its section `lint`. */
export interface LintFile {
  readonly path: string;
  readonly source: SourceText;
  readonly lint: LintSettings;
}

/** The files that settings are made of, those that are extended before those that extend them. */
export interface ExtendedSettings {
  readonly files: readonly LintFile[];
  /** All presets that any of them names; undefined where none says anything. */
  readonly presets: readonly string[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly ExternalError[];
}

/** Reads the section `lint` of a project file, and what it extends. Names of lint rules are not looked at yet. */
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
  /** Whether some file says what it extends. */
  isSaid = false;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** A file that several extend counts where it comes first. */
  async add({ path, source }: Pick<LintFile, 'path' | 'source'>, trail: readonly string[]): Promise<void> {
    if (this.files.some(one => one.path === path)) return;
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

  /** What is wrong with a name, if something is. */
  async #extend(name: string, from: string, trail: readonly string[]): Promise<Fault | undefined> {
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
    const source = await readSource(path, this.#terminal);
    if (source instanceof Error) this.failures.push(source);
    else await this.add({ path, source }, trail);
    return undefined;
  }

  #report(
    { source, root, index }: { readonly source: SourceText; readonly root: DocumentNode; readonly index: number },
    { code, message }: Fault,
  ): void {
    const range = rangeAt(root, { path: ['lint', 'extends', index] });
    this.diagnostics.push({ code, severity: 'error', message, uri: source.uri, range, args: {} });
  }
}

interface Fault {
  readonly code: string;
  readonly message: string;
}

/** The file that a name stands for; undefined for a package that is not installed. */
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
