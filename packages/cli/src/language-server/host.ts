// What the language server needs of the computer: files, settings and linters.

import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { contentKind } from '@tollgate/core/documents';
import { createLinterChoice } from '@tollgate/core/linting';
import { createTargeting } from '@tollgate/core/targeting';
import { type Diagnostic, ExternalError, type SourceText } from '@tollgate/diagnostics';
import { type Host, type Project, type Trust, UNTRUSTED_MODULE } from '@tollgate/language-server';
import { LINT_RULES, type LintRule } from '@tollgate/lint';
import { entryOf, parseDocuments } from '@tollgate/policy';
import { findInputs, POLICIES_AND_TESTS } from '../input/find-inputs.ts';
import { matchesPatterns } from '../input/load-settings.ts';
import { readSource } from '../input/read-source.ts';
import { type LintSetup, loadLinting } from '../lint/load-linting.ts';
import { LoadedModules } from '../lint/loaded-modules.ts';
import { UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { createTimeout } from '../trust/run-with-timeout.ts';

/** Seconds after which a custom lint rule is stopped. It holds up everything else in the editor. */
const RULE_TIMEOUT = 1;

/** Returns access to files and settings for the language server: the same settings as those of the other commands. */
export function createHost(terminal: Terminal): Host {
  const modules = new LoadedModules();
  return {
    directory: process.cwd(),
    loadProject: async (directory, trust) => {
      const loading: Loading = { trust, terminal, modules, failures: [], untrusted: [] };
      const setup = await loadSetup(existingDirectory(directory), loading);
      modules.generation += 1;
      return projectOf(directory, setup, loading);
    },
    readFile: path => readSource(path, terminal),
    findFiles: async directory => (await findInputs([resolve(directory)], POLICIES_AND_TESTS)).paths,
    kindOf: contentKind,
    today: () => new Date().toISOString().slice(0, 'yyyy-mm-dd'.length),
  };
}

/** Returns the directory or the nearest one above it that exists: a new file may be in a directory that does not exist yet. */
function existingDirectory(directory: string): string {
  const above = dirname(directory);
  return existsSync(directory) || above === directory ? directory : existingDirectory(above);
}

interface Loading {
  readonly trust: Trust;
  readonly terminal: Terminal;
  readonly modules: LoadedModules;
  readonly failures: string[];
  readonly untrusted: UntrustedModule[];
}

/** A module that settings name, and that does not run. */
interface UntrustedModule {
  readonly module: string;
  /** The settings file; undefined if something else names it. */
  readonly namedIn: string | undefined;
  readonly message: string;
}

/** Loads the settings of a directory. Modules that are not trusted are skipped, with a message. */
async function loadSetup(
  directory: string,
  { trust, terminal, modules, failures, untrusted }: Loading,
): Promise<LintSetup | undefined> {
  const env = { ...terminal.env, ...(trust === 'always' && { TOLLGATE_TRUST: '1' }) };
  const skip = ({ message }: UsageError, module: string, namedIn: string | undefined) => {
    failures.push(message);
    untrusted.push({ module, namedIn, message });
  };
  const options = {
    ruleTimeout: RULE_TIMEOUT,
    directory,
    ...(trust === 'never' && { runsNoCode: true as const }),
    onUntrusted: skip,
  };
  try {
    return await loadLinting(options, { ...terminal, env }, modules);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ExternalError)) throw error;
    failures.push(error.message);
    return undefined;
  }
}

/** Returns a warning for each module that does not run, where a settings file names it. */
function untrustedModules(
  sources: readonly SourceText[],
  untrusted: readonly UntrustedModule[],
): readonly Diagnostic[] {
  return untrusted.flatMap(({ module, namedIn, message }) => {
    const source = namedIn === undefined ? undefined : sources.find(({ uri }) => resolve(uri) === resolve(namedIn));
    const root = source && parseDocuments(source)[0];
    const lint = root?.kind === 'map' ? entryOf(root, 'lint')?.value : undefined;
    const lists = [
      root?.kind === 'map' && entryOf(root, 'env')?.value,
      lint?.kind === 'map' && entryOf(lint, 'load')?.value,
    ];
    const name = lists
      .flatMap(list => (list && list.kind === 'list' ? list.items : []))
      .find(one => one.kind === 'scalar' && resolve(dirname(namedIn!), String(one.value)) === resolve(module));
    if (!source || !name) return [];
    const { range } = name;
    return [{ code: UNTRUSTED_MODULE, severity: 'warning', message, uri: source.uri, range, args: { module } }];
  });
}

function projectOf(directory: string, setup: LintSetup | undefined, { failures, untrusted }: Loading): Project {
  const found = [...failures, ...(setup?.failures ?? []).map(({ message }) => message)];
  if (!setup) return { ...EMPTY, directory, failures: found };
  const linterOf = (isChosen: (rule: LintRule) => boolean) =>
    createLinterChoice({
      rules: setup.rules,
      lint: setup.lint,
      matches: (patterns, path) => matchesPatterns(patterns, path, setup.directory),
      presets: undefined,
      settings: {},
      minimumSeverity: undefined,
      runWithTimeout: createTimeout(RULE_TIMEOUT),
      isChosen,
    });
  const own = new Set(LINT_RULES.map(({ id }) => id));
  const [fast, all] = [linterOf(({ id, cost }) => cost === 'fast' && own.has(id)), linterOf(() => true)];
  return {
    directory,
    file: setup.project?.path,
    targetOf: createTargeting(setup.settings),
    lintersOf: path => {
      const [ofFast, ofAll] = [fast(path), all(path)];
      return ofFast && ofAll && { fast: ofFast, all: ofAll };
    },
    embeddedSettingsOf: setup.embeddedSettings,
    rules: () => setup.rules,
    diagnostics: [...setup.diagnostics, ...untrustedModules(setup.sources, untrusted)],
    failures: found,
    sources: setup.sources,
  };
}

const EMPTY: Omit<Project, 'directory' | 'failures'> = {
  file: undefined,
  targetOf: createTargeting({ profile: undefined, endpoint: undefined, ofFile: () => ({}), adapt: one => one }),
  lintersOf: () => undefined,
  embeddedSettingsOf: () => ({}),
  rules: () => LINT_RULES,
  diagnostics: [],
  sources: [],
};
