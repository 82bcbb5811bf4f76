import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { READY_MAPPING_CHOICES } from '../../packages/cli/src/input/traffic-options.ts';
import { runCaptured } from '../../packages/cli/src/run-captured.ts';
import { clickhouseForTests } from '../support/clickhouse.ts';
import { sparkForTests, trinoForTests } from '../support/cluster-engines.ts';
import { postgresForTests } from '../support/postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-table-mappings-'));
const [postgres, clickhouse] = [await postgresForTests(), await clickhouseForTests()];
const [trino, spark] = [await trinoForTests(), await sparkForTests()];
afterAll(async () => {
  rmSync(folder, { recursive: true });
  postgres?.stop();
  clickhouse?.stop();
  await trino?.stop();
  await spark?.stop();
});

/** Each condition holds for the first of two rows only, if the field is known. */
const CONDITIONS = {
  client: "conn.ClientIP == '192.0.2.7'",
  method: "req.Method == 'POST'",
  url: "req.URL == 'https://shop.example/login?q=1'",
  protocol: "req.Protocol == 'HTTP/2.0'",
  tls: "req.ClientTLS.Version == 'TLS 1.3' || req.ClientTLS.Version == '1.3'",
  agent: "getReqHeader('User-Agent') == ['curl/8']",
} as const;

const POLICY = join(folder, 'policy.json');
const rules = Object.entries(CONDITIONS).map(([name, condition]) => ({
  ...{ name, expressions: [condition] },
  actions: [{ type: 'log', config: { metadata: { a: '1' } } }],
}));
writeFileSync(POLICY, JSON.stringify({ inbound: rules }));

type Cell = string | number | { readonly date: string } | { readonly json: unknown };
type Row = Readonly<Record<string, Cell>>;

interface Example {
  readonly rows: readonly [Row, Row];
  /** Conditions on fields that the table does not have. */
  readonly unknown: readonly (keyof typeof CONDITIONS)[];
}

const T = '2026-11-23T10:00:00.000000Z';
const request = (own: object) => ({ remote_ip: '192.0.2.7', remote_port: '4711', proto: 'HTTP/2.0', ...own });

/** Small tables with the columns that the products publish. */
const TABLES: Readonly<Record<(typeof READY_MAPPING_CHOICES)[number], Example>> = {
  nginx: {
    rows: [
      {
        ...{
          time_iso8601: '2026-11-23T10:00:00+00:00',
          remote_addr: '192.0.2.7',
          request_method: 'POST',
          scheme: 'https',
        },
        ...{ http_host: 'shop.example', request_uri: '/login?q=1', server_protocol: 'HTTP/2.0', status: 200 },
        ...{ ssl_protocol: 'TLSv1.3', http_user_agent: 'curl/8' },
      },
      {
        ...{
          time_iso8601: '2026-11-23T10:00:01+00:00',
          remote_addr: '192.0.2.8',
          request_method: 'GET',
          scheme: 'http',
        },
        ...{ http_host: 'shop.example', request_uri: '/', server_protocol: 'HTTP/1.1', status: 404 },
        ...{ ssl_protocol: '', http_user_agent: 'wget' },
      },
    ],
    unknown: [],
  },
  alb: {
    rows: [
      {
        ...{
          type: 'h2',
          time: T,
          client_ip: '192.0.2.7',
          client_port: 4711,
          elb_status_code: 200,
          request_verb: 'POST',
        },
        ...{ request_url: 'https://shop.example:443/login?q=1', request_proto: 'HTTP/2.0', user_agent: 'curl/8' },
        ...{ ssl_cipher: 'ECDHE', ssl_protocol: 'TLSv1.3', domain_name: 'shop.example', request_creation_time: T },
      },
      {
        ...{
          type: 'http',
          time: T,
          client_ip: '192.0.2.8',
          client_port: 4712,
          elb_status_code: 404,
          request_verb: 'GET',
        },
        ...{ request_url: 'http://shop.example:80/', request_proto: 'HTTP/1.1', user_agent: 'wget' },
        ...{ ssl_cipher: '-', ssl_protocol: '-', domain_name: '-', request_creation_time: T },
      },
    ],
    unknown: [],
  },
  elb: {
    rows: [
      {
        ...{
          timestamp: T,
          request_ip: '192.0.2.7',
          request_port: 4711,
          elb_response_code: '200',
          request_verb: 'POST',
        },
        ...{ url: 'https://shop.example:443/login?q=1', protocol: 'HTTP/2.0', user_agent: 'curl/8' },
        ...{ ssl_cipher: 'ECDHE', ssl_protocol: 'TLSv1.3' },
      },
      {
        ...{ timestamp: T, request_ip: '192.0.2.8', request_port: 4712, elb_response_code: '404', request_verb: 'GET' },
        ...{ url: 'http://shop.example:80/a:80/', protocol: 'HTTP/1.1', user_agent: 'wget' },
        ...{ ssl_cipher: '-', ssl_protocol: '-' },
      },
    ],
    unknown: [],
  },
  cloudfront: {
    rows: [
      {
        ...{ date: { date: '2026-11-23' }, time: '10:00:00', c_ip: '192.0.2.7', cs_method: 'POST', sc_status: 200 },
        ...{ x_host_header: 'shop.example', cs_uri_stem: '/login', cs_uri_query: 'q=1', cs_protocol: 'https' },
        ...{ cs_protocol_version: 'HTTP/2.0', ssl_protocol: 'TLSv1.3', ssl_cipher: 'ECDHE', cs_user_agent: 'curl/8' },
      },
      {
        ...{ date: { date: '2026-11-23' }, time: '10:00:01', c_ip: '192.0.2.8', cs_method: 'GET', sc_status: 404 },
        ...{ x_host_header: 'shop.example', cs_uri_stem: '/', cs_uri_query: '-', cs_protocol: 'http' },
        ...{ cs_protocol_version: 'HTTP/1.1', ssl_protocol: '-', ssl_cipher: '-', cs_user_agent: 'wget' },
      },
    ],
    unknown: ['agent'],
  },
  cloudflare: {
    rows: [
      {
        ...{ EdgeStartTimestamp: T, ClientIP: '192.0.2.7', ClientRequestMethod: 'POST', ClientRequestScheme: 'https' },
        ...{ ClientRequestHost: 'shop.example', ClientRequestURI: '/login?q=1', ClientRequestProtocol: 'HTTP/2.0' },
        ...{ ClientSSLProtocol: 'TLSv1.3', ClientRequestUserAgent: 'curl/8', EdgeResponseStatus: 200 },
      },
      {
        ...{ EdgeStartTimestamp: T, ClientIP: '192.0.2.8', ClientRequestMethod: 'GET', ClientRequestScheme: 'http' },
        ...{ ClientRequestHost: 'shop.example', ClientRequestURI: '/', ClientRequestProtocol: 'HTTP/1.1' },
        ...{ ClientSSLProtocol: 'none', ClientRequestUserAgent: 'wget', EdgeResponseStatus: 404 },
      },
    ],
    unknown: [],
  },
  envoy: {
    rows: [
      {
        ...{ start_time: T, downstream_remote_address: '192.0.2.7:4711', method: 'POST', scheme: 'https' },
        ...{ authority: 'shop.example', path: '/login?q=1', protocol: 'HTTP/2', response_code: 200 },
        ...{ downstream_tls_version: 'TLSv1.3', user_agent: 'curl/8' },
      },
      {
        ...{ start_time: T, downstream_remote_address: '192.0.2.8:4711', method: 'GET', scheme: 'http' },
        ...{ authority: 'shop.example', path: '/', protocol: 'HTTP/1.1', response_code: 404 },
        ...{ downstream_tls_version: 'none', user_agent: 'wget' },
      },
    ],
    unknown: [],
  },
  caddy: {
    rows: [
      {
        ...{ ts: 1_763_892_000.5, status: 200, size: 10 },
        request: {
          json: request({
            ...{ client_ip: '192.0.2.7', method: 'POST', host: 'shop.example', uri: '/login?q=1' },
            tls: { version: 772, server_name: 'shop.example' },
          }),
        },
      },
      {
        ...{ ts: 1_763_892_001.5, status: 404, size: 10 },
        request: {
          json: request({
            ...{ client_ip: '192.0.2.8', method: 'GET', host: 'shop.example', uri: '/', proto: 'HTTP/1.1' },
            tls: { version: 771, server_name: 'shop.example' },
          }),
        },
      },
    ],
    unknown: ['agent'],
  },
  traefik: {
    rows: [
      {
        ...{
          StartUTC: T,
          ClientHost: '192.0.2.7',
          RequestMethod: 'POST',
          RequestScheme: 'https',
          DownstreamStatus: 200,
        },
        ...{ RequestAddr: 'shop.example', RequestPath: '/login?q=1', RequestProtocol: 'HTTP/2.0', TLSVersion: '1.3' },
      },
      {
        ...{
          StartUTC: T,
          ClientHost: '192.0.2.8',
          RequestMethod: 'GET',
          RequestScheme: 'https',
          DownstreamStatus: 404,
        },
        ...{ RequestAddr: 'shop.example', RequestPath: '/', RequestProtocol: 'HTTP/1.1', TLSVersion: '1.2' },
      },
    ],
    unknown: ['agent'],
  },
  s3: {
    rows: [
      {
        ...{ requestdatetime: '23/Nov/2026:10:00:00 +0000', remoteip: '192.0.2.7', httpstatus: '200' },
        ...{ request_uri: '"POST /login?q=1 HTTP/2.0"', endpoint: 'shop.example', bytessent: '-' },
        ...{ useragent: '"curl/8"', referrer: '"-"', tlsversion: 'TLSv1.3', ciphersuite: 'ECDHE' },
      },
      {
        ...{ requestdatetime: '23/Nov/2026:10:00:01 +0000', remoteip: '192.0.2.8', httpstatus: '404' },
        ...{ request_uri: '"GET /a b HTTP/1.1"', endpoint: 'shop.example', bytessent: '12' },
        ...{ useragent: '"wget"', referrer: '"-"', tlsversion: '-', ciphersuite: '-' },
      },
    ],
    unknown: [],
  },
  waf: {
    rows: [
      {
        timestamp: 1_763_892_000_123,
        httprequest: {
          json: {
            ...{ clientIp: '192.0.2.7', country: 'DE', uri: '/login', args: 'q=1', httpVersion: 'HTTP/2.0' },
            ...{ httpMethod: 'POST', requestId: '1-a', scheme: 'https', host: 'shop.example' },
            headers: [
              { name: 'Authorization', value: 'REDACTED' },
              { name: 'User-Agent', value: 'curl/8' },
            ],
          },
        },
      },
      {
        timestamp: 1_763_892_001_123,
        httprequest: {
          json: {
            ...{ clientIp: '192.0.2.8', country: '-', uri: '/', args: '', httpVersion: 'HTTP/1.1' },
            ...{ httpMethod: 'GET', requestId: '1-b', scheme: 'https', host: 'shop.example' },
            headers: [{ name: 'user-agent', value: 'wget' }],
          },
        },
      },
    ],
    unknown: ['tls'],
  },
  vpc: {
    rows: [
      {
        ...{ version: 5, srcaddr: '192.0.2.7', dstaddr: '10.0.0.5', srcport: 4711, dstport: 443, protocol: 6 },
        ...{ start: 1_763_892_000, tcp_flags: 3, action: 'ACCEPT', log_status: 'OK' },
      },
      {
        ...{ version: 5, srcaddr: '192.0.2.8', dstaddr: '10.0.0.5', srcport: 4712, dstport: 443, protocol: 6 },
        ...{ start: 1_763_892_001, tcp_flags: 2, action: 'REJECT', log_status: 'OK' },
      },
    ],
    unknown: ['method', 'url', 'protocol', 'tls', 'agent'],
  },
  haproxy: {
    rows: [
      {
        ...{ request_date: '23/Nov/2026:10:00:00.123', client_ip: '192.0.2.7', client_port: 4711, status_code: 200 },
        ...{ frontend_name: 'web~', server_name: 'web1', server_port: 8080, bytes_read: 2750 },
        ...{ http_request: 'POST https://shop.example/login?q=1 HTTP/2.0', captured_request_headers: '{curl/8}' },
        ...{ ssl_fc_sni: 'shop.example', ssl_version: 'TLSv1.3', ssl_ciphers: 'TLS_AES_256_GCM_SHA384' },
      },
      {
        ...{ request_date: '23/Nov/2026:10:00:01.456', client_ip: '192.0.2.8', client_port: 4712, status_code: 404 },
        ...{ frontend_name: 'web', server_name: 'web2', server_port: 8080, bytes_read: 212 },
        ...{ http_request: 'GET http://shop.example/ HTTP/1.1', captured_request_headers: '{wget}' },
        ...{ ssl_fc_sni: '-', ssl_version: '-', ssl_ciphers: '-' },
      },
    ],
    unknown: ['url', 'agent'],
  },
  w3c: {
    rows: [
      {
        ...{ date_col: '2026-11-23', time_col: '10:00:00', c_ip: '192.0.2.7', cs_method: 'POST', sc_status: '200' },
        ...{ cs_uri_stem: '/login', cs_uri_query: 'q=1', cs_version: 'HTTP/2.0', cs_host: 'shop.example' },
        cs_user_agent: 'curl/8',
      },
      {
        ...{ date_col: '2026-11-23', time_col: '10:00:01', c_ip: '192.0.2.8', cs_method: 'GET', sc_status: '404' },
        ...{ cs_uri_stem: '/a+b', cs_uri_query: '-', cs_version: 'HTTP/1.1', cs_host: 'shop.example' },
        cs_user_agent: 'wget+2',
      },
    ],
    unknown: ['url', 'tls'],
  },
};

const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

interface Writing {
  readonly name: (name: string) => string;
  readonly json: (json: string) => string;
}

/** Writes a table as a query in parentheses. */
function tableOf(rows: readonly Row[], { name, json }: Writing): string {
  const sql = (cell: Cell) => {
    if (typeof cell === 'number') return String(cell);
    if (typeof cell === 'string') return text(cell);
    return 'date' in cell ? `cast(${text(cell.date)} as date)` : json(text(JSON.stringify(cell.json)));
  };
  const selects = rows.map(
    row =>
      `select ${Object.entries(row)
        .map(([column, cell]) => `${sql(cell)} as ${name(column)}`)
        .join(', ')}`,
  );
  return `(${selects.join(' union all ')})`;
}

const standard = (name: string) => `"${name}"`;
const marked = (name: string) => `\`${name}\``;

/** Two rows in terms of `pairs`, lists of pairs of names and values, and what makes structs of seven strings and such a list. */
function wafOf(
  struct: (values: string, headers: readonly (readonly [string, string])[]) => string,
  time = 'timestamp',
): string {
  const [one, other] = [
    struct("'192.0.2.7', 'DE', '/login', 'q=1', 'HTTP/2.0', 'POST', 'https', 'shop.example'", [
      ['Authorization', 'REDACTED'],
      ['User-Agent', 'curl/8'],
    ]),
    struct("'192.0.2.8', '-', '/', '', 'HTTP/1.1', 'GET', 'https', 'shop.example'", [['user-agent', 'wget']]),
  ];
  return `(select 1763892000123 as ${time}, ${one} as httprequest union all select 1763892001123, ${other})`;
}

const WAF_MEMBERS = ['clientip', 'country', 'uri', 'args', 'httpversion', 'httpmethod', 'scheme', 'host'] as const;

const ENGINES = [
  [
    'postgres',
    await postgres?.newDatabase(),
    { name: standard, json: (json: string) => `${json}::jsonb`, waf: undefined },
  ],
  [
    'clickhouse',
    clickhouse?.url,
    {
      ...{ name: marked, json: (json: string) => `cast(${json} as JSON)` },
      waf: wafOf((values, headers) => {
        const list = headers.map(([name, value]) => `(${text(name)}, ${text(value)})`).join(', ');
        const types = WAF_MEMBERS.map(name => `${name} String`).join(', ');
        return `cast((${values}, [${list}]), 'Tuple(${types}, headers Array(Tuple(name String, value String)))')`;
      }),
    },
  ],
  // Names are in lower case there.
  [
    'trino',
    trino?.url,
    {
      ...{ name: (name: string) => standard(name.toLowerCase()), json: (json: string) => `json_parse(${json})` },
      waf: wafOf((values, headers) => {
        const list = headers.map(([name, value]) => `row(${text(name)}, ${text(value)})`).join(', ');
        const types = WAF_MEMBERS.map(name => `${name} varchar`).join(', ');
        return `cast(row(${values}, array[${list}]) as row(${types}, headers array(row(name varchar, value varchar))))`;
      }, '"timestamp"'),
    },
  ],
  [
    'spark',
    spark?.url,
    {
      ...{ name: marked, json: (json: string) => `parse_json(${json})` },
      waf: wafOf((values, headers) => {
        const list = headers.map(([name, value]) => `struct(${text(name)}, ${text(value)})`).join(', ');
        const types = WAF_MEMBERS.map(name => `${name}:string`).join(',');
        return `cast(struct(${values}, array(${list})) as struct<${types},headers:array<struct<name:string,value:string>>>)`;
      }),
    },
  ],
] as const;

describe.each(ENGINES)('tables of %s', (engine, url, writing) => {
  it.skipIf(url === undefined).each(READY_MAPPING_CHOICES)('with the usual columns of %s are read', async mapping => {
    const { rows, unknown } = TABLES[mapping];
    const table = tableOf(rows, writing);
    const options = ['--engine', engine, '--connect', url!, '--mapping', mapping, '--table', table];
    const { code, output, errors } = await runCaptured(['replay', ...options, '-f', 'json', POLICY]);
    expect([errors, code]).toEqual(['', 0]);
    const report = JSON.parse(output);
    const found: readonly { readonly name: string; readonly matched: number; readonly undetermined: number }[] =
      report.rules;
    const expected = Object.keys(CONDITIONS).map(name => {
      const isUnknown = unknown.some(one => one === name);
      return { name, matched: isUnknown ? 0 : 1, undetermined: isUnknown ? 2 : 0 };
    });
    expect(found.map(({ name, matched, undetermined }) => ({ name, matched, undetermined }))).toEqual(expected);
    expect(report.breakdown.time.untimed).toBe(0);
  });

  it.skipIf(url === undefined)('with the fields of HAProxy say what its log says', async () => {
    const log = join(folder, 'haproxy.log');
    writeFileSync(
      log,
      TABLES.haproxy.rows
        .map(
          row =>
            `${row.client_ip}:${row.client_port} [${row.request_date}] ${row.frontend_name} shop/${row.server_name} 0/0/1/2/3 ${row.status_code} ${row.bytes_read} - - ---- 1/1/0/0/0 0/0 ${row.captured_request_headers} "${row.http_request}" 0/0/0/0/0 ${row.ssl_fc_sni}/${row.ssl_version}/${row.ssl_ciphers}\n`,
        )
        .join(''),
    );
    const sni = join(folder, 'sni.json');
    const named = ['shop.example', '', 'web1'].map(name => `req.ClientTLS.SNI == '${name}'`);
    const ofServer = named.map(one => ({ ...rules[0], expressions: [one] }));
    writeFileSync(sni, JSON.stringify({ inbound: [...rules, ...ofServer] }));
    const table = ['--engine', engine, '--connect', url!, '--mapping', 'haproxy'];
    const found = await runCaptured([
      ...['replay', ...table, '--table', tableOf(TABLES.haproxy.rows, writing), '-f', 'json', sni],
    ]);
    const expected = await runCaptured(['replay', '-f', 'json', sni, log]);
    const [{ breakdown, outcomes }, read] = [JSON.parse(found.output), JSON.parse(expected.output)];
    expect([breakdown.time, outcomes]).toEqual([read.breakdown.time, read.outcomes]);
    expect([breakdown.rules, breakdown.statuses]).toEqual([read.breakdown.rules, read.breakdown.statuses]);
  });

  it.skipIf(url === undefined)(
    'with structs of WAF are read as those with JSON, without what is redacted',
    async () => {
      const struct = writing.waf;
      if (struct === undefined) return;
      const secret = join(folder, 'secret.json');
      const named = [
        "hasReqHeader('Authorization')",
        "getReqHeader('authorization') == ['REDACTED']",
        "conn.Geo.CountryCode == 'DE'",
      ];
      const asked = named.map(one => ({ ...rules[0], expressions: [one] }));
      writeFileSync(secret, JSON.stringify({ inbound: [...rules, ...asked] }));
      const replayed = async (table: string) => {
        const place = ['--engine', engine, '--connect', url!, '--mapping', 'waf', '--table', table];
        const { code, output, errors } = await runCaptured(['replay', ...place, '-f', 'json', secret]);
        expect([errors, code]).toEqual(['', 0]);
        return JSON.parse(output, (name, value) => (name === 'file' ? '' : value));
      };
      const inJson = await replayed(tableOf(TABLES.waf.rows, writing));
      expect(
        inJson.rules.slice(-3).map((one: { matched: number; undetermined: number }) => [one.matched, one.undetermined]),
      ).toEqual([
        [0, 2],
        [0, 2],
        [1, 1],
      ]);
      const { rules: inStructs, outcomes } = await replayed(struct);
      expect([inStructs, outcomes]).toEqual([inJson.rules, inJson.outcomes]);
    },
  );

  it.skipIf(url === undefined)('with flows of a VPC are skipped unless they begin a connection', async () => {
    const others = [{ tcp_flags: 18 }, { tcp_flags: 1 }, { protocol: 17, tcp_flags: 0 }, { log_status: 'NODATA' }];
    const flows = [...TABLES.vpc.rows, ...others.map(other => ({ ...TABLES.vpc.rows[0], ...other }) as Row)];
    const place = ['--engine', engine, '--connect', url!, '--mapping', 'vpc', '--table', tableOf(flows, writing)];
    const { code, output, errors } = await runCaptured(['replay', ...place, '-f', 'json', POLICY]);
    expect([errors, code]).toEqual(['', 0]);
    const { exchanges, skipped } = JSON.parse(output);
    expect([exchanges, skipped]).toEqual([2, [{ reason: 'traffic/no-request', count: 4, first: [] }]]);
  });

  it.skipIf(url === undefined)('with flows of unknown direction are refused', async () => {
    const place = ['--engine', engine, '--connect', url!, '--mapping', 'vpc'];
    const { code, errors } = await runCaptured([
      'replay',
      ...place,
      '--table',
      "(select '192.0.2.1' as srcaddr)",
      POLICY,
    ]);
    expect([code, errors]).toEqual([
      3,
      "tollgate: the mapping `vpc` needs the column `tcp_flags` to know which end of a flow is the client; `(select '192.0.2.1' as srcaddr)` has `srcaddr`\n",
    ]);
  });

  it.skipIf(url === undefined)('without the columns of a mapping are refused', async () => {
    const options = ['--engine', engine, '--connect', url!, '--mapping', 'alb', '--table', '(select 1 as one)'];
    const { code, output, errors } = await runCaptured(['replay', ...options, POLICY]);
    expect([code, output]).toEqual([3, '']);
    expect(errors).toBe('tollgate: no column of `(select 1 as one)` belongs to the mapping `alb`; found `one`\n');
  });
});

it('are not for recordings', async () => {
  const { code, errors } = await runCaptured(['replay', '--mapping', 'alb', POLICY, 'x.log']);
  expect([code, errors]).toEqual([
    2,
    expect.stringContaining('`--mapping alb` is for tables; leave it out, the format of recordings is detected'),
  ]);
});
