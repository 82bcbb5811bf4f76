import { describe, expect, it } from 'vitest';
import { logFormatFault } from './read-log-format.ts';
import { recordingsOf } from './recordings.ts';

const FIELDS = [
  ...['time', 'client_ip', 'client_port', 'server_ip', 'server_port', 'method', 'url', 'protocol', 'status'],
  ...['tls_version', 'tls_cipher', 'server_name', 'request_headers.X-Key', 'response_headers.X-Cache'],
];

describe('recordings for what is needed', () => {
  it('add what the combined format lacks', () => {
    const [nginx, apache] = recordingsOf(['method', 'url', 'request_headers.X-Key', 'response_headers.X-Cache']);
    expect(nginx!.configuration).toBe(
      [
        'log_format tollgate',
        `  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '`,
        `  '"$http_referer" "$http_user_agent" $msec $request_time '`,
        `  '$scheme "$http_host" "$http_x_key" "$sent_http_x_cache"';`,
        'access_log /var/log/nginx/tollgate.log tollgate;',
      ].join('\n'),
    );
    expect(apache!.configuration).toBe(
      'LogFormat "%a %l %u %t \\"%r\\" %>s %B \\"%{Referer}i\\" \\"%{User-Agent}i\\" ' +
        '%{HTTPS}x \\"%{Host}i\\" \\"%{X-Key}i\\" \\"%{X-Cache}o\\"" tollgate\nCustomLog logs/tollgate.log tollgate',
    );
  });

  it('use the names of JSON lines for Envoy', () => {
    const envoy = recordingsOf(['server_name', 'request_headers.X-Key', 'response_headers.X-Cache'])[2]!;
    expect(envoy.logFormat).toBeUndefined();
    expect(envoy.configuration.split('\n').slice(-5)).toEqual([
      '          server_name: "%REQUESTED_SERVER_NAME%"',
      '          request_headers:',
      '            X-Key: "%REQ(X-KEY)%"',
      '          response_headers:',
      '            X-Cache: "%RESP(X-CACHE)%"',
    ]);
  });

  it('have formats that can be read', () => {
    for (let count = 0; count <= FIELDS.length; count++) {
      for (const fields of [FIELDS.slice(0, count), FIELDS.slice(count)]) {
        const formats = recordingsOf(fields).flatMap(({ logFormat }) => logFormat ?? []);
        expect(formats.map(logFormatFault)).toEqual([undefined, undefined]);
      }
    }
  });

  it('report what a server cannot record', () => {
    const fields = ['alpn', 'ja4', 'country', 'request_headers', 'request_headers.a b', 'request_headers.User-Agent'];
    expect(recordingsOf(fields).map(({ server, missing }) => [server, missing])).toEqual([
      ['nginx', ['ja4', 'country', 'request_headers', 'request_headers.a b']],
      ['Apache', ['alpn', 'ja4', 'country', 'request_headers', 'request_headers.a b']],
      ['Envoy', ['alpn', 'ja4', 'country', 'request_headers', 'request_headers.a b']],
    ]);
  });
});
