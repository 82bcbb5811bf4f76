import { randomBytes, randomInt } from 'node:crypto';
import type { RecordKindName } from '@tollgate/edge-api';
import { certificateFacts } from '../../api/certificate-details.ts';
import { type Members, textAt } from '../../api/members.ts';
import type { RuleSettings } from './context.ts';

/** What the service adds to a record, from what it is given. */
export interface Making {
  readonly body: Members;
  readonly settings: RuleSettings;
  /** RFC 3339, of this moment. */
  readonly time: string;
}

const MADE: Partial<Record<RecordKindName, (making: Making) => Members>> = {
  certificate_authority: ({ body }) => certificateFacts(textAt(body, 'ca_pem') ?? ''),
  reserved_addr: ({ body, settings }) => ({
    // No two are the same: a port alone would be taken after a hundred records, by the birthday paradox.
    addr: `${randomBytes(8).toString('hex')}.${textAt(body, 'region')}.tcp.${settings.host}:${randomInt(20_000, 30_000)}`,
  }),
  reserved_domain: ({ body, settings }) => ({
    cname_target: `${(textAt(body, 'domain') ?? '').replaceAll('.', '-').replace('*', 'any')}.cname.${settings.host}`,
  }),
  endpoint: endpointFields,
};

const KEPT_FROM_CREATION = new Set<RecordKindName>(['certificate_authority', 'reserved_addr', 'reserved_domain']);

/** The fields that the service makes when a record is created. */
export function fieldsAtCreation(kind: RecordKindName, making: Making): Members {
  return MADE[kind]?.(making) ?? {};
}

/** The fields that the service makes anew when a record changes. */
export function fieldsAtUpdate(kind: RecordKindName, making: Making): Members {
  return KEPT_FROM_CREATION.has(kind) ? {} : fieldsAtCreation(kind, making);
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443', tls: '443' };

function endpointFields({ body, time }: Making): Members {
  const url = new URL(textAt(body, 'url') ?? '');
  const proto = url.protocol.slice(0, -1);
  const port = url.port === '' ? (DEFAULT_PORTS[proto] ?? '443') : url.port;
  return { updated_at: time, public_url: textAt(body, 'url'), proto, hostport: `${url.hostname}:${port}` };
}
