import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PROFILES } from '@tollgate/catalog';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createMessageConnection,
  type Diagnostic,
  type MessageConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { ROOT } from '../architecture/source-file.ts';

// The policy schemas in the server that VS Code's YAML extension, Neovim, Helix and others run: `yaml-language-server`.

let server: ChildProcess;
let connection: MessageConnection;
const waiting = new Map<string, (found: readonly Diagnostic[]) => void>();

beforeAll(async () => {
  const command = createRequire(import.meta.url).resolve('yaml-language-server/bin/yaml-language-server');
  server = spawn(process.execPath, [command, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  connection = createMessageConnection(new StreamMessageReader(server.stdout!), new StreamMessageWriter(server.stdin!));
  connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }: PublishDiagnosticsParams) =>
    waiting.get(uri)?.(diagnostics),
  );
  connection.onRequest(() => null);
  connection.onRequest('workspace/configuration', ({ items }: { readonly items: readonly object[] }) =>
    items.map(() => ({ validate: true, schemaStore: { enable: false } })),
  );
  connection.listen();
  const capabilities = { workspace: { configuration: true } };
  await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities });
  await connection.sendNotification('initialized', {});
});

afterAll(async () => {
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  connection.dispose();
});

let documents = 0;

/** Returns `LINE message` of each finding of a document whose first line names the schema. */
async function findingsOf(schema: string, text: string): Promise<readonly string[]> {
  const uri = `file://${join(ROOT, `policy-${++documents}.yaml`)}`;
  const found = new Promise<readonly Diagnostic[]>(resolve => waiting.set(uri, resolve));
  const first = `# yaml-language-server: $schema=grammars/${schema}\n`;
  const textDocument = { uri, languageId: 'yaml', version: 1, text: first + text };
  await connection.sendNotification('textDocument/didOpen', { textDocument });
  const diagnostics = await found;
  return diagnostics.map(({ range, message }) => `${range.start.line} ${message}`).toSorted();
}

const DENY = 'actions: [{ type: deny }]';

/** Documents with mistakes and without, for endpoints that have the phase and for those that do not. */
const MODERN = [
  `on_http_request:\n  - ${DENY}\n`,
  `on_http_request:\n  - expressions: req.method == 'GET'\n    ${DENY}\n`,
  'on_http_request:\n  - name: 1\n    actions: []\n',
  'on_http_request:\n  - actions:\n      - type: denny\n',
  'on_http_request:\n  - actions:\n      - type: deny\n        config: { status_code: 700 }\n',
  'on_http_request:\n  - actions:\n      - type: redirect\n        config: { status: 301 }\n',
  'on_http_request:\n  - actions:\n      - type: rate-limit\n        config: { algorithm: sliding_window }\n',
  'on_http_response:\n  - actions:\n      - type: add-headers\n        config: { headers: { "a b": c } }\n',
  'on_tcp_connect:\n  - actions:\n      - type: restrict-ips\n        config: { allow: [1.2.3.4/40] }\n',
  'on_tcp_connect:\n  - actions:\n      - type: terminate-tls\n        config: { min_version: "9" }\n',
  'on_tcp_connect:\n  - actions:\n      - type: deny\n        config: { status_code: 403 }\n',
  `policy:\n  on_http_request:\n    - ${DENY}\nmodule: {}\n`,
];
const EDGE_V2 = [
  'inbound:\n  - actions:\n      - type: deny\n        config: { status_code: 403 }\n',
  'inbound:\n  - expressions: [1]\n    actions:\n      - type: redirect\n        config: { from: /a, to: /b }\n',
  'outbound:\n  - actions:\n      - type: add-headers\n',
  `policy:\n  inbound:\n    - ${DENY}\nid: a\n`,
  'enabled: yes please\n',
];
const BOTH = ['nothing: here\n', '[]\n'];

/** The findings in each document, as lines below the address of its schema. */
async function findings(): Promise<string> {
  const schemas = PROFILES.flatMap(({ name, endpoints }) =>
    ['', ...endpoints.map(endpoint => `#/definitions/${endpoint}`)].map(endpoint => [name, endpoint] as const),
  );
  const sections = schemas.map(async ([profile, endpoint]) => {
    const schema = `policy.${profile}.schema.json${endpoint}`;
    const documents = [...(profile === 'modern' ? MODERN : EDGE_V2), ...BOTH];
    const found = documents.map(async text => [JSON.stringify(text), ...(await findingsOf(schema, text))].join('\n  '));
    return [`# ${schema}`, ...(await Promise.all(found))].join('\n');
  });
  return (await Promise.all(sections)).join('\n\n');
}

it('finds the same mistakes as when each endpoint had a schema of its own', async () => {
  await expect(`${await findings()}\n`).toMatchFileSnapshot('findings-in-editors.txt');
});

it('takes no more than 250 kB for all profiles', () => {
  const sizes = PROFILES.map(({ name }) => statSync(join(ROOT, `grammars/policy.${name}.schema.json`)).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(250_000);
});
