// Asks z3 and cvc5 what the solver is asked, and compares answers and times. Needs an environment of Python with both:
//
//   python3 -m venv smt && smt/bin/pip install z3-solver==5.4.1 cvc5==1.4.2
//   node --conditions=tollgate-source test/bench/smt.ts smt/bin/python [questions] [seed]

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Budget, search, TrafficTheory } from '@tollgate/solver/engine';
import fc from 'fast-check';
import { QUESTION, readQuestion } from './smt/questions.ts';
import { goalsToSmt } from './smt/smt-lib.ts';

const [python = 'python3', given = '2000', seeded = '20261123'] = process.argv.slice(2);
const [count, seed] = [Number(given), Number(seeded)];
const LIMIT_MS = 4000;
const UNITS = 50_000;

interface Answer {
  readonly answer: string;
  readonly ms: number;
}

const own: Answer[] = [];
const scripts: string[] = [];
const sources: (readonly string[])[] = [];
for (const formulas of fc.sample(QUESTION, { numRuns: count, seed })) {
  const { vocabulary, goals } = readQuestion(formulas);
  const smt = goalsToSmt(vocabulary, goals);
  if (smt === undefined) throw new Error(`not translated: ${formulas.join('; ')}`);
  const ask = () => search(vocabulary.graph, goals, new TrafficTheory(vocabulary), new Budget(UNITS)).kind;
  const answer = ask();
  // Automata are built once for all questions about a policy, as parsing is not counted for the others.
  const start = performance.now();
  ask();
  own.push({ answer, ms: performance.now() - start });
  scripts.push(smt);
  sources.push(formulas);
}

const NAMES: Readonly<Record<string, string>> = { found: 'sat', impossible: 'unsat' };
let disagreements = 0;
console.log(`${count} questions, seed ${seed}; solver: ${summary(own.map(({ ms }) => ms))}; open: ${openOnes(own)}`);
for (const name of ['z3', 'cvc5']) {
  const answers = await answersOf(name);
  let ratio: number[] = [];
  let missed = 0;
  answers.forEach(({ answer, ms }, at) => {
    const { answer: ours, ms: time } = own[at]!;
    ratio = [...ratio, ms / Math.max(time, 0.001)];
    const isDecided = answer === 'sat' || answer === 'unsat';
    if (!isDecided) return;
    if (ours === 'unknown') missed++;
    else if (NAMES[ours] !== answer) {
      disagreements++;
      console.log(`DISAGREEMENT: solver ${ours}, ${name} ${answer}\n  ${sources[at]!.join('\n  ')}`);
    }
  });
  const open = answers.filter(({ answer }) => answer !== 'sat' && answer !== 'unsat').length;
  console.log(
    `${name}: ${summary(answers.map(({ ms }) => ms))}; open: ${open}; decides ${missed} that the solver leaves open`,
  );
  console.log(`  median ratio of the times: ${medianOf(ratio).toFixed(0)}`);
}
console.log(`${disagreements} disagreements`);
process.exitCode = disagreements === 0 ? 0 : 1;

function openOnes(answers: readonly Answer[]): number {
  return answers.filter(({ answer }) => answer === 'unknown').length;
}

async function answersOf(name: string): Promise<readonly Answer[]> {
  const script = new URL('smt/solve.py', import.meta.url).pathname;
  const child = spawn(python, [script, name, String(LIMIT_MS)], { stdio: ['pipe', 'pipe', 'inherit'] });
  for (const [id, smt] of scripts.entries()) child.stdin.write(`${JSON.stringify({ id, smt })}\n`);
  child.stdin.end();
  const answers: Answer[] = [];
  for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line) as Answer);
  if (answers.length !== scripts.length)
    throw new Error(`${name} answered ${answers.length} of ${scripts.length} questions`);
  return answers;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function summary(times: readonly number[]): string {
  return `median ${medianOf(times).toFixed(3)} ms, longest ${Math.max(...times).toFixed(0)} ms`;
}
