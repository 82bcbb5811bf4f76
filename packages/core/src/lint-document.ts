import { type Linter, type LintTextOptions, lintText } from '@tollgate/lint';
import type { PolicyDocument } from './documents.ts';

/** Runs a linter on a document: the findings of the analysis and of lint rules, and what the lint rules summarize. */
export function lintDocument(
  { source, target, part }: PolicyDocument,
  linter: Linter,
  options: Omit<LintTextOptions, 'profile' | 'endpoint' | 'environments' | 'part'> = {},
): ReturnType<typeof lintText> {
  return lintText(source, { ...target, ...(part && { part }), ...options }, linter);
}
