import { dirname, join } from 'node:path';
import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { createExpressionCache, type ExpressionCache, type Rule, readTests, shiftDiagnostic } from '@tollgate/policy';
import type { Host, Project, Trust } from '../project/project.ts';
import { singleEdit } from '../protocol/ranges.ts';
import { pathOfUri, uriOfPath } from '../protocol/uris.ts';
import { editSnapshot, settleSnapshot } from '../snapshot/edit-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type SentDocument, type Surroundings, takeSnapshot } from '../snapshot/take-snapshot.ts';
import { keyOf, type Linted, lintSnapshot } from './lint-snapshot.ts';

/** An open document. */
interface OpenDocument {
  sent: SentDocument;
  /** Of the last version that was looked at. */
  snapshot: Snapshot | undefined;
  /** Shifted with each edit. */
  linted: Linted | undefined;
}

/** How thoroughly a document is checked. */
export type Depth = 'fast' | 'all';

/** The open documents and what is known about them. Reads files and settings through its host only. */
export class Workspace {
  /** Directories that the user has opened. */
  readonly folders = new Set<string>();
  trust: Trust = 'by-directory';
  readonly host: Host;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #projects = new Map<string, Promise<Project>>();
  /** Lint rules of users that never finished, until the settings change. */
  readonly #stopped = new Set<string>();
  #expressions: ExpressionCache = createExpressionCache();

  constructor(host: Host) {
    this.host = host;
  }

  /** The URIs of the open documents. */
  get uris(): readonly string[] {
    return [...this.#documents.keys()];
  }

  open(document: Omit<SentDocument, 'source' | 'path'>, text: string): void {
    const path = pathOfUri(document.uri);
    const sent = { ...document, path, source: new SourceText(path, text) };
    this.#documents.set(document.uri, { sent, snapshot: undefined, linted: undefined });
  }

  /** Replaces the text of an open document. Returns false for one that is not open. */
  change(uri: string, version: number, edit: (source: SourceText) => string): boolean {
    const document = this.#documents.get(uri);
    if (!document) return false;
    const { sent } = document;
    document.sent = { ...sent, version, source: new SourceText(sent.path, edit(sent.source)) };
    return true;
  }

  close(uri: string): void {
    this.#documents.delete(uri);
    if (this.#documents.size === 0) this.#expressions = createExpressionCache();
  }

  /** The version of an open document. */
  versionOf(uri: string): number | undefined {
    return this.#documents.get(uri)?.sent.version;
  }

  /** Returns the current snapshot of an open document; undefined for any other. */
  async snapshot(uri: string): Promise<Snapshot | undefined> {
    const asked = this.#documents.get(uri);
    if (!asked) return undefined;
    const project = await this.projectOf(asked.sent.path);
    const carriers = await project.carriersOf(asked.sent.path);
    // It may have been closed or edited in the meantime.
    const document = this.#documents.get(uri);
    return document && this.#current(document, this.#surroundings({ project, carriers }));
  }

  /** Returns the snapshot of a document, open or not; undefined if it cannot be read. */
  async snapshotAt(path: string): Promise<Snapshot | undefined> {
    const uri = this.uriAt(path);
    const open = await this.snapshot(uri);
    if (open) return open;
    const source = await this.host.readFile(path);
    if (source instanceof Error) return undefined;
    const project = await this.projectOf(path);
    const document = { uri, path, version: 0, languageId: '', source: new SourceText(path, source.text) };
    const carriers = await project.carriersOf(path);
    return takeSnapshot(document, this.#surroundings({ project, carriers }));
  }

  /** Returns the URI that the client uses for a file. */
  uriAt(path: string): string {
    for (const { sent } of this.#documents.values()) if (sent.path === path) return sent.uri;
    return uriOfPath(path);
  }

  /** Returns the snapshots of the open documents and of all policies and tests in the folders. */
  async everywhere(): Promise<readonly Snapshot[]> {
    const paths = new Set([...this.#documents.values()].map(one => one.sent.path));
    for (const folder of this.folders) for (const path of await this.host.findFiles(folder)) paths.add(path);
    const found: Snapshot[] = [];
    for (const path of paths) {
      const one = await this.snapshotAt(path);
      if (one && one.kind !== 'other') found.push(one);
    }
    return found;
  }

  /** Returns the settings for a file. */
  projectOf(path: string): Promise<Project> {
    const [first = process.cwd()] = this.folders;
    const directory = path.includes(':') && !/^[A-Za-z]:[\\/]/.test(path) ? first : dirname(path);
    const known = this.#projects.get(directory) ?? this.host.loadProject(directory, this.trust);
    this.#projects.set(directory, known);
    return known;
  }

  /** Forgets all settings; the next look at a document loads them again. */
  forgetSettings(): void {
    this.#projects.clear();
    this.#stopped.clear();
    this.#expressions = createExpressionCache();
    for (const document of this.#documents.values()) document.linted = undefined;
  }

  /** Forgets what depends on other files, because some have changed. */
  forgetFiles(): void {
    for (const document of this.#documents.values()) {
      if (document.snapshot?.kind === 'tests') document.linted = undefined;
    }
  }

  /** Runs lint rules on an open document. Slow ones and those of users run only at depth `all`. */
  async lint(uri: string, depth: Depth): Promise<void> {
    const current = await this.snapshot(uri);
    const document = this.#documents.get(uri);
    if (!current || !document) return;
    const snapshot = settleSnapshot(current, this.#surroundings(current));
    document.snapshot = snapshot;
    const linters = snapshot.project.lintersOf(snapshot.path);
    if (!linters) return;
    const rules = await this.#testedRules(snapshot);
    if (document.snapshot !== snapshot) return;
    const linter = linters[depth];
    const active = linter.active.filter(({ rule }) => !this.#stopped.has(rule.id));
    const chosen = active.length === linter.active.length ? linter : linters.fast;
    const input = { today: this.host.today(), expressions: this.#expressions, rules };
    const linted = lintSnapshot(snapshot, chosen, input);
    for (const id of linted.stopped) this.#stopped.add(id);
    const ran = new Set<string>(linters.fast.active.map(({ rule }) => rule.id));
    const kept = chosen === linters.fast ? (document.linted?.findings ?? []).filter(one => !ran.has(one.code)) : [];
    document.linted = { ...linted, findings: [...linted.findings, ...kept] };
  }

  /** Returns a function that checks other versions of a document with all lint rules, for fixing. */
  lintingOf(snapshot: Snapshot): (source: SourceText) => readonly Diagnostic[] {
    const linters = snapshot.project.lintersOf(snapshot.path);
    const surroundings = this.#surroundings(snapshot);
    const input = { today: this.host.today(), expressions: this.#expressions, rules: undefined };
    return source => {
      const now = takeSnapshot({ ...snapshot, source }, surroundings);
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
    const isIgnored = snapshot.kind === 'policy' && !snapshot.project.lintersOf(snapshot.path);
    const { linted } = document;
    if (!linted || isIgnored) return { snapshot, found: snapshot.diagnostics };
    const suppressed = new Set(linted.suppressed.map(keyOf));
    const adjusted = new Map(linted.analysis.map(one => [keyOf(one), one]));
    const found = snapshot.diagnostics.flatMap(one => {
      if (suppressed.has(keyOf(one))) return [];
      return adjusted.get(keyOf(one)) ?? one;
    });
    return { snapshot, found: [...found, ...linted.findings].toSorted((a, b) => a.range.start - b.range.start) };
  }

  #current(document: OpenDocument, surroundings: Surroundings): Snapshot {
    const { snapshot: before, sent } = document;
    if (before?.source === sent.source && before.project === surroundings.project) return before;
    const now = before ? editSnapshot(before, sent, surroundings) : takeSnapshot(sent, surroundings);
    if (before && document.linted) document.linted = shifted(document.linted, before, now);
    document.snapshot = now;
    document.sent = { ...document.sent, source: now.source };
    return now;
  }

  #surroundings({ project, carriers }: Pick<Surroundings, 'project' | 'carriers'>): Surroundings {
    return { project, carriers, expressions: this.#expressions, kindOf: this.host.kindOf };
  }

  /** Returns the rules that a file of policy tests is about. */
  async #testedRules({ kind, source, path }: Snapshot): Promise<readonly Rule[] | undefined> {
    if (kind !== 'tests') return undefined;
    const { value } = readTests(source);
    const tested = value && (await this.snapshotAt(testedPath(path, value.policy)));
    const [first] = tested?.policies ?? [];
    return first?.target.profile.phases.flatMap(phase => first.policy.rules[phase]);
  }
}

/** Returns the path of the file that policy tests name. */
function testedPath(path: string, policy: string): string {
  const [name = ''] = policy.split('#');
  return name.startsWith('/') ? name : join(dirname(path), name);
}

/** Moves findings with an edit, and drops those of the edited part. */
function shifted(linted: Linted, before: Snapshot, now: Snapshot): Linted {
  const edit = singleEdit(before.source.text, now.source.text);
  if (!edit) return linted;
  const { range, newText } = edit;
  const shift = { from: range.end, by: newText.length - (range.end - range.start) };
  const move = (found: readonly Diagnostic[]) =>
    found
      .filter(one => one.range.end < range.start || one.range.start > range.end)
      .map(one => (one.range.start < range.start ? one : shiftDiagnostic(one, shift)));
  return {
    findings: move(linted.findings),
    analysis: move(linted.analysis),
    suppressed: move(linted.suppressed),
    stopped: linted.stopped,
  };
}
