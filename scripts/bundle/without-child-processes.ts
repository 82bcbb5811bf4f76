import type { Plugin } from 'rolldown';

/**
 * Keeps `commander` from loading what starts processes, which it does for commands that are programs of their own. There are none, and it
 * takes as long as all else that the command line needs.
 */
export const withoutChildProcesses: Plugin = {
  name: 'without-child-processes',
  resolveId: (source, importer) =>
    source === 'node:child_process' && importer?.includes('/node_modules/commander/') ? NOTHING : null,
  load: id => (id === NOTHING ? 'export default {};' : null),
};

const NOTHING = '\0nothing';
