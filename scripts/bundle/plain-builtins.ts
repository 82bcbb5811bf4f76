import type { Plugin } from 'rolldown';

/** Turns dynamic imports of modules of Node into calls of `require`: the code of files that import at run time cannot be cached. */
export const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  renderChunk: code => code.replace(IMPORT, "Promise.resolve(require('$1'))"),
};

const IMPORT = /\bimport\(["'](node:[\w/]+)["']\)/g;
