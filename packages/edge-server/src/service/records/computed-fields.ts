import { randomBytes, randomInt } from 'node:crypto';
import type { RecordKindName } from '@tollgate/edge-api';
import { certificateDetails } from '../../api/certificate-details.ts';
import { type Members, stringAt } from '../../api/members.ts';
import type { RuleSettings } from './context.ts';

/** The inputs of computed fields. */
interface ComputedFieldInput {
  readonly body: Members;
  readonly settings: RuleSettings;
  /** The current time, RFC 3339. */
  readonly time: string;
}

const MADE: Partial<Record<RecordKindName, (making: ComputedFieldInput) => Members>> = {
  certificate_authority: ({ body }) => certificateDetails(stringAt(body, 'ca_pem') ?? ''),
  reserved_addr: ({ body, settings }) => ({
    // Random host names avoid collisions: with ports alone, the birthday paradox would cause one after about a hundred records.
    addr: `${randomBytes(8).toString('hex')}.${stringAt(body, 'region')}.tcp.${settings.host}:${randomInt(20_000, 30_000)}`,
  }),
  reserved_domain: ({ body, settings }) => ({
    cname_target: `${(stringAt(body, 'domain') ?? '').replaceAll('.', '-').replace('*', 'any')}.cname.${settings.host}`,
  }),
  endpoint: endpointFields,
};

const KEPT_FROM_CREATION = new Set<RecordKindName>(['certificate_authority', 'reserved_addr', 'reserved_domain']);

/** Returns the fields that the service computes when a record is created. */
export function fieldsAtCreation(kind: RecordKindName, making: ComputedFieldInput): Members {
  return MADE[kind]?.(making) ?? {};
}

/** Returns the fields that the service recomputes when a record changes. */
export function fieldsAtUpdate(kind: RecordKindName, making: ComputedFieldInput): Members {
  return KEPT_FROM_CREATION.has(kind) ? {} : fieldsAtCreation(kind, making);
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443', tls: '443' };

function endpointFields({ body, time }: ComputedFieldInput): Members {
  const url = new URL(stringAt(body, 'url') ?? '');
  const proto = url.protocol.slice(0, -1);
  const port = url.port === '' ? (DEFAULT_PORTS[proto] ?? '443') : url.port;
  return { updated_at: time, public_url: stringAt(body, 'url'), proto, hostport: `${url.hostname}:${port}` };
}
