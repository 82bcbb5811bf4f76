import { UnknownPresence } from '@tollgate/cel/tooling';
import { normalizeAddress } from '@tollgate/traffic';
import type { TrafficState } from '../state/traffic-state.ts';
import { ifRecorded, type Providers } from './provide.ts';

type Rows = Readonly<Record<string, (state: TrafficState) => unknown>>;

const startOf: Rows[string] = ({ exchange }) => {
  const start = exchange.connection?.start;
  return start === undefined ? undefined : new Date(start);
};

const RECORDED: Rows = {
  'conn.client_port': ({ exchange }) => exchange.connection?.clientPort,
  'conn.server_ip': ({ exchange }) => {
    const address = exchange.connection?.serverIp;
    return address === undefined ? undefined : normalizeAddress(address);
  },
  'conn.server_port': ({ exchange }) => exchange.connection?.serverPort,
  'conn.ts.start': startOf,
  'conn.start_ts': startOf,
  'conn.tls.cipher_suite': ({ exchange }) => exchange.tls.cipherSuite,
  'conn.tls.sni': ({ exchange }) => exchange.tls.serverName,
  'conn.tls.version': ({ exchange }) => exchange.tls.version,
  'conn.tls.ja4_fingerprint': ({ exchange }) => exchange.tls.ja4,
  'conn.tls.negotiated_alpn': ({ exchange }) => exchange.tls.alpn,
};

const CLIENT_NAME = 'conn.tls.client.subject.common_name';
const NO_NAME_RECORDED = new UnknownPresence([CLIENT_NAME]);

/** Variables of the connection, with names in snake case. */
export const CONNECTION_PROVIDERS: Providers = {
  ...Object.fromEntries(Object.entries(RECORDED).map(([path, pick]) => ifRecorded(path, pick))),
  [CLIENT_NAME]: ({ exchange }) => (exchange.tls.clientName ?? NO_NAME_RECORDED) || undefined,
};
