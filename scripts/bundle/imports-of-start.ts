import type { Plugin } from 'rolldown';

/**
 * Has what loads the files of the bundle import what they import while they run. Code that is kept from an earlier run may import only by
 * means that Node calls experimental, at every start.
 */
export const importsOfStart: Plugin = {
  name: 'imports-of-start',
  renderChunk: code => code.replace(/(?<![\w$.])import\(/g, 'importModule('),
};
