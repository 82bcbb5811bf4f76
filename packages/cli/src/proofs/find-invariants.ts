// The invariants that arguments name.

import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { INVARIANTS_NAME, TESTS_NAME } from '@tollgate/core/documents';
import { type Diagnostic, ExternalError, type SourceText } from '@tollgate/diagnostics';
import { readInvariants, readProject } from '@tollgate/policy';
import type { PlacedInvariant } from '@tollgate/reports';
import { splitFilePart } from '../input/document-parts.ts';
import { findInputs, POLICIES_AND_TESTS } from '../input/find-inputs.ts';
import { type LoadedSettings, matchesPatterns } from '../input/load-settings.ts';
import { readSource } from '../input/read-source.ts';
import type { PolicyChoice } from '../policies/load-policy.ts';
import type { Terminal } from '../process/terminal.ts';

/** Invariants of one policy that are written in one file. */
export interface InvariantGroup {
  /** The file that contains them. */
  readonly path: string;
  readonly choice: PolicyChoice;
  /** Overrides what the policy says. */
  readonly enabled: boolean | undefined;
  readonly invariants: readonly PlacedInvariant[];
}

/** The invariants that arguments name. */
interface FoundInvariants {
  readonly groups: readonly InvariantGroup[];
  /** The files of invariants that were read. */
  readonly sources: readonly SourceText[];
  /** Problems in them. */
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly ExternalError[];
}

/**
 * Finds invariants: those in named files and in files below named directories, those next to named policies, and those of the project file
 * whose patterns match.
 */
export async function findInvariants(
  names: readonly string[],
  project: LoadedSettings['project'],
  terminal: Terminal,
): Promise<FoundInvariants> {
  const search = new InvariantSearch(project, terminal);
  for (const name of names) await search.add(name);
  return search;
}

class InvariantSearch implements FoundInvariants {
  readonly groups: InvariantGroup[] = [];
  readonly sources: SourceText[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly failures: ExternalError[] = [];
  readonly #project: LoadedSettings['project'];
  readonly #terminal: Terminal;
  readonly #read = new Set<string>();

  constructor(project: LoadedSettings['project'], terminal: Terminal) {
    this.#project = project;
    this.#terminal = terminal;
  }

  async add(name: string): Promise<void> {
    const { name: file, part } = splitFilePart(name);
    const { paths, found, failures } = await findInputs([file], POLICIES_AND_TESTS);
    this.failures.push(...failures);
    const before = this.#read.size;
    for (const path of paths) {
      if (INVARIANTS_NAME.test(path)) await this.#addFile(path);
      else if (!TESTS_NAME.test(path))
        await this.#addPolicy(path, { isNamed: !found.has(path), part: name.slice(file.length) });
    }
    const isNothing = part === undefined && this.#read.size === before && this.failures.length === 0;
    if (isNothing && found.size > 0) this.failures.push(nothingIn(file));
  }

  async #addPolicy(
    path: string,
    { isNamed, part }: { readonly isNamed: boolean; readonly part: string },
  ): Promise<void> {
    const before = this.#read.size;
    const isOfProject = this.#addProject(path, part);
    if (!isNamed) return;
    const siblings = ['yaml', 'yml', 'json'].map(ending => path.replace(/(?:\.[^./]+)?$/, `.invariants.${ending}`));
    for (const sibling of siblings) if (existsSync(sibling)) await this.#addFile(sibling);
    if (!isOfProject && this.#read.size === before) this.failures.push(nothingFor(path, siblings[0]!));
  }

  async #addFile(path: string): Promise<void> {
    if (this.#read.size === this.#read.add(resolve(path)).size) return;
    // Named by a convention unless the user names it: a pipe would be waited for.
    const source = await readSource(path, this.#terminal, { repositoryOf: dirname(path) });
    if (source instanceof Error) {
      this.failures.push(source);
      return;
    }
    const { value, root, diagnostics } = readInvariants(source);
    this.sources.push(source);
    this.diagnostics.push(...diagnostics);
    if (value === undefined || root === undefined) return;
    const invariants = value.invariants.map((written, at) => ({
      written,
      place: { source, root, path: ['invariants', at] },
    }));
    this.groups.push({ path, choice: value, enabled: value.enabled, invariants });
  }

  /** Returns whether the project file has invariants of a policy. */
  #addProject(path: string, part: string): boolean {
    if (this.#project === undefined) return false;
    const { path: file, source, value } = this.#project;
    const { root } = readProject(source);
    const directory = dirname(file);
    const invariants = (value.invariants ?? []).flatMap((written, at) =>
      root !== undefined && matchesPatterns(written.files, path, directory)
        ? [{ written, place: { source, root, path: ['invariants', at] } }]
        : [],
    );
    const key = `${resolve(path)}${part} ${file}`;
    if (invariants.length === 0 || this.#read.size === this.#read.add(key).size) return invariants.length > 0;
    if (!this.sources.includes(source)) this.sources.push(source);
    const policy = `${relative(directory, resolve(path))}${part}`;
    this.groups.push({ path: file, choice: { policy }, enabled: undefined, invariants });
    return true;
  }
}

function nothingIn(directory: string): ExternalError {
  const message = `no invariants in \`${directory}\`; write them in \`*.invariants.yaml\` or under \`invariants\` in \`tollgate.yaml\``;
  return new ExternalError('file/none-found', message);
}

function nothingFor(path: string, sibling: string): ExternalError {
  const shown = join(dirname(path), basename(sibling));
  const message = `no invariants for \`${path}\`; write them in \`${shown}\` or under \`invariants\` in \`tollgate.yaml\``;
  return new ExternalError('file/none-found', message);
}
