// Lints the documents of a run, one after the other.

import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { TESTS_NAME } from '@tollgate/core/documents';
import { createLinterChoice } from '@tollgate/core/linting';
import { createTargeting, explainDetection } from '@tollgate/core/targeting';
import type { ExternalError, SourceText } from '@tollgate/diagnostics';
import {
  knownIds,
  type Linter,
  type LintRule,
  type LintTextOptions,
  type RuleSettings,
  type RunWithTimeout,
  ruleSettingsFaults,
  type Summaries,
} from '@tollgate/lint';
import {
  diagnosticInFile,
  type EmbeddedPolicy,
  findingsInFile,
  type PartPath,
  type PolicyTests,
  policyAt,
  readEdgeDocument,
  readInvariants,
  readTests,
  withoutPlaceholders,
} from '@tollgate/policy';
import type { InputPart } from '../input/document-parts.ts';
import { findInputs } from '../input/find-inputs.ts';
import { matchesPatterns } from '../input/load-settings.ts';
import { type PolicySource, readPolicySources, type TestsSource } from '../input/policy-sources.ts';
import { readTestedPolicy, readTestsAt, testedPath } from '../policies/load-policy.ts';
import { type Failure, UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { createTimeout } from '../trust/run-with-timeout.ts';
import type { DocumentToFix } from './fix-document.ts';
import type { CacheEntry, LintCache } from './lint-cache.ts';
import { CACHE_FILE, fixKinds, type LintFilesOptions, minimumSeverity } from './lint-options.ts';
import { type LintedFiles, type LintedSource, LintSession, type SourceToLint } from './lint-session.ts';
import { type LintSetup, loadLinting } from './load-linting.ts';
import { LoadedModules } from './loaded-modules.ts';

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
    at: options.at,
    stdinFilename: options.stdinFilename,
    skipped,
    embeddedSettings: linting.embeddedSettings,
    terminal,
    targetOf: createTargeting(linting.settings),
    isChanging: fixKinds(options).length > 0,
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

/** What all files of a run are linted with. */
interface LintContext {
  readonly linting: LintSetup;
  readonly options: LintFilesOptions;
  /** The arguments that name the files of the run. */
  readonly names: readonly string[];
  readonly terminal: Terminal;
  readonly cache: LintCache | undefined;
  readonly today: string;
}

/** What comparing files needs of a policy. */
export interface SummarizedPolicy {
  readonly uri: string;
  readonly summaries: Summaries;
  /** Its file, and where it is in it. */
  readonly file: string;
  readonly path: PartPath;
}

/** Returns the linters of a run by path; undefined for an ignored file. */
export function lintersOf(
  { rules, lint, directory }: LintSetup,
  options: LintFilesOptions,
  runWithTimeout: RunWithTimeout,
): (path: string) => Linter | undefined {
  return createLinterChoice({
    rules,
    matches: (patterns, path) => matchesPatterns(patterns, path, directory),
    presets: options.preset,
    settings: ruleSettings(options, rules),
    runWithTimeout,
    lint: options.ignore === false ? { ...lint, ignore: [] } : lint,
    minimumSeverity: minimumSeverity(options),
  });
}

/** Lints files one after the other. */
class LintRun {
  readonly found: LintedFiles = { sources: [], diagnostics: [], suppressed: [], failures: [], defects: [] };
  readonly summaries: SummarizedPolicy[] = [];
  readonly #context: LintContext;
  readonly #linterOf: (path: string) => Linter | undefined;
  readonly #session: LintSession;
  readonly #coverage: TestCoverage;
  readonly #sources = new Map<string, SourceText>();

  constructor(context: LintContext) {
    const { linting, options, names, terminal, today } = context;
    this.#context = context;
    this.#linterOf = lintersOf(linting, options, createTimeout(options.ruleTimeout));
    this.#session = new LintSession({ today, ignoresSuppressions: options.suppressions === false });
    this.#coverage = new TestCoverage(names, terminal);
  }

  async lint(text: PolicySource | TestsSource): Promise<void> {
    const linter = this.#linterOf(text.kind === 'policy' ? text.embedded.file.uri : text.source.uri);
    if (!linter) return;
    if (text.kind === 'policy') await this.#lintPolicies(text, linter);
    else if (text.kind === 'tests') await this.#lintTests(text, linter);
    else this.#addInvariants(text);
  }

  finish(): void {
    this.found.sources.push(...this.#sources.values());
  }

  async #lintPolicies(text: PolicySource, linter: Linter): Promise<void> {
    const isCovered = linter.active.some(one => one.rule.id === 'test/rule-untested');
    const coverageOf = isCovered ? await this.#coverage.of(text) : undefined;
    const whole: SourceToLint = { ...text, ...(coverageOf && { coverageOf }) };
    const lint = (source: SourceText) => {
      const linted = this.#session.lint({ ...whole, source, edge: text.edge && readEdgeDocument(source) }, linter);
      // A fix must not depend on the value of a placeholder.
      return { ...linted, diagnostics: withoutPlaceholders({ source }, linted.diagnostics) };
    };
    const { source, embedded, ...linted } = this.#isFixing()
      ? await this.#fix({
          ...text,
          lint,
          policy: text,
          embeddedSettings: await this.#context.linting.embeddedSettings(text.path),
        })
      : { source: text.source, embedded: text.embedded, ...this.#lintCached(whole, linter) };
    const explained = explainDetection(text.target, source.uri, linted.diagnostics);
    this.#addEmbedded(embedded, { ...linted, diagnostics: [...linted.diagnostics, ...explained] });
    const { file, path } = embedded;
    if (linter.active.some(one => one.rule.workspace))
      this.summaries.push({ uri: source.uri, summaries: linted.summaries, file: file.uri, path });
  }

  async #lintTests({ path, source }: TestsSource, linter: Linter): Promise<void> {
    const { value: tests } = readTests(source);
    const { linting, terminal } = this.#context;
    const { settings, embeddedSettings } = linting;
    const tested = tests && (await readTestedPolicy(path, tests, { settings, embeddedSettings, terminal }));
    if (tested instanceof Error) {
      this.found.failures.push(tested);
      return;
    }
    const target = tested?.target ?? createTargeting(settings)(source);
    if (target instanceof Error) return;
    const policy = tested?.runnable?.policy;
    const rules = policy && target.profile.phases.flatMap(phase => policy.rules[phase]);
    const lint = (one: SourceText) => this.#session.lintTests(one, { target, rules }, linter);
    const { source: now, ...linted } = this.#isFixing()
      ? await this.#fix({
          path,
          embedded: policyAt(source, { document: undefined, steps: [] }),
          lint,
          embeddedSettings: {},
        })
      : { source, ...lint(source) };
    this.#add(now, linted);
  }

  /** No lint rule looks at invariants. */
  #addInvariants({ source }: TestsSource): void {
    const { diagnostics } = readInvariants(source);
    this.#add(source, { diagnostics, suppressed: [], summaries: {}, defects: [], isComplete: true });
  }

  #addEmbedded(embedded: EmbeddedPolicy, linted: LintedSource): void {
    this.#add(embedded.file, {
      ...linted,
      diagnostics: findingsInFile(embedded, linted.diagnostics),
      suppressed: linted.suppressed.map(one => ({ ...one, diagnostic: diagnosticInFile(embedded, one.diagnostic) })),
    });
  }

  #isFixing(): boolean {
    return fixKinds(this.#context.options).length > 0;
  }

  #add(source: SourceText, { diagnostics, suppressed, defects }: LintedSource): void {
    const { found } = this;
    this.#sources.set(source.uri, source);
    found.diagnostics.push(...diagnostics);
    found.suppressed.push(...suppressed);
    found.defects.push(...defects);
  }

  /** The effect of tests does not depend on the file alone, so it cannot be cached. */
  #lintCached(text: SourceToLint, linter: Linter): LintedSource {
    const cache = text.coverageOf || text.edge ? undefined : this.#context.cache;
    const known = cache?.get(text);
    if (known) return known;
    const linted = this.#session.lint(text, linter);
    if (linted.isComplete) cache?.set(text, linted);
    return linted;
  }

  async #fix(text: Omit<DocumentToFix, 'fail'>) {
    const { failures } = this.found;
    // The traffic is read again for each fixed file.
    const fail = (failure: Failure) => {
      if (!failures.some(one => one.message === failure.message)) failures.push(failure);
    };
    const { fixDocument } = await import('./fix-document.ts');
    const fixed = await fixDocument({ ...text, fail }, this.#context.options, this.#context.terminal);
    if (fixed.failure) fail(fixed.failure);
    return fixed;
  }
}

/** Parses the values of `--rule`. Throws a {@link UsageError} if one is invalid. */
function ruleSettings(options: Pick<LintFilesOptions, 'rule'>, rules: readonly LintRule[]): RuleSettings {
  if (!options.rule) return {};
  const entries = options.rule.map(text => {
    const [id = '', severity] = text.split('=');
    if (severity === undefined) throw new UsageError(`\`--rule\` expects \`ID=SEVERITY\`, found \`${text}\``);
    return [id, severity] as const;
  });
  const settings = Object.fromEntries(entries);
  const [fault] = ruleSettingsFaults(settings, ['--rule'], knownIds(rules));
  if (fault) throw new UsageError(`\`--rule ${fault.path.slice(1).join('.')}\`: ${fault.message}`);
  return settings as RuleSettings;
}

/** The policy tests for the policies of a run: those among the linted files, and those next to each policy. */
class TestCoverage {
  readonly #names: readonly string[];
  readonly #terminal: Terminal;
  readonly #known = new Set<string>();
  readonly #tests = new Map<string, PolicyTests[]>();
  #isComplete = false;

  constructor(names: readonly string[], terminal: Terminal) {
    this.#names = names;
    this.#terminal = terminal;
  }

  /** Returns a function that runs the tests of a policy and returns what they show about its rules; undefined if there are none. */
  async of({ path, part, target }: PolicySource): Promise<LintTextOptions['coverageOf'] | undefined> {
    await this.#readAll();
    for (const beside of ['yaml', 'yml', 'json'].map(ending => path.replace(/\.[^./]+$/, `.test.${ending}`)))
      if (beside !== path && existsSync(beside)) await this.#read(beside);
    const files = this.#tests.get(keyOf(path, part));
    if (!files) return undefined;
    const { coverageByTests } = await import('@tollgate/simulator');
    const { profile, environments } = target;
    return coverageByTests(files, { profile, environments });
  }

  async #readAll(): Promise<void> {
    if (this.#isComplete) return;
    this.#isComplete = true;
    const files = { pattern: '**/*.test.{yaml,yml,json}', isIncluded: () => true, what: 'tests' };
    const { paths } = await findInputs(this.#names, files);
    for (const path of paths) if (TESTS_NAME.test(path)) await this.#read(path);
  }

  /** Unreadable and invalid files are reported elsewhere. */
  async #read(path: string): Promise<void> {
    if (this.#known.has(resolve(path))) return;
    this.#known.add(resolve(path));
    // Named by a convention: a pipe would be waited for.
    const read = await readTestsAt(path, this.#terminal, { repositoryOf: dirname(path) });
    const tests = read instanceof Error ? undefined : read.value;
    if (!tests) return;
    const { name, part } = testedPath(path, tests);
    const key = keyOf(name, part);
    this.#tests.set(key, [...(this.#tests.get(key) ?? []), tests]);
  }
}

function keyOf(path: string, part: PolicySource['part']): string {
  return `${resolve(path)}#${JSON.stringify(part)}`;
}
