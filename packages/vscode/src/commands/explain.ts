import { commands, type Diagnostic, languages, window } from 'vscode';
import { element, fragment, type Html } from '../results/html.ts';
import { heading } from '../results/page.ts';
import type { Session } from './session.ts';

/** Shows the reference page of a code: the given one, that of a finding at the cursor, or one that the user picks. */
export async function explainCode(session: Session, given?: unknown): Promise<void> {
  const code = typeof given === 'string' ? given : ((await codeAtCursor()) ?? (await pickCode(session)));
  if (code === undefined) return;
  const result = await session.run(['explain', code, '--format', 'markdown'], { directory: homeOf(session) });
  if (result.code !== 0) return void window.showWarningMessage(`Tollgate: ${result.errors.trim()}`);
  session.panel.show(code, await rendered(code, result.output));
}

/** Any directory that has no settings of a repository. */
function homeOf({ context }: Session): string {
  return context.extensionPath;
}

async function rendered(code: string, page: string): Promise<Html> {
  const text = page.replace(/^## .*\n/, '');
  // Part of every VS Code, and can be disabled like any other extension.
  const markup = await commands.executeCommand<string>('markdown.api.render', text).then(
    one => one,
    () => undefined,
  );
  const body = markup === undefined ? element('pre', {}, text) : { markup };
  return fragment(heading(code, { label: '' }), element('article', {}, body));
}

async function codeAtCursor(): Promise<string | undefined> {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const { active } = editor.selection;
  const ours = languages.getDiagnostics(editor.document.uri).filter(({ source }) => source === 'tollgate');
  const codes = [...new Set(ours.filter(({ range }) => range.contains(active)).flatMap(codeOf))];
  return codes.length > 1 ? window.showQuickPick(codes, { title: 'Explain which code?' }) : codes[0];
}

function codeOf({ code }: Diagnostic): readonly string[] {
  const value = typeof code === 'object' ? code.value : code;
  return value === undefined ? [] : [String(value)];
}

async function pickCode(session: Session): Promise<string | undefined> {
  const { output } = await session.run(['explain', '--format', 'json'], { directory: homeOf(session) });
  const known = JSON.parse(output || '[]') as readonly { readonly code: string; readonly summary: string }[];
  const items = known.map(({ code, summary }) => ({ label: code, description: summary }));
  const item = await window.showQuickPick(items, { title: 'Explain which code?', matchOnDescription: true });
  return item?.label;
}
