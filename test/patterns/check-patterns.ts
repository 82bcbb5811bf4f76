// Asks `recheck` of every regular expression of the sources how long it may take:
//   npm run check:patterns               asks again about all, and fails if a verdict differs
//   npm run check:patterns -- --update   adds new ones to verdicts.json, and removes those that are gone

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import { sourcePatterns } from './source-patterns.ts';
import type { Verdict } from './verdict.ts';

const FILE = join(import.meta.dirname, 'verdicts.json');

/** What depends on time is left out, and what depends on chance is the same each time. */
const FIXED = {
  attackTimeout: null,
  incubationTimeout: null,
  recallTimeout: -1,
  attackLimit: 5_000_000,
  incubationLimit: 10_000,
  maxIteration: 3,
  seedingTimeout: null,
  randomSeed: 1,
} as const;

/** Milliseconds that the exact checker gets for a new pattern; which one answered is kept, so that the verdict stays the same. */
const PATIENCE = 2000;

async function ask(written: string, checker: Verdict['checker'], timeout: number | null): Promise<Verdict | undefined> {
  const end = written.lastIndexOf('/');
  // Positions of groups cost nothing more, and the checker does not know their flag.
  const flags = written.slice(end + 1).replace('d', '');
  const answer = await check(written.slice(1, end), flags, { ...FIXED, checker, timeout });
  if (answer.status === 'unknown') {
    return checker === 'fuzz' ? { checker, complexity: `unknown: ${answer.error.kind}` } : undefined;
  }
  const { complexity } = answer;
  return {
    checker,
    complexity: complexity.type === 'polynomial' ? `polynomial of degree ${complexity.degree}` : complexity.type,
  };
}

async function verdictOf(written: string): Promise<Verdict> {
  return (await ask(written, 'automaton', PATIENCE)) ?? (await ask(written, 'fuzz', null))!;
}

async function mapAll<T, R>(all: readonly T[], workers: number, map: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    while (next < all.length) {
      const at = next++;
      results[at] = await map(all[at]!);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return results;
}

function readVerdicts(): Readonly<Record<string, Verdict>> {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

async function verify(): Promise<void> {
  const known = Object.entries(readVerdicts());
  const answers = await mapAll(known, 2, async ([written, verdict]) => {
    const answer = await ask(written, verdict.checker, null);
    return answer?.complexity === verdict.complexity
      ? []
      : [`${written}: ${verdict.complexity}, now ${answer?.complexity}`];
  });
  for (const line of answers.flat()) console.error(line);
  console.log(`${known.length} patterns asked about, ${answers.flat().length} with another verdict`);
  if (answers.flat().length > 0) process.exitCode = 1;
}

async function update(): Promise<void> {
  const known = readVerdicts();
  const patterns = [...sourcePatterns().patterns].toSorted();
  const found = new Map(patterns.flatMap(one => (known[one] ? [[one, known[one]] as const] : [])));
  const write = () => {
    const kept = Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`);
  };
  const added = patterns.filter(one => !found.has(one));
  await mapAll(added, 2, async written => {
    found.set(written, await verdictOf(written));
    write();
  });
  write();
  console.log(`${patterns.length} patterns, ${added.length} of them new`);
}

await (process.argv.includes('--update') ? update() : verify());
