import { type TextDocument, Uri, window, workspace } from 'vscode';

/** Returns the policy that a command is about, saved: the named document, or that of the active editor. Says why there is none. */
export async function policyDocument(uri: Uri | string | undefined): Promise<TextDocument | undefined> {
  const document = await named(uri);
  if (document?.uri.scheme !== 'file') {
    const problem = document ? 'save the policy as a file first.' : 'open a policy first.';
    void window.showWarningMessage(`Tollgate: ${problem}`);
    return undefined;
  }
  if (document.isDirty && !(await document.save())) return undefined;
  return document;
}

/** The editor passes the URI to commands in its menus, and the server passes it as a string. */
async function named(uri: Uri | string | undefined): Promise<TextDocument | undefined> {
  if (uri instanceof Uri) return workspace.openTextDocument(uri);
  if (typeof uri === 'string') return workspace.openTextDocument(Uri.parse(uri));
  return window.activeTextEditor?.document;
}
