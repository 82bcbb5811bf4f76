import type { Action } from '@tollgate/policy';
import { type Replacement, readReplacement } from '../../actions/replacements.ts';
import { memoizeByKey } from '../../primitives/memoize.ts';
import type { FileAnalysis, LintedFile } from '../../rule-api/lint-context.ts';
import { PATTERN_TREES } from './pattern-trees.ts';

const URL_REPLACEMENTS: FileAnalysis<(action: Action) => Replacement | undefined> = {
  compute: file => memoizeByKey(action => readReplacement(action, file.resultOf(PATTERN_TREES))),
};

/** Returns how an action replaces the URL or a part of it; undefined if it does not, or if its configuration is invalid. */
export function replacementOf(action: Action, file: LintedFile): Replacement | undefined {
  return file.resultOf(URL_REPLACEMENTS)(action);
}
