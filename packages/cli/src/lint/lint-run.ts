import { createDetectionNote, createTargeting } from '@tollgate/core/targeting';
import type { Diagnostic, SourceText } from '@tollgate/diagnostics';
import { type ActiveRule, type Fence, type Linter, lintWorkspace, type Summaries } from '@tollgate/lint';
import {
  diagnosticInFile,
  type EmbeddedPolicy,
  findingsInFile,
  policyAt,
  rangeInFile,
  readEdgeDocument,
  readInvariants,
  readTests,
  withoutPlaceholders,
} from '@tollgate/policy';
import { createOnce } from '../input/once.ts';
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
import {
  defectsIn,
  type LintedFiles,
  type LintedSource,
  LintSession,
  type SourceToLint,
} from './session/lint-session.ts';
import { TestCoverage } from './test-coverage.ts';

/** The parts of a run, apart from its settings and options. */
interface RunContext {
  /** The arguments that name the files to lint. */
  readonly files: readonly string[];
  readonly terminal: Terminal;
  /** Collects the results. */
  readonly found: LintedFiles;
  readonly cache: LintCache | undefined;
  readonly today: string;
}

/** What all files of a run are linted with. */
export class LintRun {
  readonly #linterOf: (path: string) => Linter | undefined;
  readonly #linting: LintSetup;
  readonly #session: LintSession;
  readonly #options: LintFilesOptions;
  readonly #context: RunContext;
  readonly #coverage: TestCoverage;
  readonly #fence: Fence;
  readonly #explain = createDetectionNote();
  readonly #sources = new Map<string, SourceText>();
  /** By the name of their own document. */
  readonly #embedded = new Map<string, EmbeddedPolicy>();
  readonly #once = createOnce();
  readonly #summaries: { readonly uri: string; readonly summaries: Summaries }[] = [];
  /** The lint rules that compare files, as configured for the last of them. */
  readonly #comparing = new Map<string, ActiveRule>();

  constructor(linting: LintSetup, options: LintFilesOptions, context: RunContext) {
    const { rules, lint, directory } = linting;
    const settings = ruleSettings(options, rules);
    this.#fence = createFence(options.ruleTimeout);
    const chosen = options.ignore === false ? { ...lint, ignore: [] } : lint;
    this.#linterOf = createLinterChoice({
      ...{ rules, lint: chosen, directory, presets: options.preset, settings },
      minimumSeverity: minimumSeverity(options),
      fence: this.#fence,
    });
    this.#session = new LintSession({ today: context.today, ignoresSuppressions: options.suppressions === false });
    this.#linting = linting;
    this.#options = options;
    this.#context = context;
    this.#coverage = new TestCoverage(context.files, context.terminal);
  }

  async lint(text: PolicySource | TestsSource): Promise<void> {
    const linter = this.#linterOf(text.kind === 'policy' ? text.embedded.file.uri : text.source.uri);
    if (!linter) return;
    if (text.kind === 'policy') await this.#lintPolicies(text, linter);
    else if (text.kind === 'tests') await this.#lintTests(text, linter);
    else this.#addInvariants(text);
  }

  /** Compares the linted files. */
  finish(): void {
    const { sources, diagnostics } = this.#context.found;
    sources.push(...this.#sources.values());
    const { found, failures } = lintWorkspace(this.#summaries, [...this.#comparing.values()], this.#fence);
    diagnostics.push(...found.map(one => comparedInFile(this.#embedded, one)));
    this.#context.found.defects.push(...defectsIn(failures));
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
      ? await this.#fix({ ...text, lint, policy: text, carriers: await this.#linting.carriers(text.path) })
      : { source: text.source, embedded: text.embedded, ...this.#lintCached(whole, linter) };
    const explained = this.#explain(text.target, source.uri, linted.diagnostics);
    this.#addEmbedded(embedded, { ...linted, diagnostics: [...linted.diagnostics, ...explained] });
    this.#summaries.push({ uri: source.uri, summaries: linted.summaries });
    for (const one of linter.active) if (one.rule.workspace) this.#comparing.set(one.rule.id, one);
  }

  async #lintTests({ path, source }: TestsSource, linter: Linter): Promise<void> {
    const { value: tests } = readTests(source);
    const { settings, carriers } = this.#linting;
    const { terminal, found } = this.#context;
    const tested = tests && (await readTestedPolicy(path, tests, { settings, carriers, terminal }));
    if (tested instanceof Error) {
      found.failures.push(tested);
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
    this.#embedded.set(embedded.source.uri, embedded);
    this.#add(embedded.file, {
      ...linted,
      diagnostics: this.#once(findingsInFile(embedded, linted.diagnostics)),
      suppressed: linted.suppressed.map(one => ({ ...one, diagnostic: diagnosticInFile(embedded, one.diagnostic) })),
    });
  }

  #isFixing(): boolean {
    return fixKinds(this.#options).length > 0;
  }

  #add(source: SourceText, { diagnostics, suppressed, defects }: LintedSource): void {
    const { found } = this.#context;
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
    const { failures } = this.#context.found;
    // The traffic is read again for each fixed file.
    const fail = (failure: Failure) => {
      if (!failures.some(one => one.message === failure.message)) failures.push(failure);
    };
    const { fixDocument } = await import('./fix-document.ts');
    const fixed = await fixDocument({ ...text, fail }, this.#options, this.#context.terminal);
    if (fixed.failure) fail(fixed.failure);
    return fixed;
  }
}

/** Returns a finding about several files with all its locations in files. */
function comparedInFile(embedded: ReadonlyMap<string, EmbeddedPolicy>, found: Diagnostic): Diagnostic {
  const { related, ...rest } = found;
  const inFile = <T extends Pick<Diagnostic, 'uri' | 'range'>>(one: T): T => {
    const policy = embedded.get(one.uri);
    return policy ? { ...one, uri: policy.file.uri, range: rangeInFile(policy, one.range) } : one;
  };
  return { ...inFile(rest), ...(related && { related: related.map(inFile) }) };
}
