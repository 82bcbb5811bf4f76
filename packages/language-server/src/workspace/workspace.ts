import { lintDocument } from '@tollgate/core/linting';
import { type ColumnUnit, type Diagnostic, SourceText, type TextEdit } from '@tollgate/diagnostics';
import { fixText, type Linter, type LintTextOptions, lintTests } from '@tollgate/lint';
import {
  createExpressionCache,
  type ExpressionCache,
  findingsInFile,
  type Rule,
  readEdgeDocument,
  readTestFile,
  readTests,
} from '@tollgate/policy';
import { coverageByTests } from '@tollgate/simulator';
import { layoutEdits } from '../features/formatting.ts';
import type { ReplayHits } from '../features/hints.ts';
import type { FileOfTests } from '../features/missing-tests.ts';
import type { DocumentKind, Host, Project, Trust } from '../host.ts';
import { directoryOf, pathFrom, pathOfUri, uriOfPath } from '../paths.ts';
import { joinReplaced, type Replaced, singleEdit } from '../protocol.ts';
import {
  hasContent,
  keepingShown,
  type LastGood,
  policyNamed,
  type Snapshot,
  textAt,
  withTestedPolicy,
} from '../snapshot.ts';
import {
  editSnapshot,
  isProvisional,
  mayBecomePolicy,
  moveFindings,
  type SentDocument,
  type SnapshotContext,
  takeSnapshot,
} from '../take-snapshot.ts';

/** An open document. */
interface OpenDocument {
  sent: SentDocument;
  /** Of the last version that was looked at. */
  snapshot: Snapshot | undefined;
  /** What was edited since that version. */
  edited: Replaced | undefined;
  /** The last version that could be read. */
  good: LastGood | undefined;
  /** Shifted with each edit. */
  linted: Linted | undefined;
  /** The last edits, for results about versions before them. */
  readonly recent: { readonly version: number; readonly edit: Replaced }[];
}

/** Number of edits after which a result about an earlier version is of no use. */
const MAX_RECENT = 100;

/** The open documents and what is known about them. Reads files and settings through its host only. */
export class Workspace {
  /** Directories that the user has opened. */
  readonly folders = new Set<string>();
  /** The settings files that were read, also those that others extend. */
  readonly settingsFiles = new Set<string>();
  trust: Trust = 'by-directory';
  readonly host: Host;
  readonly #columns: ColumnUnit;
  /** What the last replay of each policy counted, by the URI of the policy. */
  readonly hits = new Map<string, ReplayHits>();
  /** Receives whatever changes what documents are or how they are checked. */
  onEvent: (event: WorkspaceEvent) => void = () => {};
  readonly #documents = new Map<string, OpenDocument>();
  readonly #projects = new Map<string, Promise<Project>>();
  #expressions: ExpressionCache = createExpressionCache();
  #named: Promise<ReadonlySet<string>> | undefined;

  /** @param columns what positions of the client count */
  constructor(host: Host, columns: ColumnUnit = 'utf-16') {
    this.host = host;
    this.#columns = columns;
  }

  /** What is known about expressions, for whatever reads them again. */
  get expressions(): ExpressionCache {
    return this.#expressions;
  }

  /** The URIs of the open documents. */
  get uris(): readonly string[] {
    return [...this.#documents.keys()];
  }

  open(document: Omit<SentDocument, 'source' | 'path'>, text: string): void {
    const path = pathOfUri(document.uri);
    const sent = { ...document, path, source: new SourceText(path, text, this.#columns) };
    const nothing = { snapshot: undefined, edited: undefined, good: undefined, linted: undefined };
    this.#documents.set(document.uri, { ...nothing, sent, recent: [] });
    this.onEvent({ kind: 'open', document, text });
  }

  /** Edits an open document. */
  change(uri: string, version: number, edits: readonly TextEdit[]): void {
    const document = this.#documents.get(uri);
    if (!document) return;
    const { sent, recent } = document;
    let { source } = sent;
    for (const { range, newText } of edits) {
      source = source.edited({ range, newText });
      const edit = { range, length: newText.length };
      document.edited = joinReplaced(document.edited, edit);
      recent.push({ version, edit });
    }
    recent.splice(0, recent.length - MAX_RECENT);
    document.sent = { ...sent, version, source };
    this.onEvent({ kind: 'change', uri, version, edits });
  }

  close(uri: string): void {
    this.#documents.delete(uri);
    for (const policy of this.hits.keys()) if (policy.split('#')[0] === uri) this.hits.delete(policy);
    if (this.#documents.size === 0) this.#expressions = createExpressionCache();
    this.onEvent({ kind: 'close', uri });
  }

  /** Returns the open documents as the client sent them. */
  get sent(): readonly SentDocument[] {
    return [...this.#documents.values()].map(one => one.sent);
  }

  /** Returns an open document as the client sent it. */
  sentOf(uri: string): SentDocument | undefined {
    return this.#documents.get(uri)?.sent;
  }

  /** The version of an open document. */
  versionOf(uri: string): number | undefined {
    return this.sentOf(uri)?.version;
  }

  /** Returns the current snapshot of an open document; undefined for any other. */
  async snapshot(uri: string): Promise<Snapshot | undefined> {
    const asked = this.#documents.get(uri);
    if (!asked) return undefined;
    const project = await this.projectOf(asked.sent.path);
    const embeddedSettings = await project.embeddedSettingsOf(asked.sent.path);
    // It may have been closed or edited in the meantime.
    const document = this.#documents.get(uri);
    const context = this.#contextOf({ project, embeddedSettings });
    const snapshot = document && this.#current(document, context);
    if (document && snapshot && mayBecomePolicy(snapshot) && (await this.#namedPolicies()).has(snapshot.path))
      return shownOfDocument(document, takeSnapshot(snapshot, { ...context, isNamed: true }));
    return snapshot && this.#complete(snapshot);
  }

  /** Returns the paths that policy tests, invariants and settings in the folders name as policies. */
  #namedPolicies(): Promise<ReadonlySet<string>> {
    this.#named ??= this.#findNamed();
    return this.#named;
  }

  async #findNamed(): Promise<ReadonlySet<string>> {
    const projects = (await Promise.all(this.#projects.values())).flatMap(({ file }) => file ?? []);
    const files = (await this.filesInFolders()).filter(path => NAMING.test(path));
    const open = this.sent.map(one => one.path).filter(path => NAMING.test(path));
    const named = new Set<string>();
    for (const path of new Set([...projects, ...files, ...open])) {
      const source = this.sentOf(this.uriAt(path))?.source ?? (await this.host.readFile(path));
      if (source instanceof Error) continue;
      for (const [, name = ''] of source.text.matchAll(NAMES_POLICY)) named.add(testedPath(path, name));
    }
    return named;
  }

  /** Returns the snapshot of a document, open or not; undefined if it cannot be read. */
  async snapshotAt(path: string): Promise<Snapshot | undefined> {
    const uri = this.uriAt(path);
    const open = await this.snapshot(uri);
    if (open) return open;
    const source = await this.host.readFile(path);
    if (source instanceof Error) return undefined;
    const project = await this.projectOf(path);
    const document = {
      uri,
      path,
      version: 0,
      languageId: '',
      source: new SourceText(path, source.text, this.#columns),
    };
    const embeddedSettings = await project.embeddedSettingsOf(path);
    return this.#complete(takeSnapshot(document, this.#contextOf({ project, embeddedSettings })));
  }

  /** Returns the URI that the client uses for a file. */
  uriAt(path: string): string {
    for (const { sent } of this.#documents.values()) if (sent.path === path) return sent.uri;
    return uriOfPath(path);
  }

  /** Returns the paths of all policies and tests in the folders. */
  async filesInFolders(): Promise<readonly string[]> {
    const found = await Promise.all([...this.folders].map(folder => this.host.findFiles(folder)));
    return [...new Set(found.flat())];
  }

  /** Returns the files of tests of a policy in the folders and among the open documents. */
  async testsOf(path: string, address: string | undefined): Promise<readonly FileOfTests[]> {
    const open = this.sent.map(one => one.path);
    const paths = [...new Set([...open, ...(await this.filesInFolders())])].filter(one => TESTS_NAME.test(one));
    const read = async (file: string) => this.sentOf(this.uriAt(file))?.source ?? (await this.host.readFile(file));
    const found: FileOfTests[] = [];
    for (const one of paths) {
      const file = await readTestFile(one, { pathOf: (name, from) => pathFrom(from, name), read });
      if (file instanceof Error || !file.value) continue;
      const [name = '', part] = file.value.policy.split('#');
      if (pathFrom(one, name) === path && (part === undefined || part === address))
        found.push({ path: one, source: file.source, tests: file.value });
    }
    return found;
  }

  /** Returns what tests show about the rules of a policy document, if a lint rule asks for it; undefined if there are no tests. */
  async #coverageOf({ kind, path, policies }: Snapshot, linter: Linter): Promise<LintTextOptions['coverageOf']> {
    const [first] = policies;
    if (kind !== 'policy' || first === undefined || !readsTests(linter)) return undefined;
    const files = await this.testsOf(path, first.address);
    const { target, environments } = first;
    return coverageByTests(
      files.map(one => one.tests),
      { profile: target.profile, environments },
    );
  }

  /** Returns the snapshots of the open documents and of all policies and tests in the folders. */
  async everywhere(): Promise<readonly Snapshot[]> {
    const open = [...this.#documents.values()].map(one => one.sent.path);
    const paths = new Set([...open, ...(await this.filesInFolders())]);
    const found: Snapshot[] = [];
    for (const path of paths) {
      const one = await this.snapshotAt(path);
      if (one && one.kind !== 'other') found.push(one);
    }
    return found;
  }

  /** Returns the settings for a file. */
  projectOf(path: string): Promise<Project> {
    const [first = this.host.directory] = this.folders;
    const directory = path.includes(':') && !/^[A-Za-z]:[\\/]/.test(path) ? first : directoryOf(path);
    const known = this.#projects.get(directory) ?? this.host.loadProject(directory, this.trust);
    this.#projects.set(directory, known);
    void known.then(({ sources }) => {
      for (const { uri } of sources) this.settingsFiles.add(uri);
    });
    return known;
  }

  /** Forgets all settings; the next look at a document loads them again. */
  forgetSettings(): void {
    this.#named = undefined;
    this.#projects.clear();
    this.#expressions = createExpressionCache();
    for (const document of this.#documents.values()) document.linted = undefined;
    this.onEvent({ kind: 'settings' });
  }

  /** Forgets what depends on other files, because some have changed. */
  forgetFiles(): void {
    this.#named = undefined;
    for (const document of this.#documents.values()) {
      const { snapshot } = document;
      const isTested = snapshot?.kind === 'policy' && readsTests(snapshot.project.lintersOf(snapshot.path)?.all);
      if (snapshot?.kind === 'tests' || isTested) document.linted = undefined;
    }
    this.onEvent({ kind: 'files' });
  }

  /** Checks a document, open or not, as `tollgate lint` does. Slow lint rules and those of users run only at depth `all`. */
  async check(uri: string, depth: Depth): Promise<Checked | undefined> {
    const current = (await this.snapshot(uri)) ?? (await this.snapshotAt(pathOfUri(uri)));
    if (!current) return undefined;
    const snapshot = isProvisional(current) ? takeSnapshot(current, this.#contextOf(current)) : current;
    const rules = await this.#testedRules(snapshot);
    const { version, kind, diagnostics, target, base } = snapshot;
    const isReadable = base?.parts.size !== undefined;
    const { name: profile } = target?.profile ?? {};
    const checked = { uri, version, kind, diagnostics, profile, endpoint: target?.endpoint, isReadable };
    const linters = snapshot.project.lintersOf(snapshot.path);
    if (!linters) return { ...checked, linted: undefined, ran: undefined };
    const coverageOf = await this.#coverageOf(snapshot, linters[depth]);
    const input = {
      today: this.host.today(),
      expressions: this.#expressions,
      rules,
      ...(coverageOf && { coverageOf }),
    };
    const linted = lintSnapshot(snapshot, linters[depth], input);
    const ran = depth === 'fast' ? linters.fast.active.map(({ rule }) => rule.id) : undefined;
    return { ...checked, linted, ran };
  }

  /** Takes over what a check found. Edits since then move its findings. */
  adopt(checked: Checked): void {
    const { uri, version, diagnostics, linted, ran } = checked;
    const document = this.#documents.get(uri);
    if (!document || version > document.sent.version) return;
    const isKept = ({ code }: Diagnostic) => code === STOPPED || (ran !== undefined && !ran.some(id => id === code));
    const before = document.linted?.findings.filter(isKept) ?? [];
    const { snapshot, sent, recent } = document;
    if (version === sent.version && snapshot?.source === sent.source) {
      // Otherwise, the next look at the document reads it as a whole.
      document.snapshot = isSameDocument(snapshot, checked) ? { ...snapshot, diagnostics } : undefined;
      document.linted = linted && { ...linted, findings: [...linted.findings, ...before] };
      return;
    }
    const since = recent.filter(one => one.version > version);
    if (!linted || since.length === 0 || since.length === MAX_RECENT) return;
    const edit = since.reduce<Replaced | undefined>((all, one) => joinReplaced(all, one.edit), undefined)!;
    const moved = shifted(linted, edit);
    document.linted = { ...moved, findings: [...moved.findings, ...before] };
  }

  /** Returns a function that checks other versions of a document with all lint rules, for fixing. */
  lintingOf(snapshot: Snapshot): (source: SourceText) => readonly Diagnostic[] {
    const linters = snapshot.project.lintersOf(snapshot.path);
    const context = this.#contextOf(snapshot);
    const input = { today: this.host.today(), expressions: this.#expressions, rules: undefined };
    return source => {
      const now = takeSnapshot({ ...snapshot, source }, context);
      if (!linters) return now.diagnostics;
      const { findings, analysis } = lintSnapshot(now, linters.all, input);
      return [...analysis, ...findings].toSorted((a, b) => a.range.start - b.range.start);
    };
  }

  /** Returns the diagnostics of an open document as far as they are known. */
  async diagnostics(
    uri: string,
  ): Promise<{ readonly snapshot: Snapshot; readonly found: readonly Diagnostic[] } | undefined> {
    const snapshot = await this.snapshot(uri);
    const document = this.#documents.get(uri);
    if (!snapshot || !document) return undefined;
    return { snapshot, found: shownOf({ diagnostics: snapshot.diagnostics, linted: document.linted }) };
  }

  #current(document: OpenDocument, context: SnapshotContext): Snapshot {
    const { snapshot: before, sent, edited } = document;
    if (before?.source === sent.source && before.project === context.project) {
      if (before.version === sent.version) return before;
      document.snapshot = { ...before, version: sent.version };
      return document.snapshot;
    }
    const edit = edited ?? NO_REPLACEMENT;
    const now = before ? editSnapshot(before, sent, edit, context) : takeSnapshot(sent, context);
    if (edited && document.linted) document.linted = shifted(document.linted, edited);
    if (edited && document.good)
      document.good = { ...document.good, edited: joinReplaced(document.good.edited, edited) };
    document.snapshot = shownOfDocument(document, now);
    document.edited = undefined;
    return document.snapshot;
  }

  #contextOf({ project, embeddedSettings }: Pick<SnapshotContext, 'project' | 'embeddedSettings'>): SnapshotContext {
    return { project, embeddedSettings, expressions: this.#expressions, kindOf: this.host.kindOf, isNamed: false };
  }

  /** What invariants mean depends on the policy that they are about, and tests name its rules. */
  async #complete(snapshot: Snapshot): Promise<Snapshot> {
    if (snapshot.kind !== 'invariants' && snapshot.kind !== 'tests') return snapshot;
    const named = textAt(snapshot.root, 'policy')?.value;
    const file = named === undefined ? undefined : await this.snapshotAt(testedPath(snapshot.path, named));
    const tested = file && policyNamed(file, named?.split('#')[1]);
    return snapshot.kind === 'tests' ? { ...snapshot, tested } : withTestedPolicy(snapshot, tested);
  }

  /** Returns the rules that a file of policy tests is about. */
  async #testedRules({ kind, source, path }: Snapshot): Promise<readonly Rule[] | undefined> {
    if (kind !== 'tests') return undefined;
    const { value } = readTests(source);
    const tested = value && (await this.snapshotAt(testedPath(path, value.policy)));
    const first = tested && policyNamed(tested, value.policy.split('#')[1]);
    return first?.target.profile.phases.flatMap(phase => first.policy.rules[phase]);
  }
}

/** The lint rule that asks what tests show. */
const UNTESTED = 'test/rule-untested';

function readsTests(linter: Linter | undefined): boolean {
  return linter?.active.some(({ rule }) => rule.id === UNTESTED) === true;
}

const TESTS_NAME = /\.test\.(?:ya?ml|json)$/;
/** Files that name policies. */
const NAMING = /(?:^|[\\/])tollgate\.yaml$|\.(?:test|invariants)\.(?:ya?ml|json)$/;
const NAMES_POLICY = /(?:^|[\s{,-])["']?policy["']?[ \t]*:[ \t]*["']?([^\s"'#,{}]+)/g;

/** Returns the path of the file that policy tests name. */
function testedPath(path: string, policy: string): string {
  const [name = ''] = policy.split('#');
  return pathFrom(path, name);
}

function isSameDocument({ kind, target, base }: Snapshot, found: Checked): boolean {
  const isWhole = base === undefined || (base.parts.size !== undefined && base.parts.bridged === undefined);
  const isSameTarget = target?.profile.name === found.profile && target?.endpoint === found.endpoint;
  return kind === found.kind && isSameTarget && (isWhole || !found.isReadable);
}

/** A lint rule that did not finish does not run again until the settings change, and is reported once. */
const STOPPED = 'lint/rule-stopped';

/** Shows an earlier version as long as what it has cannot be read; remembers any other. */
function shownOfDocument(document: OpenDocument, now: Snapshot): Snapshot {
  const shown = keepingShown(now, document.good);
  if (!shown.lastGood && hasContent(now)) document.good = { snapshot: now, edited: undefined };
  return shown;
}

const NO_REPLACEMENT: Replaced = { range: { start: 0, end: 0 }, length: 0 };

function shifted({ findings, analysis, suppressed }: Linted, edit: Replaced): Linted {
  const move = (found: readonly Diagnostic[]) => moveFindings(found, edit);
  return { findings: move(findings), analysis: move(analysis), suppressed: move(suppressed) };
}

/** What changes the open documents of a workspace, or how they are checked. Plain data. */
export type WorkspaceEvent =
  | { readonly kind: 'open'; readonly document: Omit<SentDocument, 'source' | 'path'>; readonly text: string }
  | { readonly kind: 'change'; readonly uri: string; readonly version: number; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'close'; readonly uri: string }
  /** Settings have changed. */
  | { readonly kind: 'settings' }
  /** Files that are not open have changed. */
  | { readonly kind: 'files' };

/** What lint rules say about a snapshot. */
interface Linted {
  /** The findings of lint rules, without those of the analysis. */
  readonly findings: readonly Diagnostic[];
  /** Diagnostics of the analysis as settings and comments change them. */
  readonly analysis: readonly Diagnostic[];
  /** Findings that comments suppress. */
  readonly suppressed: readonly Diagnostic[];
}

/** What linting needs besides the snapshot. */
interface LintInput {
  readonly today: string;
  readonly expressions: ExpressionCache;
  /** The rules of the policy that policy tests name. */
  readonly rules: readonly Rule[] | undefined;
  /** What tests show about the rules of a policy. */
  readonly coverageOf?: NonNullable<LintTextOptions['coverageOf']>;
}

/** Returns what is shown of a check: diagnostics as comments and settings change them, and findings, in document order. */
export function shownOf({ diagnostics, linted }: Pick<Checked, 'diagnostics' | 'linted'>): readonly Diagnostic[] {
  if (!linted) return diagnostics;
  const suppressed = new Set(linted.suppressed.map(keyOf));
  const adjusted = new Map(linted.analysis.map(one => [keyOf(one), one]));
  const found = diagnostics.flatMap(one => (suppressed.has(keyOf(one)) ? [] : (adjusted.get(keyOf(one)) ?? one)));
  return [...found, ...linted.findings].toSorted((a, b) => a.range.start - b.range.start);
}

const NO_FINDINGS: Linted = { findings: [], analysis: [], suppressed: [] };

/** Runs lint rules on a snapshot, as `tollgate lint` does on the file. Never throws because of its content. */
function lintSnapshot(snapshot: Snapshot, linter: Linter, input: LintInput): Linted {
  const { kind, source, diagnostics } = snapshot;
  if (kind === 'tests') return lintPolicyTests(snapshot, linter, input);
  if (kind === 'embedding') return lintEmbedded(snapshot, linter, input);
  if (kind !== 'policy' && kind !== 'edge') return { ...NO_FINDINGS, analysis: diagnostics };
  const { target } = snapshot;
  if (!target) return NO_FINDINGS;
  const { today, expressions, coverageOf } = input;
  if (kind === 'policy') {
    const { comments, policies } = snapshot;
    const analysis = {
      policies: policies.map(one => one.policy),
      diagnostics,
      comments,
      environments: target.environments,
    };
    const options = { today, expressions, analysis, ...(coverageOf && { coverageOf }) };
    return joined([lintDocument({ source, target }, linter, options)], snapshot);
  }
  const edge = readEdgeDocument(source);
  const results = (edge?.policies ?? []).map(({ part }) =>
    lintDocument({ source, target, part }, linter, { today, expressions, ...(edge && { edge }) }),
  );
  return joined(results, snapshot);
}

function lintEmbedded(snapshot: Snapshot, linter: Linter, { today, expressions }: LintInput): Linted {
  const results = snapshot.embedded.flatMap(({ embedded, snapshot: { target, source } }) => {
    if (!target) return [];
    const result = lintDocument({ source, target, part: embedded.part }, linter, { today, expressions });
    return [{ ...result, diagnostics: findingsInFile(embedded, result.diagnostics), suppressed: [] }];
  });
  return joined(results, snapshot);
}

function lintPolicyTests(snapshot: Snapshot, linter: Linter, { today, rules }: LintInput): Linted {
  const target = snapshot.project.targetOf(snapshot.source);
  if (target instanceof Error) return { ...NO_FINDINGS, analysis: snapshot.diagnostics };
  return joined([lintTests(snapshot.source, { ...target, today, rules }, linter)], snapshot);
}

type Result = Pick<ReturnType<typeof lintTests>, 'diagnostics' | 'suppressed'>;

function joined(results: readonly Result[], { diagnostics: analysed }: Snapshot): Linted {
  const keys = new Set(analysed.map(keyOf));
  const all = results.flatMap(one => one.diagnostics);
  return {
    findings: all.filter(one => !keys.has(keyOf(one))),
    analysis: all.filter(one => keys.has(keyOf(one))),
    suppressed: results.flatMap(one => one.suppressed.map(two => two.diagnostic)),
  };
}

/** Identifies a diagnostic in its document. */
function keyOf({ code, range }: Diagnostic): string {
  return `${code} ${range.start} ${range.end}`;
}

/** How thoroughly a document is checked. */
export type Depth = 'fast' | 'all';

/** What a check of a version of a document found. Plain data. */
export interface Checked {
  readonly uri: string;
  readonly version: number;
  readonly kind: DocumentKind;
  readonly profile: string | undefined;
  readonly endpoint: string | undefined;
  /** True if a later edit of the text can be followed rule by rule. */
  readonly isReadable: boolean;
  /** Those of the analysis of the whole text. */
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined for a file that the settings ignore. */
  readonly linted: Linted | undefined;
  /** Ids of the lint rules that ran; earlier findings of all others still stand. Undefined if all ran. */
  readonly ran: readonly string[] | undefined;
}

/** Does what takes longer than a keystroke may take: in the same thread, or in another one. Documents are named by their URIs. */
export interface Checker {
  readonly check: (uri: string, depth: Depth) => Promise<Checked | undefined>;
  /** Returns the edits for the layout of `tollgate fmt`, in offsets; undefined if the document cannot be formatted. */
  readonly format: (uri: string) => Promise<readonly TextEdit[] | undefined>;
  /** Returns the edit that applies all safe fixes; undefined if there are none. */
  readonly fixAll: (uri: string) => Promise<TextEdit | undefined>;
  readonly end: () => void;
}

/** Returns a checker that works in this thread. */
export function localChecker(workspace: Workspace): Checker {
  return {
    check: (uri, depth) => workspace.check(uri, depth),
    format: async uri => {
      const snapshot = await workspace.snapshot(uri);
      return snapshot && layoutEdits(snapshot, workspace.expressions);
    },
    fixAll: async uri => {
      const snapshot = await workspace.snapshot(uri);
      if (!snapshot) return undefined;
      const { source } = snapshot;
      const { source: fixed } = fixText(source, { lint: workspace.lintingOf(snapshot), kinds: ['safe'] });
      return singleEdit(source.text, fixed.text);
    },
    end: () => {},
  };
}
