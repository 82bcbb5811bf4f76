import { fixText } from '@tollgate/lint';
import { layoutEdits } from '../features/formatting.ts';
import { singleEdit } from '../protocol/ranges.ts';
import type { Checker } from './checker.ts';
import type { Workspace } from './workspace.ts';

/** Returns a checker that works in this thread. */
export function localChecker(workspace: Workspace): Checker {
  return {
    check: (uri, depth) => workspace.check(uri, depth),
    format: async uri => {
      const snapshot = await workspace.snapshot(uri);
      return snapshot && layoutEdits(snapshot, workspace.expressions);
    },
    fixAll: async uri => {
      const snapshot = await workspace.snapshot(uri);
      if (!snapshot) return undefined;
      const { source } = snapshot;
      const { source: fixed } = fixText(source, { lint: workspace.lintingOf(snapshot), kinds: ['safe'] });
      return singleEdit(source.text, fixed.text);
    },
    end: () => {},
  };
}
