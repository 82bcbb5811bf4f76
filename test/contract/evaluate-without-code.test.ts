import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROGRAM = `
  import { check, compileConditions, compileToJavaScript, createEnvironment, indexConditions, INT, parse } from '@tollgate/cel';
  const environment = createEnvironment({ variables: [{ name: 'n', type: INT }] });
  const typed = ['n > 1', 'n / 0 == 1 || n == 2', 'n == 3'].map(source => check(parse(source, environment).ast, environment).typed);
  const results = [];
  compileConditions([typed.slice(0, 1), typed.slice(0, 2), typed.slice(2)], environment).evaluateAll({ n: 2 }, results);
  const visited = [];
  indexConditions(typed.map(one => [one]), environment).evaluate({ n: 2 }, rule => visited.push(rule) > 0);
  const alone = typed.map(one => compileToJavaScript(one, environment).evaluate({ n: 3 }).code ?? 'a value');
  console.log(JSON.stringify({ results, visited, alone }));`;

function run(...flags: readonly string[]) {
  const args = [...flags, '--conditions=tollgate-source', '--input-type=module', '--eval', PROGRAM];
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', cwd }));
}

it('evaluates alike where generating code is forbidden', () => {
  const usual = {
    results: [true, true, false],
    visited: [0, 1],
    alone: ['a value', 'eval/division-by-zero', 'a value'],
  };
  expect(run()).toEqual(usual);
  expect(run('--disallow-code-generation-from-strings')).toEqual(usual);
});
