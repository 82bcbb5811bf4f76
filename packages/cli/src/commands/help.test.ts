import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram, runTollgate } from '../main.ts';
import type { Terminal } from '../process/terminal.ts';
import { COMMANDS, commandsFor } from './commands.ts';

function terminal(printed: string[], env: Readonly<Record<string, string>> = {}, isInteractive = false): Terminal {
  const write = (text: string) => void printed.push(text);
  return { write, writeError: write, readInput: async () => new Uint8Array(), isInteractive, columns: 80, env };
}

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}, isInteractive = false) {
  const printed: string[] = [];
  const code = await runTollgate(args, terminal(printed, env, isInteractive));
  return { code, text: printed.join('') };
}

/** The command at the start of the words, and the remaining words. */
function descend(command: Command, words: readonly string[]): readonly [Command, readonly string[]] {
  const next = command.commands.find(command => command.name() === words[0]);
  return next ? descend(next, words.slice(1)) : [command, words];
}

const program = await createProgram({ args: [], terminal: terminal([]), finish: () => undefined });
const commands = program.commands.map(command => command.name());

describe.each(commands)('the help of %s', name => {
  it('fits a terminal, and has examples and exit codes', async () => {
    const { code, text } = await run([name, '--help']);
    expect(code).toBe(0);
    expect(text.split('\n').filter(line => line.length > 80)).toEqual([]);
    expect(text).toMatch(/\nExamples:\n {2}tollgate /);
    expect(text).toMatch(/\nExit codes:\n {2}0 {3}/);
  });

  it('has valid examples', async () => {
    const { text } = await run([name, '--help']);
    const lines = [...text.matchAll(/^ {2}tollgate ([^\n<|>]+)/gm)].map(([, line = '']) => line.trim().split(' '));
    expect(lines.length).toBeGreaterThan(1);
    for (const words of lines) {
      expect(words[0]).toBe(name);
      const [known, args] = descend(program, words);
      const { operands, unknown } = known.parseOptions([...args]);
      expect([args, unknown.filter(word => word !== '--help')]).toEqual([args, []]);
      expect(operands.length).toBeGreaterThanOrEqual(
        known.registeredArguments.filter(argument => argument.required).length,
      );
    }
  });
});

it('lists commands under the work that they are for', async () => {
  const { text } = await run(['--help']);
  const headings = ['Options', 'Write policies', 'Test them on traffic', 'Review changes', 'Publish', 'Operate'];
  expect([...text.matchAll(/^(.+):$/gm)].map(([, heading]) => heading)).toEqual(headings);
});

it('lists the options of `lint` by purpose', async () => {
  const { text } = await run(['lint', '--help']);
  const options = text.slice(0, text.indexOf('\nGlobal Options:'));
  const headings = ['Arguments', 'Policies', 'Speed', 'Files', 'Lint rules', 'Result', 'Fixes', 'Output', 'Options'];
  expect([...options.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading)).toEqual(headings);
  const speed = /\nSpeed:\n([\s\S]*?)\n\n/
    .exec(options)?.[1]
    ?.match(/^ {2}--[\w-]+/gm)
    ?.map(line => line.trim());
  expect(speed?.toSorted()).toEqual(['--cache', '--cache-file', '--concurrency', '--rule-timeout', '--watch']);
});

/** The paths of all commands of a group. */
function innerPaths(command: Command, path: readonly string[] = []): readonly (readonly string[])[] {
  return command.commands.flatMap(command => {
    const names = [...path, command.name()];
    return [...(path.length > 0 ? [names] : []), ...innerPaths(command, names)];
  });
}

it.each(innerPaths(program).map(path => path.join(' ')))('the help of %s fits a terminal', async path => {
  const { code, text } = await run([...path.split(' '), '--help']);
  expect([code, text.split('\n').filter(line => line.length > 80)]).toEqual([0, []]);
});

describe('the command line', () => {
  it('has each command under its name', () => {
    expect(commands).toEqual(COMMANDS.map(one => one.name));
  });

  it.each([
    [['lint', 'check'], ['lint']],
    [['--color', 'check', 'lint', '-q'], ['lint']],
    [['--color=never', 'keys', 'create'], ['keys']],
  ])('loads for %j only %j', (args, expected) => {
    expect(commandsFor(args).map(one => one.name)).toEqual(expected);
  });

  it.each([[[]], [['help', 'lint']], [['lnt']], [['completion', 'bash']]])('loads all commands for %j', args => {
    expect(commandsFor(args)).toBe(COMMANDS);
  });

  it('fits a terminal, and lists every command', async () => {
    const { text } = await run(['--help']);
    expect(text.split('\n').filter(line => line.length > 80)).toEqual([]);
    for (const name of commands) expect(text).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  it.each([
    [['chek'], 'unknown command `chek`; did you mean `check`?\nsee `tollgate --help`'],
    [
      ['check', '--fromat', 'x', 'y'],
      'unknown option `--fromat`; did you mean `--format`?\nsee `tollgate check --help`',
    ],
    [
      ['keys', 'create', '--scop', 'x'],
      'unknown option `--scop`; did you mean `--scope`?\nsee `tollgate keys create --help`',
    ],
    [
      ['impact', '--engine', 'trino', '--table', 'log', '--state', 'month.json', 'old.yaml', 'new.yaml'],
      'the clients of several days cannot be counted from those of each; leave out `--state`, and choose days with `--since` and `--until`\nsee `tollgate impact --help`',
    ],
    [['fmt'], 'missing required argument `files`\nsee `tollgate fmt --help`'],
    [
      ['check', '--at', 'spec', 'x'],
      'option `--at <path>` argument `spec` is invalid: expected a path such as `/spec/policy`, found `spec`\nsee `tollgate check --help`',
    ],
    [
      ['explain', '--format', 'markdwn'],
      '`--format` expects `text`, `markdown` or `json`, found `markdwn`; did you mean `markdown`?\nsee `tollgate explain --help`',
    ],
    [
      ['--color', 'sometimes', 'explain'],
      '`--color` expects `auto`, `always` or `never`, found `sometimes`\nsee `tollgate explain --help`',
    ],
  ])('says what was expected: %j', async (args, message) => {
    expect(await run(args)).toEqual({ code: 2, text: `tollgate: ${message}\n` });
  });

  it('prints its help without a command, as a usage error', async () => {
    const { code, text } = await run([]);
    expect(code).toBe(2);
    expect(text).toMatch(/^Usage: tollgate /);
  });

  it.each<[readonly string[], Readonly<Record<string, string>>, boolean, boolean]>([
    [[], {}, true, true],
    [[], {}, false, false],
    [[], { NO_COLOR: '1' }, true, false],
    [['--color', 'always'], { NO_COLOR: '1' }, false, true],
    [['--color', 'never'], { FORCE_COLOR: '1' }, true, false],
    [['--color', 'auto'], { FORCE_COLOR: '1' }, false, true],
    [[], { CLICOLOR_FORCE: '1' }, false, true],
  ])('colours what %j and %j say, on a terminal: %s', async (options, env, isInteractive, expected) => {
    for (const args of [['explain', 'type/mismatch'], ['explain', '--help'], ['--help']]) {
      const { text } = await run([...options, ...args], env, isInteractive);
      expect([args, text.includes('\u001b[')]).toEqual([args, expected]);
    }
    const behind = await run(['explain', 'type/mismatch', ...options], env, isInteractive);
    expect(behind.text.includes('\u001b[')).toBe(expected);
  });
});
