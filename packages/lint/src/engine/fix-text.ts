import { type Diagnostic, type Fix, SourceText, type TextEdit } from '@tollgate/diagnostics';
import { applyEdits } from '@tollgate/policy';

/** Options of {@link fixText}. */
interface FixOptions {
  /** Returns the diagnostics of a text. */
  readonly lint: (source: SourceText) => readonly Diagnostic[];
  /** Fixes of these kinds are applied. */
  readonly kinds: readonly Fix['applicability'][];
}

/** The result of {@link fixText}. */
interface FixedText {
  readonly source: SourceText;
  /** Diagnostics of the fixed text. */
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics whose fixes were applied, round by round. */
  readonly fixed: readonly Diagnostic[];
}

/** One fix often enables another; after this many rounds, fixes undo each other. */
const MAX_ROUNDS = 10;

/**
 * Applies fixes that do not overlap, lints the text again, and repeats until no fix is left, for a bounded number of rounds. A fix that
 * causes a new error is not applied.
 */
export function fixText(source: SourceText, options: FixOptions): FixedText {
  let current = source;
  let diagnostics = options.lint(source);
  const fixed: Diagnostic[] = [];
  const refused = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const chosen = chooseFixes(diagnostics, options.kinds, refused);
    if (chosen.length === 0) break;
    const step = applySafely({ source: current, diagnostics, chosen, refused }, options);
    if (step.applied.length === 0) continue;
    current = step.source;
    diagnostics = step.diagnostics;
    fixed.push(...step.applied.map(one => one.diagnostic));
  }
  return { source: current, diagnostics, fixed };
}

interface ChosenFix {
  readonly diagnostic: Diagnostic;
  readonly fix: Fix;
}

/** Returns the first applicable fix of each diagnostic, without those that overlap with an earlier one. */
function chooseFixes(
  diagnostics: readonly Diagnostic[],
  kinds: FixOptions['kinds'],
  refused: ReadonlySet<string>,
): readonly ChosenFix[] {
  const chosen: ChosenFix[] = [];
  const taken: TextEdit[] = [];
  for (const diagnostic of diagnostics) {
    const fix = diagnostic.fixes?.find(one => kinds.includes(one.applicability));
    if (!fix || refused.has(keyOf(fix)) || fix.edits.some(edit => taken.some(other => touches(edit, other)))) continue;
    chosen.push({ diagnostic, fix });
    taken.push(...fix.edits);
  }
  return chosen;
}

function keyOf({ title, edits }: Fix): string {
  return JSON.stringify([title, edits]);
}

/** Two insertions at the same offset also overlap, because their order is undefined. */
function touches(a: TextEdit, b: TextEdit): boolean {
  return a.range.start <= b.range.end && b.range.start <= a.range.end;
}

interface Step {
  readonly source: SourceText;
  readonly diagnostics: readonly Diagnostic[];
  readonly applied: readonly ChosenFix[];
}

interface Round extends Omit<Step, 'applied'> {
  readonly chosen: readonly ChosenFix[];
  readonly refused: Set<string>;
}

/** Applies all chosen fixes at once. If that causes an error, tries each half, down to the fix responsible. */
function applySafely({ source, diagnostics, chosen, refused }: Round, options: FixOptions): Step {
  const text = applyEdits(
    source.text,
    chosen.flatMap(one => one.fix.edits),
  );
  const after = new SourceText(source.uri, text);
  const found = options.lint(after);
  if (!hasNewError(diagnostics, found)) return { source: after, diagnostics: found, applied: chosen };
  if (chosen.length === 1) {
    refused.add(keyOf(chosen[0]!.fix));
    return { source, diagnostics, applied: [] };
  }
  const middle = Math.ceil(chosen.length / 2);
  const first = applySafely({ source, diagnostics, refused, chosen: chosen.slice(0, middle) }, options);
  // The ranges of the others have changed; they are applied in the next round.
  if (first.applied.length > 0) return first;
  return applySafely({ source, diagnostics, refused, chosen: chosen.slice(middle) }, options);
}

function hasNewError(before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean {
  const allowed = errorCounts(before);
  return [...errorCounts(after)].some(([code, count]) => count > (allowed.get(code) ?? 0));
}

function errorCounts(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { code, severity } of diagnostics) {
    if (severity === 'error') counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}
