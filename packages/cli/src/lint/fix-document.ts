// Fixes one document, and checks that it is still the same policy.

import { hasErrors } from '@tollgate/core/documents';
import { type Diagnostic, type SourceText, unifiedDiff } from '@tollgate/diagnostics';
import { fixText } from '@tollgate/lint';
import { analyzePolicies, type EmbeddedPolicy, type EmbeddedSettings, policyAt, rewriteInFile } from '@tollgate/policy';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import type { PolicySource } from '../input/policy-sources.ts';
import { checkRewrite, type RewritePromise } from '../policies/check-rewrite.ts';
import type { Failure } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { fixKinds, type LintFilesOptions } from './lint-options.ts';
import type { LintedSource } from './lint-session.ts';

/** A document after fixing. */
export interface FixedDocument extends LintedSource {
  /** The fixed source; unchanged if only the difference was shown. */
  readonly source: SourceText;
  /** The policy in its file, likewise; for tests, the file. */
  readonly embedded: EmbeddedPolicy;
  readonly failure: Failure | undefined;
}

/** A document to fix, and how to lint it. */
export interface DocumentToFix {
  readonly path: string;
  readonly embedded: EmbeddedPolicy;
  readonly embeddedSettings: EmbeddedSettings;
  readonly lint: (source: SourceText) => LintedSource;
  /** Undefined for policy tests. */
  readonly policy?: PolicySource;
  /** Called for unreadable traffic. */
  readonly fail: (failure: Failure) => void;
}

/** Applies fixes to a document and writes it, or shows the difference. */
export async function fixDocument(
  { path, embedded, embeddedSettings, lint, policy, fail }: DocumentToFix,
  options: LintFilesOptions,
  terminal: Terminal,
): Promise<FixedDocument> {
  const { source: before } = embedded;
  const { source: after, fixed } = fixText(before, {
    lint: one => lint(one).diagnostics,
    kinds: fixKinds(options),
  });
  const promise = promiseOf(fixed, policy, options);
  const broken = await checkRewrite({ before, after }, promise);
  if (broken) return { source: before, embedded, ...lint(before), failure: broken };
  const { file, refusal } = rewriteInFile(embedded, after.text, embeddedSettings);
  if (!file) {
    const linted = lint(before);
    return { source: before, embedded, ...linted, diagnostics: [...linted.diagnostics, refusal], failure: undefined };
  }
  const isChanged = after.text !== before.text;
  if (options.unsafeFixes && policy && isChanged) terminal.writeError(await changeOf(policy, after, { options, fail }));
  if (options.diff && isChanged) {
    const { paint } = reportStyle(terminal);
    terminal.write(unifiedDiff({ name: file.uri, before: embedded.file.text, after: file.text }, paint));
  }
  if (options.diff) return { source: before, embedded, ...lint(before), failure: undefined };
  const isWritten = isChanged && !options.fixDryRun && path !== STANDARD_INPUT;
  if (path === STANDARD_INPUT && !options.fixDryRun) terminal.write(file.text);
  const failure = isWritten ? await replaceFile(path, file.text) : undefined;
  if (failure) return { source: before, embedded, ...lint(before), failure };
  const written = policyAt(file, embedded.path, embeddedSettings);
  return { source: written.source, embedded: written, ...lint(written.source), failure };
}

function promiseOf(
  fixed: readonly Diagnostic[],
  policy: PolicySource | undefined,
  { unsafeFixes }: LintFilesOptions,
): RewritePromise {
  const codes = [...new Set(fixed.map(({ code }) => `\`${code}\``))];
  const target = policy && { ...policy.target, part: policy.part };
  return { kind: 'fix', target, isSafe: !unsafeFixes, by: codes.join(', ') };
}

interface FixTrial extends Pick<DocumentToFix, 'fail'> {
  readonly options: LintFilesOptions;
}

/** Returns the effect of the fixes on decisions; nothing if the document had errors before or contains several policies. */
async function changeOf(
  { source, part, target }: PolicySource,
  fixed: SourceText,
  { options, fail }: FixTrial,
): Promise<string> {
  const [before, after] = [source, fixed].map(one => analyzePolicies(one, { ...target, ...(part && { part }) }));
  const isRunnable = ![before!, after!].some(({ diagnostics }) => hasErrors(diagnostics));
  const [old, ...others] = before!.policies;
  const [now] = after!.policies;
  if (!isRunnable || !old || !now || others.length > 0) return '';
  const { decisionDifference, differenceText, trafficDifference } = await import('./decision-difference.ts');
  const versions = { before: old, after: now };
  const simulation = { profile: target.profile, environments: before!.environments };
  const name = source.uri;
  const generated = differenceText(decisionDifference(versions, simulation), { name, what: 'made-up' });
  if (!options.traffic) return generated;
  const recorded = await trafficDifference(versions, simulation, {
    files: options.traffic,
    allowEmpty: options.allowEmpty ?? false,
    fail,
  });
  return generated + differenceText(recorded, { name, what: 'recorded' });
}
