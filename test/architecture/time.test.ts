import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import { filesBelow, readSource, type SourceFile, type SyntaxNode, visit } from './source-file.ts';

/** Longer limits only end tests that hang; even a busy machine stays below them. */
const GENEROUS_MS = 600_000;

/** The tests that read a real clock or wait for a fixed time, and why no verdict depends on that. */
const ALLOWED: Readonly<Record<string, { readonly uses: readonly string[]; readonly reason: string }>> = {
  'test/support/eventually.ts': {
    uses: ['node:timers/promises'],
    reason: 'the pause between two looks at what no event announces; the number of looks is not limited',
  },
  'test/vscode/support/workbench.ts': {
    uses: ['node:timers/promises', 'Date.now', 'Date.now'],
    reason:
      'ends a wait in a browser after two minutes, to say what never happened; a step takes seconds on a busy machine',
  },
  'test/e2e/publish/fault-proxy.ts': {
    uses: ['node:timers/promises'],
    reason: 'late and slow responses: whichever side is first, the report must be right',
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
  .filter(path => !path.startsWith('test/bench/') && path !== 'test/architecture/time.test.ts')
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
    Object.fromEntries(Object.entries(ALLOWED).map(([path, { uses }]) => [path, uses])),
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
