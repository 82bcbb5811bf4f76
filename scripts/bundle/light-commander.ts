import type { Plugin } from 'rolldown';

/**
 * Has `commander` do without what none of our commands needs, which took longer than all else of the command line: what starts processes,
 * for there are no commands that are programs of their own; a copy of every module of Node that it imports as a whole; and the names of
 * values in all scripts of the world, for ours are ASCII.
 */
export const lightCommander: Plugin = {
  name: 'light-commander',
  transform: (code, id) => (id.includes('/node_modules/commander/lib/') ? lighten(code) : null),
};

function lighten(code: string): string {
  return code
    .replace(/^import childProcess from 'node:child_process';$/m, 'const childProcess = {};')
    .replace(/^import process from 'node:process';$/m, '')
    .replace(/^import (\w+) from '(node:\w+)';$/gm, "const $1 = process.getBuiltinModule('$2');")
    .replace(String.raw`/\p{ID_Continue}\.\.\.[>\]]$/u`, String.raw`/\w\.\.\.[>\]]$/`);
}
