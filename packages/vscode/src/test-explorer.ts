import { dirname, resolve } from 'node:path';
import {
  BranchCoverage,
  type CancellationToken,
  commands,
  DeclarationCoverage,
  type Disposable,
  FileCoverage,
  type FileCoverageDetail,
  Location,
  Position,
  Range,
  RelativePattern,
  StatementCoverage,
  type TestController,
  type TestItem,
  TestMessage,
  type TestRun,
  TestRunProfileKind,
  type TestRunRequest,
  tests,
  Uri,
  workspace,
} from 'vscode';
import type { CommandLine } from './command-line.ts';
import { uriOf } from './policy-at-cursor.ts';
import type { ListedTest, PolicyServer, ProtocolRange } from './shared/policy-server.ts';
import { type CoveredPlace, type FileOutcome, readCoverage, readOutcome, type TestFailure } from './test-outcomes.ts';

const TEST_FILES = '**/*.test.{yaml,yml,json}';
/** Maximum number of files that are searched for tests. */
const MAX_FILES = 2000;

/** Offers policy tests in the test explorer: finds them, runs them, and shows failures at their place. */
export class TestExplorer implements Disposable {
  readonly #server: PolicyServer;
  readonly #run: CommandLine;
  readonly #controller: TestController;
  readonly #listeners: readonly Disposable[];
  readonly #listed = new Map<string, readonly ListedTest[]>();
  /** What is shown of a file once it is opened. */
  readonly #details = new WeakMap<FileCoverage, readonly FileCoverageDetail[]>();
  #isDiscovered = false;

  constructor(server: PolicyServer, run: CommandLine) {
    this.#server = server;
    this.#run = run;
    this.#controller = tests.createTestController('tollgate', 'Policy tests');
    this.#controller.resolveHandler = item => (item ? this.#update(item.uri!) : this.#discover());
    this.#controller.refreshHandler = () => this.#discover();
    this.#controller.createRunProfile(
      'Run',
      TestRunProfileKind.Run,
      (request, token) => this.#execute(request, token),
      true,
    );
    const coverage = this.#controller.createRunProfile(
      'Coverage',
      TestRunProfileKind.Coverage,
      (request, token) => this.#execute(request, token),
      true,
    );
    coverage.loadDetailedCoverage = async (_, file) => [...(this.#details.get(file) ?? [])];
    const watcher = workspace.createFileSystemWatcher(TEST_FILES);
    const again = (uri: Uri) => void (this.#isDiscovered && this.#update(uri));
    this.#listeners = [
      this.#controller,
      watcher,
      watcher.onDidCreate(again),
      watcher.onDidChange(again),
      watcher.onDidDelete(uri => this.#remove(uri)),
      workspace.onDidOpenTextDocument(({ uri }) => isTestFile(uri) && void this.#update(uri)),
      workspace.onDidChangeTextDocument(({ document: { uri } }) => isTestFile(uri) && void this.#update(uri)),
      commands.registerCommand('tollgate.runTest', (uri: string, name: string | null) =>
        this.runTest(Uri.parse(uri), name),
      ),
    ];
    for (const { uri } of workspace.textDocuments) if (isTestFile(uri)) void this.#update(uri);
  }

  /** Runs one test, or all tests of a file. */
  async runTest(uri: Uri, name: string | null): Promise<void> {
    await this.#update(uri);
    const file = this.#controller.items.get(uri.toString());
    const item = name === null ? file : file?.children.get(name);
    if (item) await this.#execute({ include: [item], exclude: undefined, profile: undefined, preserveFocus: true });
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }

  async #discover(): Promise<void> {
    this.#isDiscovered = true;
    const folders = workspace.workspaceFolders ?? [];
    const found = await Promise.all(
      folders.map(one => workspace.findFiles(new RelativePattern(one, TEST_FILES), '**/node_modules/**', MAX_FILES)),
    );
    const uris = found.flat().toSorted((a, b) => (a.path < b.path ? -1 : 1));
    const known = new Set(uris.map(String));
    for (const [id] of this.#controller.items) if (!known.has(id)) this.#controller.items.delete(id);
    for (const uri of uris) await this.#update(uri);
  }

  /** Lists the tests of a file again; those that remain keep their results. */
  async #update(uri: Uri): Promise<void> {
    if (uri.scheme !== 'file') return;
    const listed = await this.#server.listTests(uri);
    if (!listed || listed.length === 0) return this.#remove(uri);
    const id = uri.toString();
    this.#listed.set(id, listed);
    const file =
      this.#controller.items.get(id) ?? this.#controller.createTestItem(id, workspace.asRelativePath(uri), uri);
    this.#controller.items.add(file);
    file.children.replace(
      listed.map(({ name, nameRange }) => {
        const item = file.children.get(name) ?? this.#controller.createTestItem(name, name, uri);
        item.range = toRange(nameRange);
        return item;
      }),
    );
  }

  #remove(uri: Uri): void {
    this.#controller.items.delete(uri.toString());
    this.#listed.delete(uri.toString());
  }

  async #execute(request: TestRunRequest, token?: CancellationToken): Promise<void> {
    const run = this.#controller.createTestRun(request);
    const stopped = token ?? run.token;
    const files = byFile(request, this.#controller);
    for (const [file, items] of files) {
      if (stopped.isCancellationRequested) break;
      for (const item of items) run.started(item);
      await this.#runFile(file, items, run, stopped);
    }
    if (request.profile?.kind === TestRunProfileKind.Coverage && !stopped.isCancellationRequested)
      await this.#addCoverage(files, run, stopped);
    run.end();
  }

  /** Several files may test the same policy, so that they are run once more, all together. */
  async #addCoverage(
    files: ReadonlyMap<TestItem, readonly TestItem[]>,
    run: TestRun,
    token: CancellationToken,
  ): Promise<void> {
    const paths = [...files.keys()].map(one => one.uri!.fsPath);
    const [first] = paths;
    if (first === undefined) return;
    const isWhole = [...files].every(([file, items]) => items.length === file.children.size);
    const names = [...files.values()].flat().map(({ id }) => id.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    const chosen = isWhole ? [] : ['--name', `^(?:${names.join('|')})$`];
    const args = ['test', '--coverage', '--format', 'json', '--quiet', '--color', 'never', ...chosen, ...paths];
    const { output } = await this.#run(args, { directory: dirname(first), token });
    for (const { file, places } of readCoverage(output)) {
      const details = places.flatMap(detailsOf);
      const covered = FileCoverage.fromDetails(uriOf(resolve(dirname(first), file)), details);
      this.#details.set(covered, details);
      run.addCoverage(covered);
    }
  }

  /** The command runs whole files, which takes milliseconds; results of other tests are not shown. */
  async #runFile(file: TestItem, items: readonly TestItem[], run: TestRun, token: CancellationToken): Promise<void> {
    const uri = file.uri!;
    const args = ['test', '--format', 'json', '--quiet', '--color', 'never', uri.fsPath];
    const result = await this.#run(args, { directory: dirname(uri.fsPath), token });
    if (token.isCancellationRequested) return;
    const outcome = readOutcome(result, this.#listed.get(uri.toString()) ?? []);
    report(outcome, { file, items, run });
  }
}

function detailsOf({ rule, start, end, tests, goals }: CoveredPlace): readonly FileCoverageDetail[] {
  const range = new Range(start.line, start.character, end.line, end.character);
  const branches = goals.map(({ label, tests: shown }) => new BranchCoverage(shown, range, label));
  const statement = new StatementCoverage(tests, range, branches.length > 1 ? branches : []);
  return rule === undefined ? [statement] : [new DeclarationCoverage(rule, tests, range), statement];
}

interface Reporting {
  readonly file: TestItem;
  readonly items: readonly TestItem[];
  readonly run: TestRun;
}

function report({ tests: ended, errors }: FileOutcome, { file, items, run }: Reporting): void {
  if (errors.length > 0) run.errored(file, errors.map(messageOf));
  for (const item of items) {
    const outcome = ended.find(({ name }) => name === item.id);
    if (!outcome) {
      if (errors.length > 0) run.errored(item, errors.map(messageOf));
      else run.skipped(item);
    } else if (outcome.status === 'passed') run.passed(item);
    else if (outcome.status === 'skipped') run.skipped(item);
    else
      run.failed(
        item,
        outcome.failures.map(one => messageAt(one, item)),
      );
    run.appendOutput(`${outcome?.status ?? 'not run'}  ${item.label}\r\n`, undefined, item);
  }
}

function messageOf({ message, at, expected, found }: TestFailure): TestMessage {
  const shown =
    expected !== undefined && found !== undefined
      ? TestMessage.diff(message, expected, found)
      : new TestMessage(message);
  if (at) shown.location = new Location(Uri.file(at.file), new Position(at.line, at.character));
  return shown;
}

function messageAt(failure: TestFailure, item: TestItem): TestMessage {
  const shown = messageOf(failure);
  if (!shown.location && item.uri && item.range) shown.location = new Location(item.uri, item.range);
  return shown;
}

/** Returns the tests of a request by file; an item without a parent is a file. */
function byFile(
  { include, exclude = [] }: TestRunRequest,
  { items }: TestController,
): ReadonlyMap<TestItem, TestItem[]> {
  const chosen = include ?? [...items].map(([, item]) => item);
  const found = new Map<TestItem, TestItem[]>();
  for (const item of chosen) {
    const file = item.parent ?? item;
    const own = item.parent ? [item] : [...item.children].map(([, child]) => child);
    const wanted = own.filter(one => !exclude.includes(one) && !exclude.includes(file));
    found.set(file, [...new Set([...(found.get(file) ?? []), ...wanted])]);
  }
  return found;
}

function isTestFile({ path, scheme }: Uri): boolean {
  return scheme === 'file' && /\.test\.(?:ya?ml|json)$/.test(path);
}

function toRange({ start, end }: ProtocolRange): Range {
  return new Range(start.line, start.character, end.line, end.character);
}
