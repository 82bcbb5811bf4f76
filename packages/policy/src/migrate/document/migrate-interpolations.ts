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
import type { MigrationState } from './migration-state.ts';

/** How a string is interpolated. */
interface Interpolating {
  /** In the old profile. */
  readonly phase: Phase;
  /** Whether variables such as `$args` are allowed outside expressions. */
  readonly hasVariables: boolean;
}

/** Migrates a string that contains expressions, as in `edge-v2-snake`: rewrites them, and turns variables into expressions. */
export function migrateInterpolatedString(
  migrating: MigrationState,
  { value, text }: Extract<DocumentNode, { kind: 'scalar' }>,
  { phase, hasVariables }: Interpolating,
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

/** @param place maps a range of the expression to the document */
function rewritten(migrating: MigrationState, source: string, phase: Phase, place: (range: Range) => Range): string {
  const environment = migrating.environments[phase];
  const { typed, diagnostics } = check(parse(source, environment).ast, environment);
  // Expressions that need a conversion of open values have no renamed variables.
  if (diagnostics.some(one => one.severity === 'error')) return source;
  const { edits, losses } = rewriteExpression(typed, environment, migrating.counterparts);
  for (const loss of losses) migrating.losses.push({ ...loss, range: place(loss.range) });
  return applyEdits(source, edits);
}
