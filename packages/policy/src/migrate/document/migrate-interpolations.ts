import type { Phase } from '@tollgate/catalog';
import { check, parse } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode } from '../../document/model/document-node.ts';
import { documentRange } from '../../document/model/mapped-text.ts';
import { applyEdits } from '../../edits/apply-edits.ts';
import { replaceScalar } from '../../edits/edit-scalar.ts';
import { findInterpolations } from '../../expression/interpolation.ts';
import { rewriteExpression } from '../expression/rewrite-expression.ts';
import { convertReplacement } from './interpolated-strings.ts';
import type { Migrating } from './migration-state.ts';

/** How a text is filled in. */
export interface Filling {
  /** Of the old profile. */
  readonly phase: Phase;
  /** Whether `$args` and its like stand for parts of the request, outside of its expressions. */
  readonly hasVariables: boolean;
}

/** Edits a text that has expressions in it, as those of `edge-v2-snake` do: they are rewritten, and variables become expressions. */
export function migrateFilledText(
  migrating: Migrating,
  { value, text }: Extract<DocumentNode, { kind: 'scalar' }>,
  { phase, hasVariables }: Filling,
): void {
  if (typeof value !== 'string' || !text) return;
  const { expressions, unclosed } = findInterpolations(value, migrating.from.switches.interpolationEscape);
  if (unclosed) return;
  let result = '';
  let at = 0;
  const outside = (part: string) => (hasVariables ? convertReplacement(part, true) : part);
  for (const { start, end } of expressions) {
    result += outside(value.slice(at, start)) + rewritten(migrating, value.slice(start, end), phase, place);
    at = end;
    function place({ start: from, end: to }: Range): Range {
      return documentRange(text!, { start: start + from, end: start + to });
    }
  }
  result += outside(value.slice(at));
  migrating.edits.push(...replaceScalar(migrating.document, text, result));
}

/** @param place gives the place in the document of a range of the expression */
function rewritten(migrating: Migrating, source: string, phase: Phase, place: (range: Range) => Range): string {
  const environment = migrating.environments[phase];
  const { typed, diagnostics } = check(parse(source, environment).ast, environment);
  // What needs a conversion of open values has no names that change.
  if (diagnostics.some(one => one.severity === 'error')) return source;
  const { edits, losses } = rewriteExpression(typed, environment, migrating.counterparts);
  for (const loss of losses) migrating.losses.push({ ...loss, range: place(loss.range) });
  return applyEdits(source, edits);
}
