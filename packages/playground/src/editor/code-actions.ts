// Fixes and refactorings of the language server: Ctrl-. (⌘-.) lists them at the cursor.

import type { LSPPlugin } from '@codemirror/lsp-client';
import { LSPPlugin as PluginOfView } from '@codemirror/lsp-client';
import type { Extension } from '@codemirror/state';
import { StateEffect, StateField } from '@codemirror/state';
import { type EditorView, keymap, type Panel, showPanel } from '@codemirror/view';
import { changeOf, positionOf, type ServerEdit, type ServerRange } from './workspace.ts';

/** A change of several files. */
interface WorkspaceEdit {
  readonly changes?: Readonly<Record<string, readonly ServerEdit[]>>;
  readonly documentChanges?: readonly {
    readonly textDocument?: { readonly uri: string };
    readonly edits?: readonly ServerEdit[];
  }[];
}

interface ServerAction {
  readonly title: string;
  readonly kind?: string;
  readonly edit?: WorkspaceEdit;
  readonly command?: unknown;
  readonly disabled?: { readonly reason: string };
}

/** What a client announces about code actions, so that the server sends their edits. */
export const ACTION_CAPABILITIES = {
  textDocument: {
    codeAction: {
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ['quickfix', 'refactor', 'refactor.extract', 'refactor.rewrite', 'source.fixAll'] },
      },
      isPreferredSupport: true,
      disabledSupport: true,
    },
    semanticTokens: {
      requests: { full: true },
      tokenTypes: [],
      tokenModifiers: [],
      formats: ['relative'],
    },
    inlayHint: {},
    publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true, tagSupport: { valueSet: [1, 2] } },
  },
};

const setActions = StateEffect.define<readonly ServerAction[] | undefined>();

/** Returns the extension with the list of actions. */
export function codeActions(): Extension {
  return [
    StateField.define<readonly ServerAction[] | undefined>({
      create: () => undefined,
      update: (value, transaction) => {
        const effect = transaction.effects.find(one => one.is(setActions));
        if (effect) return effect.value;
        return transaction.docChanged ? undefined : value;
      },
      provide: field =>
        showPanel.from(field, actions => (actions === undefined ? null : view => panelOf(view, actions))),
    }),
    keymap.of([
      { key: 'Mod-.', run: showActions },
      { key: 'Alt-Enter', run: showActions },
    ]),
  ];
}

/** Lists what the server offers at the selection. */
function showActions(view: EditorView): boolean {
  const plugin = PluginOfView.get(view);
  if (!plugin) return false;
  const { doc, selection } = view.state;
  const { from, to } = selection.main;
  const range = { start: positionOf(doc, from), end: positionOf(doc, to) };
  actionsAt(plugin, range)
    .then(found => view.state.doc === doc && view.dispatch({ effects: setActions.of(found) }))
    .catch(() => {});
  return true;
}

async function actionsAt(plugin: LSPPlugin, range: ServerRange): Promise<readonly ServerAction[]> {
  plugin.client.sync();
  const params = { textDocument: { uri: plugin.uri }, range, context: { diagnostics: [] } };
  const found = await plugin.client.request<typeof params, readonly ServerAction[] | null>(
    'textDocument/codeAction',
    params,
  );
  return (found ?? []).filter(({ edit, disabled }) => edit !== undefined && disabled === undefined);
}

function panelOf(view: EditorView, actions: readonly ServerAction[]): Panel {
  const dom = document.createElement('div');
  dom.className = 'actions';
  dom.setAttribute('role', 'menu');
  dom.setAttribute('aria-label', 'Fixes and refactorings');
  const close = () => {
    view.dispatch({ effects: setActions.of(undefined) });
    view.focus();
  };
  for (const action of actions) {
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('role', 'menuitem');
    button.textContent = action.title;
    button.onclick = () => {
      close();
      applyEdit(view, action.edit);
    };
    dom.append(button);
  }
  if (actions.length === 0) dom.append('Nothing to fix or refactor here.');
  dom.onkeydown = event => moveIn(dom, event, close);
  return { dom, top: false, mount: () => dom.querySelector('button')?.focus() };
}

function moveIn(dom: HTMLElement, event: KeyboardEvent, close: () => void): void {
  const buttons = [...dom.querySelectorAll('button')];
  const at = buttons.findIndex(one => one.matches(':focus'));
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (event.key === 'Escape') close();
  else if (step === undefined) return;
  else buttons.at((at + step) % buttons.length)?.focus();
  event.preventDefault();
  event.stopPropagation();
}

/** Applies a change of the server to all files that it names. */
function applyEdit(view: EditorView, edit: WorkspaceEdit | undefined): void {
  const plugin = PluginOfView.get(view);
  if (!plugin || !edit) return;
  const { workspace } = plugin.client;
  const changed = [
    ...Object.entries(edit.changes ?? {}),
    ...(edit.documentChanges ?? []).flatMap(({ textDocument, edits }): [string, readonly ServerEdit[]][] =>
      textDocument && edits ? [[textDocument.uri, edits]] : [],
    ),
  ];
  for (const [uri, edits] of changed) {
    const doc = uri === plugin.uri ? view.state.doc : workspace.getFile(uri)?.doc;
    if (doc) workspace.updateFile(uri, changeOf(doc, edits));
  }
}
