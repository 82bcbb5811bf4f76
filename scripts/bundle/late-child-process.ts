import type { Plugin } from 'rolldown';

const IMPORT = "import childProcess from 'node:child_process';";

/** Loads `node:child_process` on first use: it brings 37 modules, and commander needs it only for commands in files of their own. */
export const lateChildProcess: Plugin = {
  name: 'late-child-process',
  transform: (code, id) => {
    if (!id.endsWith('/commander/lib/command.js')) return null;
    if (!code.includes(IMPORT)) throw new Error(`commander does not contain \`${IMPORT}\``);
    return code.replace(
      IMPORT,
      "const childProcess = { get spawn() { return process.getBuiltinModule('node:child_process').spawn; } };",
    );
  },
};
