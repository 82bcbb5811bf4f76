import { createTargeting } from '@tollgate/core/targeting';
import type { ExternalError } from '@tollgate/diagnostics';
import type { InputPart } from '../input/find-parts.ts';
import { readPolicySources } from '../input/policy-sources.ts';
import type { Terminal } from '../process/terminal.ts';
import type { CacheEntry, LintCache } from './lint-cache.ts';
import { type LintContext, LintRun, type SummarizedPolicy } from './lint-run.ts';
import { type LintSetup, loadLinting } from './loading/load-linting.ts';
import { LoadedModules } from './loading/loaded-modules.ts';
import { CACHE_FILE, fixKinds, type LintFilesOptions } from './session/lint-options.ts';
import type { LintedFiles } from './session/lint-session.ts';

/** The options of a run, and the arguments that name its files. */
export interface LintWork extends LintFilesOptions {
  readonly names: readonly string[];
  /** UTC date, such as `2027-01-01`. */
  readonly today: string;
}

/** The results for some files. */
export interface LintedPart extends LintedFiles {
  readonly summaries: readonly SummarizedPolicy[];
  /** The files in which nothing was found. */
  readonly skipped: readonly string[];
  /** What to add to the cache. */
  readonly remembered: readonly CacheEntry[];
  /** The state of the loaded modules; undefined without a cache. */
  readonly modules: string | undefined;
}

/** Loads the settings and returns a function that lints files. */
export async function prepareLint({ names, today, ...options }: LintWork, terminal: Terminal) {
  const linting = await loadLinting(options, terminal, new LoadedModules());
  const cache = options.cache ? await openCache(linting, options, today) : undefined;
  return (inputs: readonly InputPart[]) => lintInputs(inputs, { linting, options, names, terminal, cache, today });
}

/** Lints files. Unreadable files do not stop the run. */
export async function lintInputs(inputs: readonly InputPart[], context: LintContext): Promise<LintedPart> {
  const { linting, options, terminal, cache } = context;
  const run = new LintRun(context);
  const skipped: string[] = [];
  const reading = {
    ...{ at: options.at, stdinFilename: options.stdinFilename, skipped, carriers: linting.carriers, terminal },
    ...{ targetOf: createTargeting(linting.settings), isChanging: fixKinds(options).length > 0 },
  };
  const fail = (failure: ExternalError) => run.found.failures.push(failure);
  for await (const text of readPolicySources(inputs, reading, fail)) await run.lint(text);
  run.finish();
  return {
    ...run.found,
    summaries: run.summaries,
    skipped,
    remembered: cache?.takeNew() ?? [],
    modules: cache && linting.modules.state,
  };
}

/** Opens the cache of a run. */
export async function openCache(linting: LintSetup, options: LintFilesOptions, today: string): Promise<LintCache> {
  const { LintCache, settingsKey } = await import('./lint-cache.ts');
  const state = { settings: settingsKey(linting, options, today), modules: linting.modules.state };
  const { cacheFile } = options;
  return new LintCache(cacheFile ?? CACHE_FILE, state, cacheFile === undefined ? { repositoryOf: '.' } : 'user');
}
