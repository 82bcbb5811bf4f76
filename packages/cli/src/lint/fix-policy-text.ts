import { type Fix, SourceText, unifiedDiff, type WorldError } from '@tollgate/diagnostics';
import { fixText, type Linter } from '@tollgate/lint';
import { analyzePolicies } from '@tollgate/policy';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import type { PolicyText } from '../input/policy-texts.ts';
import { replaceFile } from '../output/replace-file.ts';
import { reportLook, type Terminal } from '../terminal.ts';
import { decisionDifference, differenceText } from './decision-difference.ts';
import type { LintFilesOptions } from './lint-options.ts';
import type { LintedText, LintSession } from './lint-session.ts';

/** What became of a text that was to be mended. */
export interface MendedText extends LintedText {
  /** As it is afterwards; as it was where only the difference is shown. */
  readonly source: SourceText;
  readonly fixedCount: number;
  /** The text with all fixes in it, whether written or not. */
  readonly mended: SourceText;
  readonly failure: WorldError | undefined;
}

/** The kinds of fixes that the options ask for; none when they ask for no fixes. */
export function fixKinds({ fix, unsafeFixes, diff }: LintFilesOptions): readonly Fix['applicability'][] {
  if (unsafeFixes) return ['safe', 'unsafe'];
  return fix || diff ? ['safe'] : [];
}

/** Applies fixes to a text and writes it, or shows the difference. */
export async function fixPolicyText(
  text: PolicyText,
  linter: Linter,
  { session, options, terminal }: { session: LintSession; options: LintFilesOptions; terminal: Terminal },
): Promise<MendedText> {
  const lint = (source: SourceText) => session.lint({ ...text, source }, linter);
  const { source: mended, fixed } = fixText(text.source, {
    lint: source => lint(source).diagnostics,
    kinds: fixKinds(options),
  });
  if (options.unsafeFixes) terminal.writeError(changeOf(text, mended));
  const isChanged = mended.text !== text.source.text;
  if (options.diff) {
    const { paint } = reportLook(terminal);
    const { uri, text: before } = text.source;
    if (isChanged) terminal.write(unifiedDiff({ name: uri, before, after: mended.text }, paint));
    return { source: text.source, ...lint(text.source), fixedCount: fixed.length, mended, failure: undefined };
  }
  if (text.path === STANDARD_INPUT) terminal.write(mended.text);
  const failure = isChanged && text.path !== STANDARD_INPUT ? await replaceFile(text.path, mended.text) : undefined;
  const source = failure ? text.source : new SourceText(text.source.uri, mended.text);
  return { source, ...lint(source), fixedCount: failure ? 0 : fixed.length, mended, failure };
}

/** What the fixes change in decisions; nothing where the text was wrong before, or holds several policies. */
function changeOf({ source, part, target }: PolicyText, mended: SourceText): string {
  if (mended.text === source.text) return '';
  const [before, after] = [source, mended].map(one => analyzePolicies(one, { ...target, ...(part && { part }) }));
  const isRight = [before!, after!].every(one => one.diagnostics.every(({ severity }) => severity !== 'error'));
  const [old, ...others] = before!.policies;
  const [now] = after!.policies;
  if (!isRight || !old || !now || others.length > 0) return '';
  const { profile } = target;
  const difference = decisionDifference(old, now, { profile, environments: before!.environments });
  return differenceText(difference, source.uri);
}
