import { EXAMPLES, exampleId } from '../contract/examples.ts';
import type { ShapeName } from '../contract/shapes.ts';
import { pathOfIdentifier } from '../definition/identifiers.ts';
import type { Operation } from '../definition/operation.ts';
import { RECORD_KINDS } from '../definition/record-kinds.ts';
import { toAnswer } from './to-answer.ts';
import { toStored } from './to-stored.ts';

const HOST = 'https://edge.example.com';
const CREATED = '2026-03-01T09:30:00Z';

/** Example values of fields that the service assigns. */
const MADE: Readonly<Partial<Record<ShapeName, Readonly<Record<string, unknown>>>>> = {
  HTTPSEdgeRoute: { edge_id: exampleId('https_edge') },
  EndpointSAML: {
    entity_id: `${HOST}/saml/${exampleId('https_edge_route')}`,
    assertion_consumer_service_url: `${HOST}/saml/${exampleId('https_edge_route')}/acs`,
    single_logout_url: `${HOST}/saml/${exampleId('https_edge_route')}/slo`,
    request_signing_certificate_pem: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
    metadata_url: `${HOST}/saml/${exampleId('https_edge_route')}`,
  },
  CertificateAuthority: {
    subject_common_name: 'Example Authority',
    not_before: '2026-11-21T04:03:18Z',
    not_after: '2126-10-28T04:03:18Z',
    key_usages: ['certSign', 'crlSign'],
    extended_key_usages: [],
  },
  EventSource: { uri: `${HOST}/event_subscriptions/${exampleId('event_subscription')}/sources/ip_policy_updated.v0` },
  EventSubscription: {
    sources: [
      {
        type: 'ip_policy_created.v0',
        uri: `${HOST}/event_subscriptions/${exampleId('event_subscription')}/sources/ip_policy_created.v0`,
      },
    ],
  },
  APIKey: { token: '2cSjwFetnYBX2V3aBcDeFgHiJkL_6Jxvym7aMW1jc41HTLpAc' },
  Endpoint: {
    updated_at: CREATED,
    public_url: 'https://app.example.com',
    proto: 'https',
    hostport: 'app.example.com:443',
  },
  ReservedAddr: { addr: '1.tcp.example.com:20001' },
};

/** Returns the response to an operation's example request; null if the response has no body. */
export function exampleAnswer(operation: Operation): unknown {
  const { answer, kind, listKey, paged } = operation;
  if (answer === null) return null;
  const entry = exampleRecord(operation, answer, kind === 'create');
  if (listKey === undefined) return entry;
  const uri = `${HOST}${operation.path.replace('{subscription_id}', exampleId('event_subscription'))}`;
  return { [listKey]: [entry], uri, ...(paged ? { next_page_uri: null } : {}) };
}

function exampleRecord({ record, field, request }: Operation, answer: string, reveal: boolean): unknown {
  const isRecord = field === undefined && record !== 'event_source';
  const id = isRecord ? exampleId(record) : '';
  const uri = isRecord
    ? RECORD_KINDS[record].path?.replace('{edge_id}', exampleId('https_edge')).replace('{id}', id)
    : '';
  const name = (request ?? answer) as ShapeName;
  const kept = {
    ...toStored(name, 'whole', EXAMPLES[name] ?? {}),
    ...(isRecord ? { id, uri: `${HOST}${uri}`, created_at: CREATED } : {}),
    ...MADE[answer as ShapeName],
  };
  return toAnswer(answer, kept, { reveal, uriOf: one => `${HOST}${pathOfIdentifier(one) ?? ''}` });
}
