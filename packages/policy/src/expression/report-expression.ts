import type { Diagnostic, Fix } from '@tollgate/diagnostics';
import { documentRange, type MappedText } from '../document/mapped-text.ts';
import type { Reporter } from '../reporter.ts';

/** Text that means the same in every kind of scalar, so that a fix of an expression is one of the document. */
const UNENCODED = /^[\w.]*$/;

/** Reports a diagnostic of an expression at its place in the document. Fixes that would need another spelling there are left out. */
export function reportExpression(diagnostic: Diagnostic, text: MappedText, reporter: Reporter): void {
  const { uri: _, related, fixes, ...rest } = diagnostic;
  const mapped = fixes?.filter(isUnencoded).map(fix => mapFix(fix, text)) ?? [];
  reporter.report({
    ...rest,
    range: documentRange(text, diagnostic.range),
    ...(related && { related: related.map(one => ({ message: one.message, range: documentRange(text, one.range) })) }),
    ...(mapped.length > 0 && { fixes: mapped }),
  });
}

function isUnencoded(fix: Fix): boolean {
  return fix.edits.every(edit => UNENCODED.test(edit.newText));
}

function mapFix(fix: Fix, text: MappedText): Fix {
  return { ...fix, edits: fix.edits.map(edit => ({ ...edit, range: documentRange(text, edit.range) })) };
}
