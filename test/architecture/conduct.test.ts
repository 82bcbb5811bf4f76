// What code may do: which files write, run other code, depend on time, or end evaluation.

import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import { filesBelow, readSource, type SourceFile, type SyntaxNode, visit } from './source-file.ts';

// What a repository names is never written outside of it. That holds because one module of the command opens files for writing.

const mentioningFiles = filesBelow('packages', '.ts')
  .filter(path => path.includes('/src/') && !path.endsWith('.test.ts') && !path.includes('/fixtures/'))
  .map(readSource);

/** Functions of `node:fs` that create, change or open files. Synchronous ones end in `Sync`. */
const WRITERS =
  /^(?:appendFile|chmod|copyFile|cp|createWriteStream|fchmod|ftruncate|link|mkdir|mkdtemp|open|rename|symlink|truncate|utimes|write|writeFile|writev)(?:Sync)?$/;

/** The name of the module as a string: files without it need not be parsed. */
const MODULE = /['"](?:node:)?fs(?:\/promises)?['"]/;

/** The files that write, and why they need not ask where a path leads. */
const WRITING: Readonly<Record<string, string>> = {
  'packages/cli/src/trust/replace-file.ts': 'the writer of the command; it asks `pathToWrite`',
  'packages/cli/src/language-server/run-language-server.ts':
    'a report, and what an editor shows, in temporary directories of its own',
  'packages/cli/src/assistant/allowed-files.ts': 'what an assistant sends, in a temporary directory of its own',
  'packages/cli/src/process/standard-output.ts': 'standard output, which is open',
  'packages/cli/src/process/code-cache.ts': 'compiled code, and the directory for it, which only the user may enter',
  'packages/edge-server/src/events/deliver.ts': 'events, below a directory that the operator names',
  'packages/cli/src/server/live-policy.ts': 'the log that the user names',
  'packages/edge-server/src/server/listen.ts': 'the mode of a socket that the operator names',
  'packages/edge-server/src/security/encryption.ts': 'the key of a database that the operator names',
  'packages/edge-server/src/store/sqlite-store.ts': 'a database that the operator names, and its backup',
  'packages/edge-server/src/service/configuration.ts': 'a database that the operator names',
  'packages/traffic-node/src/audit-lines.ts': 'opens for reading, and a copy in the temporary directory of a session',
  'packages/traffic-node/src/inspect-traffic.ts': 'opens for reading',
  'packages/traffic-node/src/follow-file.ts': 'opens for reading',
  'packages/traffic-node/src/open-file.ts': 'opens for reading',
  'packages/traffic-node/src/rejected-rows.ts': 'opens for reading',
  'packages/traffic-node/src/table-file.ts': 'a temporary directory of its own',
  'packages/vscode/src/tollgate-program.ts': 'what the editor shows, in a temporary directory of its own',
  'packages/traffic-node/src/temporary-files.ts': 'temporary directories, and those of processes that were killed',
};

/** Returns the writing functions that a module imports from `node:fs`. */
function writersIn(program: SyntaxNode): readonly string[] {
  const found: string[] = [];
  visit(program, node => {
    if (node.type !== 'ImportDeclaration') return;
    const { source, specifiers } = node as SyntaxNode & {
      readonly source: { readonly value: string };
      readonly specifiers: readonly { readonly type: string; readonly imported?: { readonly name: string } }[];
    };
    if (!/^(?:node:)?fs(?:\/promises)?$/.test(source.value)) return;
    for (const { type, imported } of specifiers) {
      if (type !== 'ImportSpecifier') found.push('*');
      else if (imported && WRITERS.test(imported.name)) found.push(imported.name);
    }
  });
  return found;
}

it('writes files in one module of the command, and elsewhere only where nobody else names them', () => {
  const naming = mentioningFiles.filter(({ text }) => MODULE.test(text));
  const found = naming.filter(({ program }) => writersIn(program).length > 0).map(({ path }) => path);
  expect(found.sort()).toEqual(Object.keys(WRITING).sort());
});

it('loads `node:fs` by import only, so that the names of its functions are known', () => {
  const loads = /(?:import|require|getBuiltinModule)\(\s*['"](?:node:)?fs(?:\/promises)?['"]\s*\)/;
  const allowed = ['packages/cli/src/input/find-inputs.ts'];
  const found = mentioningFiles.filter(({ text }) => loads.test(text)).map(({ path }) => path);
  expect(found).toEqual(allowed);
});

const sources = filesBelow('packages', '.ts')
  .filter(path => path.includes('/src/') && !path.endsWith('.test.ts'))
  .map(readSource);

/** Names of functions and classes that run code from outside the package. */
const RUNNERS =
  /^(?:eval|require|createRequire|Function|Script|compileFunction|runIn\w+|exec\w*|spawn\w*|fork|Worker|dlopen)$/;

/** Matches the text of every file with such a call, so that the others need not be parsed. */
const MENTIONED =
  /\bimport\b[^'"\n]*\(|(?<![.\w])(?:eval|require|createRequire|Function|Script|compileFunction|runIn\w+|exec\w*|spawn\w*|fork|Worker|dlopen)\b/;

/** The files that run such code, and why that is safe. */
const RUNNING: Readonly<Record<string, string>> = {
  'packages/cel/src/codegen/compile.ts': 'code that is generated from checked expressions',
  'packages/cli/src/process/file-threads.ts': 'a thread of ours',
  'packages/cli/src/input/git.ts': '`git`, without the programs that a repository can name',
  'packages/cli/src/publish/secrets.ts': 'commands that print a secret, after `requireTrust`',
  'packages/cli/src/process/code-cache.ts': 'files of the bundle',
  'packages/cli/src/start-command.ts': 'the bundle',
  'packages/cli/src/policies/policy-runtime.ts': 'a script of the clone',
  'packages/edge-server/src/service/body-checks.ts': 'a thread of ours',
  'packages/cli/src/lint/own-rules.ts': 'tests of lint rules, after `requireTrust`',
  'packages/cli/src/trust/run-with-timeout.ts': 'a call of a lint rule that was loaded before',
  'packages/cli/src/trust/load-module.ts': 'lint rules and extensions, after `mayRun`',
  'packages/cli/src/language-server/run-language-server.ts': 'a thread of ours',
  'packages/cli/src/process/own-command.ts':
    'the command itself, without trust unless the editor trusts the workspace, and never with trust for an assistant',
  'packages/diagnostics/src/portable.ts': 'the question whether code may be generated',
  'packages/simulator/src/variables/activation.ts':
    'code that is generated from names of variables, which are identifiers',
  'packages/traffic/src/records/field-mapping.ts': 'a look-up of a member, whose name is a string literal',
  'packages/playground/src/editor/language-client.ts': 'a worker of ours',
  'packages/playground/src/page/runner.ts': 'a worker of ours',
  'packages/vscode/src/web/index.ts': 'a worker of ours',
  'packages/vscode/src/tollgate-program.ts': 'the command, without trust unless the editor trusts the workspace',
};

/** Returns the name of a call that may run user-supplied code: a dynamic import of a variable, or one of the runners. */
function runnerOf(node: SyntaxNode, text: string): string | undefined {
  const { type } = node;
  if (type === 'ImportExpression') {
    const { source } = node as SyntaxNode & { source: SyntaxNode };
    return source.type === 'Literal' ? undefined : `import(${text.slice(source.start, source.end)})`;
  }
  if (type !== 'CallExpression' && type !== 'NewExpression') return undefined;
  const call = node as SyntaxNode & { callee: SyntaxNode; arguments: readonly SyntaxNode[] };
  const name = text.slice(call.callee.start, call.callee.end);
  if (name === 'require' && call.arguments[0]?.type === 'Literal') return undefined;
  return RUNNERS.test(name) ? name : undefined;
}

it('runs code from outside the package only where that is safe', () => {
  const found: Record<string, string[]> = {};
  for (const { path, text, program } of sources.filter(source => MENTIONED.test(source.text))) {
    visit(program, node => {
      const runner = runnerOf(node, text);
      if (runner !== undefined) found[path] = [...(found[path] ?? []), runner];
    });
  }
  expect(Object.keys(found).sort()).toEqual(Object.keys(RUNNING).sort());
  for (const { path, text } of sources.filter(source =>
    found[source.path]?.some(runner => runner.startsWith('import(')),
  ))
    expect([path, /\b(?:requireTrust|mayRun)\(/.test(text)]).toEqual([path, true]);
});

/** Longer limits only end tests that hang; even a busy machine stays below them. */
const GENEROUS_MS = 600_000;

/** The tests that read a real clock or wait for a fixed time, and why no verdict depends on that. */
const TIMED: Readonly<Record<string, { readonly uses: readonly string[]; readonly reason: string }>> = {
  'test/support/eventually.ts': {
    uses: ['node:timers/promises'],
    reason: 'the pause between two looks at what no event announces; the number of looks is not limited',
  },
  'test/vscode/support/workbench.ts': {
    uses: ['node:timers/promises', 'Date.now', 'Date.now'],
    reason:
      'ends a wait in a browser after two minutes, to say what never happened; a step takes seconds on a busy machine',
  },
  'test/editors/support/terminal.ts': {
    uses: ['node:timers/promises', 'Date.now', 'Date.now'],
    reason:
      'ends a wait for an editor after a minute, to say what never happened; pauses between two looks at its screen',
  },
  'test/support/output-of.ts': {
    uses: ['setTimeout'],
    reason: 'ends a wait for a process after two minutes, to say what it wrote; a step takes seconds on a busy machine',
  },
  'test/e2e/publish/fault-proxy.ts': {
    uses: ['node:timers/promises'],
    reason: 'late and slow responses: whichever side is first, the report must be right',
  },
  'test/servers/enforced-by-envoy.deep.test.ts': {
    uses: ['Date.now'],
    reason: 'the clock of a real server, for a window of a minute',
  },
  'test/servers/verified-webhooks.test.ts': {
    uses: ['Date.now'],
    reason: 'the clock of a real server, for signatures that are seconds or minutes away from their limit',
  },
  'test/servers/validated-tokens.test.ts': {
    uses: ['Date.now', 'Date.now'],
    reason: 'the clock of a real server, for tokens that are a second or a minute away from their limit; moved by hand',
  },
  'test/edge-api/start.ts': { uses: ['Date.now'], reason: 'the clock of a real server' },
  'test/edge-server/test-server.ts': { uses: ['Date.now'], reason: 'the clock of a real server' },
  'test/edge-server/http.test.ts': { uses: ['Date.now'], reason: 'a key that had expired before the server looks' },
  'test/edge-server/hostile-policies.deep.test.ts': {
    uses: ['setTimeout'],
    reason: 'pauses between two looks at the processor time, which decides',
  },
  'packages/edge-server/src/events/dispatcher.test.ts': {
    uses: ['Date.now', 'Date.now'],
    reason: 'the store stamps events with the real clock; the test moves on from there by hand',
  },
  'packages/edge-server/src/events/webhook.test.ts': {
    uses: ['timeout: 5000', 'timeout: 50'],
    reason: 'the limits of a call: nothing ever answers the one that must fail',
  },
  'packages/edge-api/src/client.test.ts': {
    uses: ['timeoutMs: 20'],
    reason: 'the limit of a call that nothing ever answers',
  },
  'test/e2e/standard-output.test.ts': {
    uses: ['sleep 1'],
    reason: 'a reader that begins late; the command must wait for it however long that takes',
  },
  'test/patterns/check-patterns.ts': {
    uses: ['timeout'],
    reason: 'run by hand on new patterns; which checker answered is kept with its verdict',
  },
  'test/differential/cel-go/driver.ts': {
    uses: ['timeout: BUILD_TIMEOUT'],
    reason: 'a proxy for modules of Go that hangs: the suite is skipped then, and says so',
  },
  'test/e2e/clients/go-client.ts': {
    uses: ['timeout: BUILD_TIMEOUT'],
    reason: 'a proxy for modules of Go that hangs: the suite is skipped then, and says so',
  },
};

const CLOCKS = new Set(['Date.now', 'performance.now', 'process.hrtime', 'AbortSignal.timeout', 'console.time']);
const TIMERS = new Set(['setTimeout', 'setInterval']);
/** These give up after a second by default. */
const IMPATIENT = new Set(['vi.waitFor', 'vi.waitUntil', 'expect.poll']);
/** Matches calls that register a test, a group or a hook. */
const REGISTERS =
  /^(?:it|test|describe|(?:before|after)(?:All|Each))(?:\.(?:each|for|skip|only|skipIf|runIf)\b[\s\S]*)?$/;
const LIMITS = new Set(['timeout', 'timeoutMs', 'testTimeout', 'hookTimeout']);

const tests = [...filesBelow('packages', '.test.ts'), ...filesBelow('test', '.ts')]
  .filter(path => !path.startsWith('test/bench/') && path !== 'test/architecture/conduct.test.ts')
  .map(readSource);

/** Returns everything in a file that could make a verdict depend on time. */
function usesOfTime(source: Pick<SourceFile, 'program' | 'text'>): string[] {
  const found: string[] = [];
  visit(source.program, node => {
    const use = useOfTime(node as Node, source.text);
    if (use !== undefined) found.push(use);
  });
  return found;
}

/** The relevant members of syntax nodes. */
interface Node extends SyntaxNode {
  readonly callee?: Node;
  readonly arguments?: readonly Node[];
  readonly source?: { readonly value: string };
  readonly key?: Node;
  readonly value?: unknown;
  readonly name?: string;
}

function useOfTime(node: Node, text: string): string | undefined {
  const written = (one: SyntaxNode) => text.slice(one.start, one.end);
  switch (node.type) {
    case 'ImportDeclaration':
      return /^node:timers(?:\/promises)?$/.test(node.source!.value) ? node.source!.value : undefined;
    case 'MemberExpression':
      return CLOCKS.has(written(node)) ? written(node) : undefined;
    case 'NewExpression':
      return written(node) === 'new Date()' ? 'new Date()' : undefined;
    case 'CallExpression':
      return useInCall(node, written(node.callee!), written);
    case 'Property':
      return LIMITS.has(node.key?.name ?? '') && !isGenerous(node.value as Node) ? written(node) : undefined;
    case 'Literal':
    case 'TemplateElement':
      return /\bsleep \d+/.exec(written(node))?.[0];
    default:
      return undefined;
  }
}

function useInCall(
  { arguments: given = [] }: Node,
  callee: string,
  written: (one: SyntaxNode) => string,
): string | undefined {
  if (TIMERS.has(callee)) return callee;
  if (IMPATIENT.has(callee) && !given.slice(1).some(one => /\btimeout\b/.test(written(one)))) return callee;
  const last = given.at(-1);
  if (last === undefined || !REGISTERS.test(callee) || isGenerous(last)) return undefined;
  const followsFunction = /Function/.test(given.at(-2)?.type ?? '');
  const isLimit = typeof last.value === 'number' || (last.type === 'Identifier' && followsFunction);
  return isLimit ? `${callee} ${written(last)}` : undefined;
}

function isGenerous({ type, value }: Node): boolean {
  return type === 'Literal' && typeof value === 'number' && value >= GENEROUS_MS;
}

it('has no test whose verdict depends on time', () => {
  const found = tests.flatMap(source => {
    const uses = usesOfTime(source);
    return uses.length > 0 ? [[source.path, uses]] : [];
  });
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(TIMED).map(([path, { uses }]) => [path, uses])),
  );
});

it.each([
  ["import { setTimeout as sleep } from 'node:timers/promises';", 'node:timers/promises'],
  ['await new Promise(resolve => setTimeout(resolve, 50));', 'setTimeout'],
  ['const start = performance.now();', 'performance.now'],
  ['const options = { now: Date.now };', 'Date.now'],
  ['const today = new Date();', 'new Date()'],
  ["it('is fast', { timeout: 1000 }, run);", 'timeout: 1000'],
  ["it('is fast', run, 1000);", 'it 1000'],
  ["it('is fast', () => run(), LIMIT);", 'it LIMIT'],
  ['await vi.waitFor(check);', 'vi.waitFor'],
  ['await expect.poll(read).toBe(1);', 'expect.poll'],
  ["spawnSync('sh', ['-c', 'sleep 2; cat']);", 'sleep 2'],
])('finds time in `%s`', (text, expected) => {
  expect(usesOfTime({ text, program: parseSync('a.ts', text).program })).toEqual([expected]);
});

it.each([
  "it('is right', run);",
  "it('ends', { timeout: 600_000 }, run);",
  'await vi.waitFor(check, { timeout: 600_000 });',
  'const day = new Date(0);',
  "const policy = 'timeout: 31s';",
])('ignores `%s`', text => {
  expect(usesOfTime({ text, program: parseSync('a.ts', text).program })).toEqual([]);
});

/** Matches code that reads when an action ends the policy without looking at its configuration. */
const READS = /\.terminates\b|\[['"]terminates['"]\]|[{,]\s*terminates\s*(?::\s*\w+\s*)?[,}][^\n]*=(?!=)/;

it('has one function that reads when an action ends the policy', () => {
  const readers = filesBelow('packages', '.ts')
    .map(readSource)
    .filter(({ text }) => READS.test(text))
    .map(({ path }) => path);
  expect(readers).toEqual(['packages/catalog/src/schema/action-fact.ts']);
});

it.each([
  "fact.terminates === 'always'",
  "fact?.terminates !== 'never'",
  'const { terminates } = fact;',
  '({ terminates }: F) => 1',
])('finds the reader in `%s`', source => expect(source).toMatch(READS));

it.each(["  terminates: 'always',", "name: 'terminates',"])('ignores `%s`', source =>
  expect(source).not.toMatch(READS),
);
