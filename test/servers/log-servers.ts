import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { ReadTrafficOptions } from '@tollgate/traffic';
import { ROOT } from '../architecture/source-file.ts';
import { eventually } from '../support/eventually.ts';

// The five servers, each with the configuration that makes it write its usual log and logs of formats that people choose.

/** A log that a server writes about all of its requests. */
export interface ServerLog {
  readonly name: string;
  readonly file: string;
  /** What the reader is told. */
  readonly options: ReadTrafficOptions;
  /** Whether it shows that a target was a whole URL. */
  readonly showsTargets: boolean;
}

/** A server that runs. */
export interface RunningServer {
  readonly name: string;
  readonly port: number;
  readonly logs: readonly ServerLog[];
  /**
   * What its logs have of a header that was sent several times: a list of all values; all of them in one string; or one of them, as nginx before
   * 1.23, Envoy and captures of HAProxy do.
   */
  readonly repeated: 'listed' | 'joined' | 'one';
  /** Ends the server, which completes its logs. */
  stop(): Promise<void>;
}

/** A server that is installed. */
export interface InstalledServer {
  readonly name: string;
  /** Starts it on a free port of the loopback interface, with its files in a folder. */
  start(folder: string): Promise<RunningServer>;
}

/** Returns the servers that are installed; `scripts/install-test-tools.sh` installs all of them. */
export function installedServers(): readonly InstalledServer[] {
  return KINDS.flatMap(kind => {
    const program = kind.programs.find(isRunnable(kind.version));
    return program === undefined ? [] : [{ name: kind.name, start: folder => start(kind, program, folder) }];
  });
}

/** Names of all servers that this suite knows. */
export const SERVER_NAMES: readonly string[] = ['nginx', 'apache', 'caddy', 'haproxy', 'envoy'];

interface ServerKind {
  readonly name: string;
  readonly programs: readonly string[];
  /** The argument that prints the version. */
  readonly version: string;
  /** Names of its logs, with what the reader is told. */
  readonly logs: Readonly<Record<string, ReadTrafficOptions>>;
  /** Logs that have the path of a target that was a whole URL. */
  readonly pathsOnly?: readonly string[];
  /** Its configuration, by name of file. */
  readonly files: (folder: string, port: number) => Readonly<Record<string, string>>;
  readonly args: (folder: string) => readonly string[];
  readonly repeated?: RunningServer['repeated'];
  /** It writes its only log to standard output. */
  readonly isOnOutput?: true;
}

function isRunnable(version: string): (program: string) => boolean {
  return program => {
    try {
      execFileSync(program, [version], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
}

async function start(kind: ServerKind, program: string, folder: string): Promise<RunningServer> {
  const home = join(folder, kind.name.replace(/\W+/g, '-'));
  mkdirSync(home);
  const port = await freePort();
  for (const [name, text] of Object.entries(kind.files(home, port))) writeFileSync(join(home, name), text);
  const { repeated = 'one' } = kind;
  const logs = Object.entries(kind.logs).map(([name, options]) => {
    return { name, options, file: join(home, `${name}.log`), showsTargets: !kind.pathsOnly?.includes(name) };
  });
  const child = spawn(program, kind.args(home), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: home },
  });
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  const output = createWriteStream(kind.isOnOutput ? logs[0]!.file : join(home, 'output.txt'));
  child.stdout.pipe(output);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    errors += text;
  });
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`${kind.name} ended: ${errors}`);
    return accepts(port);
  });
  return { name: kind.name, port, logs, repeated, stop: () => stop(child, ended) };
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

/** Returns a port of the loopback interface that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Returns true if something listens on a port of the loopback interface. */
export function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}

const NGINX_TEXT =
  '$remote_addr:$remote_port [$time_iso8601] "$request" $status $body_bytes_sent $scheme "$http_host" "$http_user_agent" ' +
  '"$http_referer" "$http_x_api_key" "$http_cookie" "$sent_http_content_type"';
const NGINX_HOST = '$remote_addr - [$time_local] "$request" $status "$host" "$http_x_api_key"';
const NGINX_JSON =
  '{"t":"$msec","ip":"$remote_addr","m":"$request_method","u":"$request_uri","v":"$server_protocol","s":$status,"sc":"$scheme",' +
  '"h":"$http_host","a":"$http_user_agent","k":"$http_x_api_key","r":"$http_referer","ct":"$sent_http_content_type"}';
const NGINX_NAMES =
  '{"time_iso8601":"$time_iso8601","remote_addr":"$remote_addr","request_method":"$request_method","request_uri":"$request_uri",' +
  '"server_protocol":"$server_protocol","status":"$status","host":"$host","http_user_agent":"$http_user_agent",' +
  '"http_x_api_key":"$http_x_api_key","http_referer":"$http_referer","body_bytes_sent":"$body_bytes_sent"}';
const APACHE_TEXT =
  '%a %{remote}p %t "%r" %>s %B "%{Host}i" "%{User-Agent}i" "%{Referer}i" "%{X-Api-Key}i" "%{Cookie}i" "%{Content-Type}o" %{REQUEST_SCHEME}e';
const APACHE_JSON = '{"ip":"%a","r":"%r","s":"%>s","h":"%{Host}i","a":"%{User-Agent}i","k":"%{X-Api-Key}i"}';
const HAPROXY_JSON =
  '{"ip":"%ci","p":"%cp","m":"%HM","u":"%HU","v":"%HV","s":"%ST","h":"%[capture.req.hdr(0),json(utf8s)]","a":"%[capture.req.hdr(1),json(utf8s)]",' +
  '"k":"%[capture.req.hdr(2),json(utf8s)]"}';
const ENVOY_TEXT =
  '%DOWNSTREAM_REMOTE_ADDRESS% [%START_TIME%] "%REQ(:METHOD)% %REQ(:PATH)% %PROTOCOL%" %RESPONSE_CODE% "%REQ(:AUTHORITY)%" "%REQ(USER-AGENT)%" ' +
  '"%REQ(X-API-KEY)%" "%REQ(COOKIE)%" "%RESP(CONTENT-TYPE)%"';

/** Names that a user may choose, and the mapping that explains them. */
const OWN = {
  ...{
    client_ip: 'ip',
    method: 'm',
    target: 'u',
    protocol: 'v',
    status: 's',
    scheme: 'sc',
    host: 'h',
    user_agent: 'a',
  },
  ...{ 'request_headers.X-Api-Key': 'k', referer: 'r', 'response_headers.Content-Type': 'ct' },
};

function lineOf(format: string): string {
  return format.replaceAll('"', '\\"');
}

const NGINX: ServerKind = {
  name: 'nginx',
  programs: ['/usr/sbin/nginx', 'nginx'],
  version: '-v',
  logs: {
    combined: {},
    text: { logFormat: NGINX_TEXT },
    host: { logFormat: NGINX_HOST },
    'json format': { logFormat: `escape=json ${NGINX_JSON}` },
    'json mapped': { format: 'json-lines', mapping: { fields: OWN } },
    'json names': {},
  },
  pathsOnly: ['json format', 'json mapped', 'json names'],
  files: folder => ({
    'nginx.conf': `
      daemon off; master_process off; pid ${folder}/pid; error_log stderr crit;
      events { worker_connections 512; }
      http {
        log_format text '${NGINX_TEXT}';
        log_format host '${NGINX_HOST}';
        log_format json escape=json '${NGINX_JSON}';
        log_format names escape=json '${NGINX_NAMES}';
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(one => `${one}_temp_path ${folder}/${one};`).join(' ')}
        access_log "${folder}/combined.log";
        access_log "${folder}/text.log" text;
        access_log "${folder}/host.log" host;
        access_log "${folder}/json format.log" json;
        access_log "${folder}/json mapped.log" json;
        access_log "${folder}/json names.log" names;
        include ${folder}/server.conf;
      }`,
  }),
  args: folder => ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'],
};

const KINDS: readonly ServerKind[] = [
  {
    ...NGINX,
    files: (folder, port) => ({
      ...NGINX.files(folder, port),
      'server.conf': `server { listen 127.0.0.1:${port}; server_name configured.example; location / { default_type text/plain; return 200 "ok"; } }`,
    }),
  },
  {
    name: 'apache',
    repeated: 'joined',
    programs: ['/usr/sbin/apache2', '/usr/sbin/httpd'],
    version: '-v',
    logs: {
      combined: {},
      text: { logFormat: APACHE_TEXT },
      'json mapped': {
        format: 'json-lines',
        mapping: { fields: { ...OWN, request_line: 'r', referer: '' } },
      },
    },
    files: (folder, port) => ({
      'httpd.conf': `
        ServerRoot "${folder}"
        ServerName configured.example
        Listen 127.0.0.1:${port}
        PidFile "${folder}/pid"
        ErrorLog "${folder}/error.txt"
        ${['mpm_event', 'authz_core'].map(one => `LoadModule ${one}_module /usr/lib/apache2/modules/mod_${one}.so`).join('\n')}
        User www-data
        Group www-data
        DocumentRoot "${folder}"
        <Directory />
          Require all granted
        </Directory>
        LogFormat "%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\"" combined
        LogFormat "${lineOf(APACHE_TEXT)}" text
        LogFormat "${lineOf(APACHE_JSON)}" json
        CustomLog "${folder}/combined.log" combined
        CustomLog "${folder}/text.log" text
        CustomLog "${folder}/json mapped.log" json`,
    }),
    args: folder => ['-D', 'FOREGROUND', '-f', join(folder, 'httpd.conf')],
  },
  {
    name: 'caddy',
    programs: ['caddy', '/usr/bin/caddy'],
    version: 'version',
    // The second has what other loggers say about the same requests too.
    logs: { native: {}, mixed: {} },
    repeated: 'listed',
    files: (folder, port) => ({
      Caddyfile: `{
        admin off
        auto_https off
        servers {
          log_credentials
        }
        log everything {
          output file ${folder}/mixed.log
          level DEBUG
        }
      }
      http://:${port} {
        bind 127.0.0.1
        log {
          output file ${folder}/native.log
        }
        @posts method POST
        error @posts "no" 500
        respond "ok"
      }`,
    }),
    args: folder => ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
  },
  haproxy('haproxy', { httplog: {} }, 'option httplog'),
  {
    ...haproxy(
      'haproxy json',
      { json: { format: 'json-lines', mapping: { fields: OWN } } },
      `log-format '${HAPROXY_JSON}'`,
    ),
  },
  {
    name: 'envoy',
    programs: [join(ROOT, 'node_modules/.cache/tollgate-envoy/envoy/_bin/envoy'), 'envoy'],
    version: '--version',
    logs: {
      'default text': { logFormat: 'envoy' },
      text: { logFormat: ENVOY_TEXT },
      istio: {},
      'json mapped': { format: 'json-lines', mapping: { fields: OWN } },
    },
    pathsOnly: ['default text', 'text', 'istio', 'json mapped'],
    files: (folder, port) => ({ 'envoy.json': JSON.stringify(envoyConfiguration(folder, port)) }),
    args: folder => ['-c', join(folder, 'envoy.json'), '--concurrency', '1', '--disable-hot-restart', '-l', 'error'],
  },
];

function haproxy(name: string, logs: ServerKind['logs'], format: string): ServerKind {
  return {
    name,
    programs: ['/usr/sbin/haproxy', 'haproxy'],
    version: '-v',
    logs,
    isOnOutput: true,
    files: (_, port) => ({
      'haproxy.cfg': `
global
  log stdout len 8192 format raw local0 info
defaults
  mode http
  log global
  timeout client 10s
  timeout server 10s
  timeout connect 10s
frontend web
  bind 127.0.0.1:${port}
  ${name === 'haproxy' ? '' : ['Host', 'User-Agent', 'X-Api-Key'].map(one => `capture request header ${one} len 1024`).join('\n  ')}
  ${format}
  http-request return status 200 content-type text/plain string ok
`,
    }),
    args: folder => ['-db', '-f', join(folder, 'haproxy.cfg')],
  };
}

function envoyConfiguration(folder: string, port: number): object {
  const file = (name: string, format: object) => ({
    name: 'envoy.access_loggers.file',
    typed_config: {
      '@type': 'type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog',
      path: `${folder}/${name}.log`,
      log_format: format,
    },
  });
  const manager = {
    '@type': 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
    stat_prefix: 'web',
    http_protocol_options: { accept_http_10: true },
    access_log: [
      {
        name: 'envoy.access_loggers.file',
        typed_config: {
          '@type': 'type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog',
          path: `${folder}/default text.log`,
        },
      },
      file('text', { text_format_source: { inline_string: `${ENVOY_TEXT}\n` } }),
      file('istio', { json_format: ISTIO }),
      file('json mapped', { json_format: ENVOY_OWN }),
    ],
    route_config: {
      virtual_hosts: [
        {
          name: 'all',
          domains: ['*'],
          routes: [{ match: { prefix: '/' }, direct_response: { status: 200, body: { inline_string: 'ok' } } }],
        },
      ],
    },
    http_filters: [
      {
        name: 'envoy.filters.http.router',
        typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
      },
    ],
  };
  return {
    static_resources: {
      listeners: [
        {
          address: { socket_address: { address: '127.0.0.1', port_value: port } },
          filter_chains: [
            { filters: [{ name: 'envoy.filters.network.http_connection_manager', typed_config: manager }] },
          ],
        },
      ],
    },
  };
}

const ISTIO = {
  start_time: '%START_TIME%',
  method: '%REQ(:METHOD)%',
  path: '%REQ(X-ENVOY-ORIGINAL-PATH?:PATH)%',
  protocol: '%PROTOCOL%',
  response_code: '%RESPONSE_CODE%',
  response_flags: '%RESPONSE_FLAGS%',
  bytes_sent: '%BYTES_SENT%',
  x_forwarded_for: '%REQ(X-FORWARDED-FOR)%',
  user_agent: '%REQ(USER-AGENT)%',
  request_id: '%REQ(X-REQUEST-ID)%',
  authority: '%REQ(:AUTHORITY)%',
  downstream_local_address: '%DOWNSTREAM_LOCAL_ADDRESS%',
  downstream_remote_address: '%DOWNSTREAM_REMOTE_ADDRESS%',
  requested_server_name: '%REQUESTED_SERVER_NAME%',
  route_name: '%ROUTE_NAME%',
};

const ENVOY_OWN = {
  ...{
    ip: '%DOWNSTREAM_REMOTE_ADDRESS%',
    m: '%REQ(:METHOD)%',
    u: '%REQ(:PATH)%',
    v: '%PROTOCOL%',
    s: '%RESPONSE_CODE%',
  },
  ...{
    sc: '%REQ(:SCHEME)%',
    h: '%REQ(:AUTHORITY)%',
    a: '%REQ(USER-AGENT)%',
    k: '%REQ(X-API-KEY)%',
    r: '%REQ(REFERER)%',
  },
  ct: '%RESP(CONTENT-TYPE)%',
};
