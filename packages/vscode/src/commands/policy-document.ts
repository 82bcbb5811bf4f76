import { type TextDocument, Uri, window, workspace } from 'vscode';
import { ruleAt, rulesOf } from './rules-of.ts';

/** A policy in a file. */
export interface NamedPolicy {
  readonly document: TextDocument;
  /** Address in the file, such as `/spec/policy`; empty if the file is the policy. */
  readonly part: string;
  /** As the command names it: `/w/deploy.yaml#/spec/policy`. */
  readonly argument: string;
}

/**
 * Returns the policy that a command is about: the named one, or that at the cursor of the active editor. Says why there is none. The editor
 * passes the URI to commands in its menus, and the server passes it as a string, whose fragment is the address in the file.
 */
export async function policyDocument(uri: Uri | string | undefined): Promise<NamedPolicy | undefined> {
  const given = typeof uri === 'string' ? Uri.parse(uri) : uri;
  const document =
    given instanceof Uri
      ? await workspace.openTextDocument(given.with({ fragment: '' }))
      : window.activeTextEditor?.document;
  if (document?.uri.scheme !== 'file') {
    const problem = document ? 'save the policy as a file first.' : 'open a policy first.';
    void window.showWarningMessage(`Tollgate: ${problem}`);
    return undefined;
  }
  const part = given?.fragment || (await partAtCursor(document));
  return { document, part, argument: part === '' ? document.uri.fsPath : `${document.uri.fsPath}#${part}` };
}

/** A file may contain several policies. Above the first rule, the first one is meant. */
async function partAtCursor(document: TextDocument): Promise<string> {
  const editor = window.activeTextEditor;
  const cursor = editor?.document === document ? editor.selection.active : undefined;
  const rule = (cursor && (await ruleAt(document.uri, cursor))) ?? (await rulesOf(document.uri))[0];
  return rule?.part ?? '';
}
