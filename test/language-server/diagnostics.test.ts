import { describe, expect, it } from 'vitest';
import {
  type PreviousResultId,
  type WorkspaceDiagnosticReport,
  WorkspaceDiagnosticRequest,
} from 'vscode-languageserver-protocol';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';

const URI = 'file:///w/p.yaml';
const POLICY = `on_http_request:
  - name: office only
    expressions:
      - req.pth == '/admin'
    actions:
      - type: deny
`;
const GOOD = POLICY.replace('req.pth', 'req.url.path');
const HAS = (code: string) => (found: readonly { readonly code?: unknown }[]) => found.some(one => one.code === code);

describe('diagnostics', () => {
  it('are sent after opening and after each edit, with the version of the document', async () => {
    const editor = await Editor.start(memoryHost(new Map()));
    await editor.open(URI, POLICY);
    const found = await editor.diagnostics(URI, HAS('name/undeclared-field'));
    expect(found[0]).toMatchObject({
      range: { start: { line: 3, character: 12 }, end: { line: 3, character: 15 } },
      severity: 1,
      source: 'tollgate',
    });
    const range = { start: { line: 3, character: 12 }, end: { line: 3, character: 15 } };
    const version = await editor.change(URI, { range, text: 'url.path' });
    await editor.diagnostics(URI, (now, of) => of === version && !HAS('name/undeclared-field')(now));
    expect(await editor.end()).toBe(true);
  });

  it('stay silent on YAML that is not a policy', async () => {
    const editor = await Editor.start(memoryHost(new Map()));
    await editor.open(URI, 'services:\n  web:\n    enabled: maybe\n');
    expect(await editor.diagnostics(URI)).toEqual([]);
    await editor.end();
  });

  it('are cleared when the document is closed', async () => {
    const editor = await Editor.start(memoryHost(new Map()));
    await editor.open(URI, POLICY);
    await editor.diagnostics(URI, found => found.length > 0);
    await editor.connection.sendNotification('textDocument/didClose', { textDocument: { uri: URI } });
    await editor.diagnostics(URI, found => found.length === 0);
    await editor.end();
  });

  it('carry links, tags and related locations only for clients that show them', async () => {
    const twice = `${POLICY}on_http_request: []\n`;
    const plain = await Editor.start(memoryHost(new Map()));
    await plain.open(URI, twice);
    const bare = await plain.diagnostics(URI, found => found.length > 0);
    expect(bare.some(one => one.codeDescription ?? one.relatedInformation ?? one.tags)).toBe(false);
    await plain.end();
    const rich = await Editor.start(memoryHost(new Map()), {
      textDocument: {
        publishDiagnostics: {
          relatedInformation: true,
          codeDescriptionSupport: true,
          tagSupport: { valueSet: [1, 2] },
        },
      },
    });
    await rich.open(URI, twice);
    const found = await rich.diagnostics(URI, found => found.length > 0);
    expect(found[0]?.codeDescription?.href).toMatch(/^https:.*#/);
    await rich.end();
  });

  it('are pulled by clients that also refresh', async () => {
    const editor = await Editor.start(memoryHost(new Map()), {
      textDocument: { diagnostic: {} },
      workspace: { diagnostics: { refreshSupport: true } },
    });
    const refreshed = new Promise<void>(resolve => {
      editor.connection.onRequest('workspace/diagnostic/refresh', () => {
        resolve();
        return null;
      });
    });
    await editor.open(URI, POLICY);
    const report = await editor.request<{ kind: string; items: readonly { code: string }[] }>(
      'textDocument/diagnostic',
      {
        textDocument: { uri: URI },
      },
    );
    expect(report.items.map(one => one.code)).toContain('name/undeclared-field');
    await refreshed;
    expect(editor.published).toEqual([]);
    // Neovim 0.12 asks for no document again if the workspace can be asked about.
    expect(editor.result.capabilities.diagnosticProvider?.workspaceDiagnostics).toBe(false);
    await editor.end();
  });

  it('of the whole workspace are sent in parts to clients that ask, and again when something has changed', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `/w/p${String(index).padStart(2, '0')}.yaml`);
    const files = new Map([
      ...names.map(one => [one, POLICY] as const),
      ['/w/good.yaml', GOOD],
      ['/w/x.yaml', 'a: b\n'],
    ]);
    const editor = await Editor.start(
      memoryHost(files),
      { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } },
      { initializationOptions: { workspaceDiagnostics: 40 } },
    );
    expect(editor.result.capabilities.diagnosticProvider?.workspaceDiagnostics).toBe(true);
    const parts: WorkspaceDiagnosticReport[] = [];
    editor.connection.onProgress(WorkspaceDiagnosticRequest.partialResult, 'part', one => void parts.push(one));
    const ask = (previousResultIds: readonly PreviousResultId[]) =>
      editor.request<WorkspaceDiagnosticReport>('workspace/diagnostic', {
        previousResultIds,
        partialResultToken: 'part',
      });
    expect(await ask([])).toEqual({ items: [] });
    const reports = parts.flatMap(one => one.items);
    expect(parts.length).toBeGreaterThan(1);
    expect(reports.map(one => one.uri)).toEqual(['/w/good.yaml', ...names.slice(0, 39)].map(one => `file://${one}`));
    const codes = reports.flatMap(one => (one.kind === 'full' ? one.items.map(({ code }) => code) : []));
    expect(codes.filter(one => one === 'name/undeclared-field')).toHaveLength(39);

    const known = reports.map(({ uri, resultId = '' }) => ({ uri, value: resultId }));
    parts.length = 0;
    const again = ask(known);
    files.set('/w/p03.yaml', GOOD);
    files.delete('/w/p04.yaml');
    const changes = [{ uri: 'file:///w/p03.yaml', type: 2 }];
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await again;
    const later = parts
      .flatMap(one => one.items)
      .map(one => [one.uri, one.kind === 'full' && one.items.some(({ code }) => code === 'name/undeclared-field')]);
    expect(later).toEqual([
      ['file:///w/p03.yaml', false],
      ['file:///w/p39.yaml', true],
      ['file:///w/p04.yaml', false],
    ]);
    await editor.end();
  });
});
