import { Position as At, type Position, Range, Uri, ViewColumn, window, workspace } from 'vscode';
import { rulesOf } from './rules-of.ts';

/** Opens a file at a position, next to the results. */
export async function openLocation(file: string, line: number, character: number): Promise<void> {
  await reveal(Uri.file(file), new At(line, character));
}

/** Opens a rule. */
export async function openRule(file: string, phase: string, number: number, part = ''): Promise<void> {
  const uri = Uri.file(file);
  await workspace.openTextDocument(uri);
  const rules = (await rulesOf(uri)).filter(one => one.part === part);
  const rule = rules.find(one => one.phase === phase && one.number === number);
  await reveal(uri, rule?.range.start ?? new At(0, 0));
}

async function reveal(uri: Uri, position: Position): Promise<void> {
  const known = window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  await window.showTextDocument(uri, {
    viewColumn: known?.viewColumn ?? ViewColumn.One,
    selection: new Range(position, position),
  });
}
