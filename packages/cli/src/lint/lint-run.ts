import { createTargeting, explainDetection } from '@tollgate/core/targeting';
import type { SourceText } from '@tollgate/diagnostics';
import type { Fence, Linter, Summaries } from '@tollgate/lint';
import {
  diagnosticInFile,
  type EmbeddedPolicy,
  findingsInFile,
  type PartPath,
  policyAt,
  readEdgeDocument,
  readInvariants,
  readTests,
  withoutPlaceholders,
} from '@tollgate/policy';
import type { PolicySource, TestsSource } from '../input/policy-sources.ts';
import { readTestedPolicy } from '../policies/tested-policy.ts';
import type { Failure } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { createFence } from '../user-code/fence.ts';
import { createLinterChoice } from './choose-linter.ts';
import type { DocumentToFix } from './fix-document.ts';
import type { LintCache } from './lint-cache.ts';
import type { LintSetup } from './loading/load-linting.ts';
import { ruleSettings } from './rule-settings.ts';
import { fixKinds, type LintFilesOptions, minimumSeverity } from './session/lint-options.ts';
import { type LintedFiles, type LintedSource, LintSession, type SourceToLint } from './session/lint-session.ts';
import { TestCoverage } from './test-coverage.ts';

/** What all files of a run are linted with. */
export interface LintContext {
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
  fence: Fence,
): (path: string) => Linter | undefined {
  return createLinterChoice({
    ...{ rules, directory, presets: options.preset, settings: ruleSettings(options, rules), fence },
    lint: options.ignore === false ? { ...lint, ignore: [] } : lint,
    minimumSeverity: minimumSeverity(options),
  });
}

/** Lints files one after the other. */
export class LintRun {
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
    this.#linterOf = lintersOf(linting, options, createFence(options.ruleTimeout));
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
      ? await this.#fix({ ...text, lint, policy: text, carriers: await this.#context.linting.carriers(text.path) })
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
    const { settings, carriers } = linting;
    const tested = tests && (await readTestedPolicy(path, tests, { settings, carriers, terminal }));
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
      ? await this.#fix({ path, embedded: policyAt(source, { document: undefined, steps: [] }), lint, carriers: {} })
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
