import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { disguisesOf, UPSTREAMS, upstreamPath } from '@tollgate/solver/engine';
import { TLS_UNKNOWN } from '@tollgate/traffic';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';
import { eventually } from '../support/eventually.ts';

// Sends paths in all spellings to real servers that have a handler for the plain path, and compares what answers with the data about upstreams.

const PATHS = ['/admin', '/admin/users', '/Shop/Cart.x', '/a/b/c'];

/** Returns the program if it is installed. */
function installed(...programs: readonly string[]): string | undefined {
  return programs.find(program => {
    try {
      execFileSync(program, [program.endsWith('nginx') ? '-v' : 'version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

const NGINX = installed('/usr/sbin/nginx', 'nginx');
/** Installed by `scripts/install-test-tools.sh`. */
const EXPRESS = join(ROOT, 'node_modules/.cache/tollgate-express/node_modules/express');
const GO = inject('isDeep') ? installed('go', '/usr/local/go/bin/go') : undefined;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Sends a path as it is; returns the body of a response with status 200. */
async function bodyOf(port: number, path: string): Promise<string | undefined> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, agent: false }, resolve).on('error', reject).end();
  });
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += chunk;
  return response.statusCode === 200 ? body : undefined;
}

async function isListening(port: number): Promise<boolean> {
  try {
    await bodyOf(port, '/');
    return true;
  } catch {
    return false;
  }
}

/** The paths of disguises that keep their technique within the path. */
function spellingsOf(path: string): readonly string[] {
  const exchange = {
    ...{
      place: { file: 'x', number: 1, unit: 'entry' as const },
      time: 0,
      tls: TLS_UNKNOWN,
      method: 'GET',
      protocol: 'HTTP/1.1',
    },
    ...{ target: path, url: `http://example.com${path}`, clientIp: undefined, response: undefined },
    requestHeaders: { fields: [], absent: [], complete: true, withheld: [] },
  };
  return disguisesOf(exchange).flatMap(({ exchange: { target } }) => target ?? []);
}

function nginxFiles(directory: string, port: number): readonly string[] {
  const locations = PATHS.map(path => `location = ${path} { return 200 ${path}; }`).join('\n');
  mkdirSync(join(directory, 'logs'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    one => `${one}_temp_path ${directory}/${one};`,
  );
  const server = `server { listen 127.0.0.1:${port}; ${locations} location / { return 404; } }`;
  const configuration = `daemon off; pid ${directory}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')} ${server} }`;
  writeFileSync(join(directory, 'nginx.conf'), configuration);
  return ['-p', directory, '-c', join(directory, 'nginx.conf')];
}

function goFiles(directory: string, port: number): readonly string[] {
  const handlers = PATHS.map(
    path => `mux.HandleFunc("${path}", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("${path}")) })`,
  );
  const body = `mux := http.NewServeMux()\n${handlers.join('\n')}\nhttp.ListenAndServe("127.0.0.1:${port}", mux)`;
  const program = `package main\nimport "net/http"\nfunc main() {\n${body}\n}\n`;
  writeFileSync(join(directory, 'main.go'), program);
  execFileSync(GO!, ['build', '-o', join(directory, 'server'), join(directory, 'main.go')], { cwd: directory });
  return [];
}

function expressFiles(directory: string, port: number): readonly string[] {
  const handlers = PATHS.map(path => `app.get('${path}', (_, response) => response.send('${path}'));`);
  const program = `const app = require('${EXPRESS}')();\n${handlers.join('\n')}\napp.listen(${port}, '127.0.0.1');\n`;
  writeFileSync(join(directory, 'server.cjs'), program);
  return [join(directory, 'server.cjs')];
}

const SERVERS = [
  { name: 'express', isInstalled: existsSync(EXPRESS), command: () => process.execPath, files: expressFiles },
  { name: 'nginx', isInstalled: NGINX !== undefined, command: () => NGINX!, files: nginxFiles },
  {
    name: 'go',
    isInstalled: GO !== undefined,
    command: (directory: string) => join(directory, 'server'),
    files: goFiles,
  },
] as const;

describe.each(SERVERS)('$name', ({ name, isInstalled, command, files }) => {
  let directory: string;
  let port: number;
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    if (!isInstalled) return;
    directory = mkdtempSync(join(tmpdir(), 'tollgate-upstream-'));
    port = await freePort();
    const args = files(directory, port);
    server = spawn(command(directory), args, { stdio: 'ignore' });
    await eventually(() => isListening(port));
  });

  afterAll(() => {
    server?.kill();
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  });

  it.skipIf(!isInstalled)('reads paths as its data says', async () => {
    const upstream = UPSTREAMS.find(one => one.name === name)!;
    let alike = 0;
    for (const path of PATHS) {
      expect(await bodyOf(port, path)).toBe(path);
      for (const spelling of spellingsOf(path)) {
        const found = (await bodyOf(port, spelling)) === path;
        const expected = upstreamPath(spelling, upstream) === upstreamPath(path, upstream);
        expect({ spelling, found }).toEqual({ spelling, found: expected });
        if (found) alike++;
      }
    }
    expect(alike).toBeGreaterThan(10);
  });
});
