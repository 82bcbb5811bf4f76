import { expect, it } from 'vitest';
import { filesBelow, readSource, type SyntaxNode, visit } from './source-file.ts';

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
const ALLOWED: Readonly<Record<string, string>> = {
  'packages/cel/src/codegen/compile.ts': 'code that is generated from checked expressions',
  'packages/cli/src/process/file-threads.ts': 'a thread of ours',
  'packages/cli/src/input/git.ts': '`git`, without the programs that a repository can name',
  'packages/cli/src/publish/secrets.ts': 'commands that print a secret, after `requireTrust`',
  'packages/cli/src/process/code-cache.ts': 'files of the bundle',
  'packages/cli/src/start-command.ts': 'the bundle',
  'packages/edge-server/src/service/body-checks.ts': 'a thread of ours',
  'packages/cli/src/lint/own-rules.ts': 'tests of lint rules, after `requireTrust`',
  'packages/cli/src/trust/fence.ts': 'a call of a lint rule that was loaded before',
  'packages/cli/src/trust/load-module.ts': 'lint rules and extensions, after `mayRun`',
  'packages/cli/src/language-server/run-language-server.ts':
    'a thread of ours, and the command itself, without trust unless the editor trusts the workspace',
  'packages/diagnostics/src/portable.ts': 'the question whether code may be generated',
  'packages/simulator/src/variables/activation.ts':
    'code that is generated from names of variables, which are identifiers',
  'packages/traffic/src/records/field-mapping.ts': 'a look-up of a member, whose name is a string literal',
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
  expect(Object.keys(found).sort()).toEqual(Object.keys(ALLOWED).sort());
  for (const { path, text } of sources.filter(source =>
    found[source.path]?.some(runner => runner.startsWith('import(')),
  ))
    expect([path, /\b(?:requireTrust|mayRun)\(/.test(text)]).toEqual([path, true]);
});
