import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const HTTP_PORT = 18_080;
export const HTTPS_PORT = 18_443;
/** Where the time of the log is what the request says. */
export const DAY_PORT = 18_081;

/** Starts nginx on the loopback with the demo site; everything that it writes stays in `folder`. Gives the way to stop it. */
export async function startNginx(site: string, folder: string): Promise<() => Promise<void>> {
  mkdirSync(join(folder, 'temp'), { recursive: true });
  makeCertificate(folder);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configurationOf(site, folder));
  const server = spawn('/usr/sbin/nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
    stdio: 'inherit',
  });
  await listening(HTTP_PORT);
  return async () => {
    server.kill('SIGQUIT');
    await once(server, 'exit');
  };
}

function makeCertificate(folder: string): void {
  const names = ['-subj', '/CN=books.example', '-addext', 'subjectAltName=DNS:books.example'];
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names, ...files], {
    stdio: 'ignore',
  });
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect(port, '127.0.0.1');
    const [event] = await Promise.race([once(socket, 'connect').then(() => ['connect']), once(socket, 'error')]);
    socket.destroy();
    if (event === 'connect') return;
    await sleep(50);
  }
  throw new Error(`nginx does not listen on port ${port}`);
}

/** As behind a load balancer: the client's address is the one that the balancer tells, so that visitors differ. */
function configurationOf(site: string, folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
daemon off;
pid ${folder}/nginx.pid;
events {}
http {
  types { text/html html; text/css css; text/javascript js; image/svg+xml svg; text/plain txt; application/json json; }
  ${temporary.map(name => `${name}_temp_path ${folder}/temp/${name};`).join('\n  ')}
  set_real_ip_from 127.0.0.0/8;
  real_ip_header X-Forwarded-For;
  absolute_redirect off;
  client_max_body_size 64k;
  client_header_timeout 1s;
  root ${site};
  ${dayFormat()}
  upstream uploads { server unix:${folder}/uploads.sock; }
  server { listen unix:${folder}/uploads.sock; access_log off; return 201; }
  server {
    listen 127.0.0.1:${HTTP_PORT};
    server_name books.example;
    access_log ${folder}/access.log combined;
    ${locations()}
  }
  server {
    listen 127.0.0.1:${DAY_PORT};
    server_name books.example;
    access_log ${folder}/day.log day;
    ${locations()}
  }
  server {
    listen 127.0.0.1:${HTTPS_PORT} ssl http2;
    server_name books.example;
    access_log off;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    ${locations()}
  }
}
`;
}

/** The format that `tollgate replay --requirements` prints for the demo's policy, in which the clock is what the request says. */
function dayFormat(): string {
  const recommended = readFileSync(join(import.meta.dirname, '../traffic/day.conf'), 'utf8');
  return recommended
    .replace('log_format tollgate', 'log_format day')
    .replace('$time_local', '$http_x_demo_time')
    .replace('$msec', '$http_x_demo_msec');
}

function locations(): string {
  return `
    location = /api/v1/books { default_type application/json; return 200 '["Tides","Lanterns"]'; }
    location /api/v0/ { default_type application/json; return 200 '{"name":"Ada"}'; }
    location /api/v1/ { default_type application/json; return 404 '{"error":"no such book"}'; }
    location = /login { add_header Set-Cookie 'session=4711; Path=/; HttpOnly; SameSite=Lax'; return 303 /; }
    location = /cart { return 303 /; }
    location = /search { return 200 'nothing found'; }
    location = /old-catalogue { return 301 /books/tides.html; }
    location = /metrics { return 204; }
    location = /report { return 500; }
    location = /checkout { proxy_pass http://127.0.0.1:9; }
    location /admin/ { return 403; }
    location = /upload { proxy_pass http://uploads; }
    location ~ /\\.(?!well-known) { return 404; }`;
}
