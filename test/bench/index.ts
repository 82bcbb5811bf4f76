// All measurements, one after the other, each in a process of its own:
//   npm run bench

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Bench {
  readonly title: string;
  readonly script: string;
  readonly flags?: readonly string[];
}

const BENCHES: readonly Bench[] = [
  {
    title: 'Evaluation (generated at most 1.15, no case above 1.6; absent header at most 20 ns)',
    script: 'eval.ts',
  },
  { title: 'A policy of 30 rules (at most 1.2; closures at most 2 times generated code)', script: 'policy30.ts' },
  { title: 'A policy of 5,000 rules (at most 5 % of a linear pass, 10 times 100 rules)', script: 'rules5000.ts' },
  { title: 'Rules of each shape, with the index and without it (with it, none slower)', script: 'rule-shapes.ts' },
  {
    title: 'Replaying (as multiples of a bare JSON.parse loop: 0.9 by default, 2.5 in process)',
    script: 'replay.ts',
  },
  {
    title:
      'Enforcing (Node middleware at most 2 times a handler that answers at once; Envoy at most 5 times Envoy alone)',
    script: 'enforce.ts',
  },
  { title: 'Allocation', script: 'allocation.ts', flags: ['--expose-gc', '--min-semi-space-size=64'] },
  { title: 'Parsing (at most 3 times the hand-written parser)', script: 'parse.ts' },
  { title: 'From text to program', script: 'compile.ts' },
  { title: 'Analysing policies (at least 40,000 rules/s; after an edit below 10 ms)', script: 'analyze.ts' },
  {
    title: 'Linting (at least 25,000 rules/s from a cold start, one policy at most 3 times an empty node)',
    script: 'lint.ts',
  },
  {
    title: 'Checking 5,000 mixed YAML files (at most 3 times the time that `yaml` takes to parse them)',
    script: 'embedded-policies.ts',
  },
  { title: 'What the linter proves of conditions', script: 'lint-logic.ts' },
  { title: 'Proofs (1,000 rules at most 2 s and 12 times 100 rules; a difference at most 0.5 s)', script: 'solver.ts' },
  {
    title: 'The language server (5 times ahead of yaml-language-server; CR LF at most 1.2)',
    script: 'language-server.ts',
  },
  { title: 'Regular expressions', script: 'regex.ts' },
  { title: 'Size (below 12 kB)', script: 'size.ts' },
  {
    title: 'Planning 1,000 unchanged targets (at most 30 requests, 1.5 times the time that they take alone)',
    script: 'publish.ts',
  },
  {
    title: 'The Edge Configuration API (reads at least 60 % of a bare server, replacements at least 50 % of commits)',
    script: 'edge-server.ts',
  },
  {
    title:
      'The server where there is much (a million edges: start at most 2 s, 300 MB; a write at most 1.5 times with 100,000 events waiting)',
    script: 'edge-server-scale.ts',
  },
  {
    title:
      'The server for long (two processes on PostgreSQL at least 1.6 times one; memory grows by at most 10 % in 5 minutes)',
    script: 'edge-server-load.ts',
  },
];

let failed = 0;
for (const { title, script, flags = [] } of BENCHES) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  if (!existsSync(path)) continue;
  console.log(`\n== ${title}`);
  const { status } = spawnSync(process.execPath, [...flags, '--conditions=tollgate-source', path], {
    stdio: 'inherit',
  });
  if (status !== 0) failed += 1;
}
if (failed > 0) console.error(`${failed} of ${BENCHES.length} benchmarks ended with an error`);
process.exitCode = failed > 0 ? 1 : 0;
