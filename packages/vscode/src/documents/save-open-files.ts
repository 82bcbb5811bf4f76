import { type TextDocument, workspace } from 'vscode';
import { saveDocument } from './save-document.ts';

/** How long a save that VS Code began by itself is waited for, in ms: other extensions may take part in it. */
const PATIENCE = 5_000;

/** Saves all files with unsaved changes, because the command reads files from the disk. Returns those that could not be saved. */
export async function saveOpenFiles(): Promise<readonly TextDocument[]> {
  const edited = workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file');
  const saved = await Promise.all(edited.map(document => saveDocument(document, nextSave)));
  return edited.filter((_, index) => !saved[index]);
}

function nextSave(document: TextDocument): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(end, PATIENCE);
    const listening = workspace.onDidSaveTextDocument(one => {
      if (one === document) end();
    });
    function end() {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    }
  });
}
