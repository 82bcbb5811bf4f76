// `tollgate serve`.

import { ExternalError, isRecord, printable } from '@tollgate/diagnostics';
import {
  listKeys,
  type RunningServer,
  readServerSettings,
  type ServerSettings,
  startServer,
} from '@tollgate/edge-server';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { VERSION } from '../process/version.ts';
import type { ServerOptions } from './server-options.ts';

/** Serves the API until the process receives SIGINT or SIGTERM. */
export async function serve({ config, ...flags }: ServerOptions, terminal: Terminal): Promise<ExitCode> {
  const { env, write, writeError } = terminal;
  const read = () => readServerSettings({ flags, env, file: config });
  const settings = read();
  const server = await startServer(settings, {
    env,
    now: Date.now,
    version: VERSION,
    writeLine: line => write(`${line}\n`),
    log: settings.development ? line => writeError(readableLog(line)) : writeError,
  });
  // Before the greeting, because its reader may stop the server immediately.
  const stopped = stopSignal();
  const reload = () => reloadSettings(server, read, terminal);
  process.on('SIGHUP', reload);
  write(await greeting(server, settings));
  server.getReady();
  await stopped;
  writeError('tollgate: stopping; interrupt again to stop immediately\n');
  process.off('SIGHUP', reload);
  process.once('SIGINT', () => process.exit(EXIT.clean));
  await server.stop();
  return EXIT.clean;
}

/** Reads the settings again. Invalid ones change nothing. */
function reloadSettings(server: RunningServer, read: () => ServerSettings, { writeError }: Terminal): void {
  try {
    const { applied, needRestart } = server.reload(read());
    writeError(`tollgate: settings reloaded; changed: ${applied.join(', ') || 'none'}\n`);
    if (needRestart.length > 0) writeError(`tollgate: restart to change: ${needRestart.join(', ')}\n`);
  } catch (error) {
    if (!(error instanceof ExternalError)) throw error;
    writeError(`tollgate: ${error.message}\ntollgate: the previous settings stay in use\n`);
  }
}

async function stopSignal(): Promise<void> {
  await new Promise<void>(resolve => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

async function greeting({ url, store, firstKey }: RunningServer, settings: ServerSettings): Promise<string> {
  const base = settings.publicUrl === '' ? `${url}${settings.basePath}` : settings.publicUrl;
  const lines = [`Edge Configuration API at ${base}`, `  store      ${store.description}`, `  reference  ${url}/docs`];
  if (firstKey) lines.push(`  API key    ${firstKey.token}`, '             created now; shown only once');
  else lines.push(`  API key    ${await keyHint(store)}; run \`tollgate keys create\` to create one`);
  if (firstKey) lines.push('', ...tryIt(base, firstKey.token, settings));
  return `${lines.join('\n')}\n`;
}

async function keyHint(store: RunningServer['store']): Promise<string> {
  return (await listKeys(store)).length === 0 ? 'none yet' : 'created earlier';
}

function tryIt(base: string, token: string, { versionHeaders }: ServerSettings): readonly string[] {
  return [
    'Try it:',
    `  curl -H 'Authorization: Bearer ${token}' -H '${versionHeaders[0]}: 2' -H 'Content-Type: application/json' \\`,
    `    -d '{"hostports":["shop.example:443"]}' ${base}/edges/https`,
  ];
}

const LEVELS: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
const HIDDEN = new Set(['level', 'time', 'msg', 'op', 'key']);

/** Returns a JSON line of the server log in readable form. */
export function readableLog(line: string): string {
  const entry = parsed(line);
  if (!entry) return line;
  const { msg, method, path, status, ms, operation } = entry;
  // The greeting already shows the address.
  if (String(msg).startsWith('Server listening')) return '';
  if (msg === 'request') return `${status} ${method} ${printable(String(path))} (${operation}, ${ms} ms)\n`;
  const rest = Object.entries(entry).filter(([name, value]) => !HIDDEN.has(name) && value !== undefined);
  const facts = rest.map(([name, value]) => `${name}=${shown(value)}`).join(' ');
  return `${LEVELS[Number(entry.level)] ?? 'info'}: ${msg}${facts === '' ? '' : ` ${facts}`}\n`;
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function shown(value: unknown): string {
  if (isRecord(value)) return String(value.stack ?? value.message ?? JSON.stringify(value));
  return typeof value === 'string' ? value : JSON.stringify(value);
}
