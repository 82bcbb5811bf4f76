import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  Position as At,
  type CodeLens,
  commands,
  type Position,
  Range,
  type TextDocument,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import type { ShownText } from './tollgate-program.ts';

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
  if (!document) {
    void window.showWarningMessage('Tollgate: open a policy first.');
    return undefined;
  }
  const part = given?.fragment || (await partAtCursor(document));
  const path = pathOf(document);
  return { document, part, argument: part === '' ? path : `${path}#${part}` };
}

/** A file may contain several policies. Above the first rule, the first one is meant. */
async function partAtCursor(document: TextDocument): Promise<string> {
  const editor = window.activeTextEditor;
  const cursor = editor?.document === document ? editor.selection.active : undefined;
  const rule = (cursor && (await ruleAt(document.uri, cursor))) ?? (await rulesOf(document.uri))[0];
  return rule?.part ?? '';
}

/** A rule of a document. */
interface RuleAt {
  readonly phase: string;
  /** From 1. */
  readonly number: number;
  /** Address of its policy in the file; empty if the file is the policy. */
  readonly part: string;
  /** Of its name, or empty at its start. */
  readonly range: Range;
}

/** Returns the rules of a document, in document order: those that have a lens. */
async function rulesOf(uri: Uri): Promise<readonly RuleAt[]> {
  const lenses =
    (await commands.executeCommand<readonly CodeLens[] | undefined>('vscode.executeCodeLensProvider', uri)) ?? [];
  return lenses.flatMap(({ range, command }) => {
    if (command?.command !== 'tollgate.traceRule') return [];
    const [policy, phase, number] = command.arguments ?? [];
    return [{ phase: String(phase), number: Number(number), part: Uri.parse(String(policy)).fragment, range }];
  });
}

/** Returns the rule at a position: the last one that starts on its line or above. */
export async function ruleAt(uri: Uri, { line }: Position): Promise<RuleAt | undefined> {
  const rules = await rulesOf(uri);
  return rules.findLast(({ range }) => range.start.line <= line);
}

/** Opens a file at a position, next to the results. */
export async function openLocation(file: string, line: number, character: number): Promise<void> {
  await reveal(uriOf(file), new At(line, character));
}

/** Opens a rule. */
export async function openRule(file: string, phase: string, number: number, part = ''): Promise<void> {
  const uri = uriOf(file);
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

/**
 * Returns the path by which commands name a document: that of its file, or the one that it may get in the first folder. Only the editor has
 * the text of the latter.
 */
export function pathOf({ uri, languageId }: Pick<TextDocument, 'uri' | 'languageId'>): string {
  if (uri.scheme === 'file') return uri.fsPath;
  const [folder] = workspace.workspaceFolders ?? [];
  return join(folder?.uri.fsPath ?? tmpdir(), `${basename(uri.path)}.${languageId === 'json' ? 'json' : 'yaml'}`);
}

/** Returns the URI of what commands call by a path. */
export function uriOf(path: string): Uri {
  const untitled = workspace.textDocuments.find(one => one.uri.scheme === 'untitled' && pathOf(one) === path);
  return untitled?.uri ?? Uri.file(path);
}

/** Returns what the editor shows of files with unsaved changes, and of those that were never saved: commands read this instead. */
export function unsavedTexts(): readonly ShownText[] {
  const edited = workspace.textDocuments.filter(
    ({ isDirty, uri: { scheme } }) => scheme === 'untitled' || (isDirty && scheme === 'file'),
  );
  return edited.map(document => ({ path: pathOf(document), text: document.getText() }));
}
