import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODE_SERVER, findTool } from '../../../scripts/vscode/install-tool.ts';

/** What keeps the editor from asking, greeting and phoning home. */
const SETTINGS = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'git.autofetch': false,
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'always',
  'editor.minimap.enabled': false,
  'editor.accessibilitySupport': 'off',
  'update.mode': 'none',
};

/** VS Code as a server, with the extension installed and a profile of its own. */
export class CodeServer {
  readonly address: string;
  readonly #process: ChildProcess;

  private constructor(address: string, process: ChildProcess) {
    this.address = address;
    this.#process = process;
  }

  /** Installs the extension from a `.vsix` file and starts the server in a directory for its data. */
  static async start(home: string, vsix: string, settings: object = {}): Promise<CodeServer> {
    const script = join(findTool(CODE_SERVER) ?? '', 'out/node/entry.js');
    mkdirSync(join(home, 'data/User'), { recursive: true });
    writeFileSync(join(home, 'config.yaml'), 'auth: none\n');
    writeFileSync(join(home, 'data/User/settings.json'), JSON.stringify({ ...SETTINGS, ...settings }));
    const common = [
      ...[script, '--config', join(home, 'config.yaml'), '--user-data-dir', join(home, 'data')],
      ...['--extensions-dir', join(home, 'extensions'), '--disable-telemetry', '--disable-update-check'],
    ];
    const env = {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_CACHE_HOME: join(home, 'cache'),
    };
    execFileSync(process.execPath, [...common, '--install-extension', vsix], { env, stdio: 'pipe' });
    const args = [...common, '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-getting-started-override'];
    const server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    return new CodeServer(await addressOf(server), server);
  }

  /** Returns the address of a window with a folder. */
  urlOf(folder: string): string {
    return `${this.address}/?folder=${encodeURIComponent(folder)}`;
  }

  /** Ends the server with its processes. */
  async stop(): Promise<void> {
    const ended = new Promise(resolve => this.#process.once('exit', resolve));
    if (this.#process.pid !== undefined && this.#process.exitCode === null) process.kill(-this.#process.pid, 'SIGTERM');
    await ended;
  }
}

/** The server prints its address once it listens. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer) => {
      printed += String(chunk);
      const [, address] = /HTTP server listening on (http:\/\/[\d.]+:\d+)/.exec(printed) ?? [];
      if (address !== undefined) resolve(address);
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    server.once('exit', () => reject(new Error(`the server ended: ${printed}`)));
  });
}
