import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { applyEdits } from '../document/edits.ts';
import { type EmbeddedPolicy, replacementInFile } from './embedded-policy.ts';
import { type CarrierSettings, policyAt } from './find-policies.ts';

/** A file with another text for one of its policies, or why the text cannot be written there. */
export type RewrittenFile =
  | { readonly file: SourceText; readonly refusal?: undefined }
  | { readonly file?: undefined; readonly refusal: Diagnostic };

/**
 * Returns the file with `text` as the document of a policy in it; everything else stays byte for byte. The result is read back: it
 * is refused unless the policy's document is then the wanted one. A refusal is a finding in the policy's own document.
 */
export function rewriteInFile(policy: EmbeddedPolicy, text: string, settings: CarrierSettings = {}): RewrittenFile {
  const { file, source, path, layers } = policy;
  if (text === source.text) return { file };
  if (layers.length === 0) return { file: new SourceText(file.uri, text) };
  const edit = replacementInFile(policy, text);
  const rewritten = edit && new SourceText(file.uri, applyEdits(file.text, [edit]));
  const isRead = rewritten && isSame(policyAt(rewritten, path, settings).source.text, text);
  return isRead ? { file: rewritten } : { refusal: refusalOf(policy) };
}

/** The line breaks at the end are given by the notation around the text. */
function isSame(read: string, wanted: string): boolean {
  return read.replace(/\n*$/, '') === wanted.replace(/\n*$/, '');
}

const REMEDIES: Readonly<Partial<Record<string, string>>> = {
  'hcl-object': 'pass it as a heredoc',
};

function refusalOf({ layers, source }: EmbeddedPolicy): Diagnostic {
  const styles = layers.map(({ style }) => style);
  const remedy = REMEDIES[styles[0]!] ?? 'write it as a block scalar with `|`';
  return {
    code: 'format/in-carrier',
    severity: 'error',
    message: `the changed policy cannot be written in the notation of the file around it; ${remedy}`,
    uri: source.uri,
    range: { start: 0, end: 1 },
    args: { styles },
  };
}
