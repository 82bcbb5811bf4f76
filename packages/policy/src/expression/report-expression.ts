import type { Diagnostic, Fix } from '@tollgate/diagnostics';
import { documentRange, type MappedText } from '../document/model/mapped-text.ts';
import type { Reporter } from '../document/model/reporter.ts';
import { editScalar } from '../edits/edit-scalar.ts';

/** Reports a diagnostic of an expression at its range in the document. Fixes are encoded in the style of the scalar. */
export function reportExpression(
  diagnostic: Diagnostic,
  text: MappedText,
  { document, reporter }: { readonly document: string; readonly reporter: Reporter },
): void {
  const { uri: _, related, fixes, ...rest } = diagnostic;
  const mapped = fixes?.map((fix): Fix => ({ ...fix, edits: editScalar(document, text, fix.edits) }));
  reporter.report({
    ...rest,
    range: documentRange(text, diagnostic.range),
    ...(related && { related: related.map(one => ({ message: one.message, range: documentRange(text, one.range) })) }),
    ...(mapped && mapped.length > 0 && { fixes: mapped }),
  });
}
