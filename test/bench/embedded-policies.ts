// Time of finding and checking the policies among 5,000 mixed YAML files, compared with parsing all of them with `yaml`, in one run:
//   npx node --conditions=tollgate-source test/bench/embedded-policies.ts

import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicies, createPhaseEnvironments, findingsInFile, findPolicies } from '@tollgate/policy';
import { parseAllDocuments } from 'yaml';
import { EMBEDDINGS, foreignFile } from '../support/embedding-writers.ts';

const FILES = 5_000;
/** Every tenth file contains a policy. */
const EMBEDDED_EVERY = 10;
const MOST = 3;
const ROUNDS = 3;

const OPTIONS = {
  profile: MODERN,
  endpoint: 'http-endpoint',
  environments: createPhaseEnvironments(MODERN, 'http-endpoint'),
} as const;
const YAML = EMBEDDINGS.filter(({ file }) => /\.ya?ml$/.test(file));

function policy(index: number) {
  const rules = Array.from({ length: 5 }, (_, at) => ({
    name: `rule ${index} ${at}`,
    expressions: [`req.url.path.startsWith('/${index}/${at}')`, `req.zqx9 == '${at}'`],
    actions: [{ type: 'deny', config: { status_code: 400 + at } }],
  }));
  return { on_http_request: rules };
}

const files = Array.from({ length: FILES }, (_, index) => {
  const format = YAML[(index / EMBEDDED_EVERY) % YAML.length];
  return new SourceText(`f${index}.yaml`, format ? format.write(policy(index)) : foreignFile(index));
});

function checkAll(): number {
  let count = 0;
  for (const file of files)
    for (const found of findPolicies(file)) {
      const { source, part } = found;
      count += findingsInFile(found, analyzePolicies(source, { ...OPTIONS, ...(part && { part }) }).diagnostics).length;
    }
  return count;
}

function parseAll(): number {
  let count = 0;
  for (const { text } of files)
    for (const document of parseAllDocuments(text, { logLevel: 'silent' })) if (document.contents) count += 1;
  return count;
}

/** Milliseconds of the processor: what others do on the machine does not count. */
function timeOf(run: () => number): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const expected = (FILES / EMBEDDED_EVERY) * 5;
if (checkAll() !== expected) throw new Error(`expected ${expected} findings, found ${checkAll()}`);
const rounds = Array.from({ length: ROUNDS }, () => ({ check: timeOf(checkAll), parse: timeOf(parseAll) }));
const best = (name: 'check' | 'parse') => Math.min(...rounds.map(one => one[name]));
const ratio = best('check') / best('parse');
console.log(`${FILES} files, ${FILES / EMBEDDED_EVERY} with policies`);
console.log(
  `check ${best('check').toFixed(0)} ms, \`yaml\` alone ${best('parse').toFixed(0)} ms: ${ratio.toFixed(2)} times (at most ${MOST})`,
);
process.exitCode = ratio > MOST ? 1 : 0;
