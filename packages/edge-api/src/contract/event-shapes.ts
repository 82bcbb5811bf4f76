// The shapes of event subscriptions and destinations, and the types of events.

import {
  described,
  field,
  list,
  map,
  PLAIN_TEXT,
  record,
  referenceTo,
  type Shape,
  shape,
  text,
  upTo,
} from '../definition/field.ts';
import type { Operation, RecordKindName } from '../definition/operation.ts';
import { LIMITS } from '../definition/wire.ts';

const EVENT_TEXTS = { description: 215, metadata: 215 };
const TYPE = text({ formats: [{ format: 'event-type', code: 238 }] });
const TARGETS = [
  'firehose',
  'kinesis',
  'cloudwatch_logs',
  'datadog',
  'azure_logs_ingestion',
  'http',
  'file',
  'stdout',
] as const;

function arn(service: string) {
  return field(
    text({ maxBytes: { limit: 2048, code: 5120 }, formats: [{ format: 'aws-arn', code: 5129 }] }),
    { required: 5129 },
    'B 3.7',
    `ARN of the ${service}.`,
  );
}

function target<const N extends string>(name: N, facts: { readonly extension?: true } = {}) {
  return {
    type: { kind: 'shape', name, request: name },
    nullable: true,
    ...facts,
    doc: 'The target; null if another kind is configured.',
    source: 'B 3.7',
  } as const;
}

const AUTH = field(shape('AWSAuth'), { required: 5107 }, 'B 3.7', 'How the service authenticates.');

function azureText(doc: string) {
  return field(upTo(LIMITS.textBytes, 5136), { required: 5136 }, 'B 1.3', doc);
}

/** Event subscriptions, their sources, and destinations. */
export const EVENTS = {
  EventSubscription: {
    doc: 'Event types and the destinations that receive their events.',
    source: 'B 1.3',
    fields: {
      ...record('event subscription', 'B 1.3'),
      ...described('B 1.3', EVENT_TEXTS),
      sources: field(
        list(shape('EventSource'), { max: { limit: LIMITS.listEntries, code: 5126 } }),
        { default: [], emptyIsAbsent: true },
        'B 1.3',
        'Event types that trigger the subscription.',
      ),
      destination_ids: field(
        list(referenceTo(['event_destination'], 223, 5103), {
          max: { limit: LIMITS.destinations, code: 5131 },
          unique: { code: 215 },
        }),
        { use: 'request', default: [] },
        'B 1.3',
        'Identifiers of the destinations.',
      ),
      destinations: field(list(shape('Ref')), { use: 'answer', from: 'destination_ids' }, 'B 1.3', 'The destinations.'),
    },
  },
  EventSource: {
    doc: 'An event type that triggers a subscription.',
    source: 'A 2.16',
    fields: {
      type: field(
        TYPE,
        { required: 238, emptyIsAbsent: true },
        'A 2.16',
        'The event type, `<resource>_<change>.v<number>`.',
      ),
      uri: field(
        PLAIN_TEXT,
        { use: 'answer' },
        'A 2.16',
        'URI of the source, which ends with the id of the subscription, `/sources/` and the type.',
      ),
    },
  },
  EventDestination: {
    doc: 'A destination of events.',
    source: 'B 1.3',
    fields: {
      ...record('event destination', 'B 1.3'),
      ...described('B 1.3', EVENT_TEXTS),
      format: field(
        { kind: 'text', oneOf: { values: ['json'], code: 235, ignoreCase: true } },
        { required: 235 },
        'B 1.5',
        'Format of events: `json`, in any case.',
      ),
      target: field(shape('EventTarget'), { required: 5100 }, 'B 1.3', 'The target that receives the events.'),
    },
  },
  EventTarget: {
    doc: 'Exactly one target.',
    source: 'B 3.7',
    fields: {
      firehose: target('EventTargetFirehose'),
      kinesis: target('EventTargetKinesis'),
      cloudwatch_logs: target('EventTargetCloudwatchLogs'),
      datadog: target('EventTargetDatadog'),
      azure_logs_ingestion: target('EventTargetAzureLogsIngestion'),
      http: target('EventTargetHTTP', { extension: true }),
      file: target('EventTargetFile', { extension: true }),
      stdout: target('EventTargetStdout', { extension: true }),
    },
    rules: [{ kind: 'exactly-one', of: TARGETS, none: 5100, many: 5115 }],
  },
  EventTargetFirehose: {
    doc: 'An Amazon Firehose stream.',
    source: 'B 3.7',
    fields: { auth: AUTH, delivery_stream_arn: arn('delivery stream') },
  },
  EventTargetKinesis: {
    doc: 'An Amazon Kinesis stream.',
    source: 'B 3.7',
    fields: { auth: AUTH, stream_arn: arn('stream') },
  },
  EventTargetCloudwatchLogs: {
    doc: 'A CloudWatch log group.',
    source: 'B 3.7',
    fields: { auth: AUTH, log_group_arn: arn('log group') },
  },
  EventTargetDatadog: {
    doc: 'A Datadog log intake.',
    source: 'B 3.7',
    fields: {
      api_key: field(
        upTo(LIMITS.textBytes, 215),
        { required: 5133, nullable: true, secret: 'write-only' },
        'B 3.7',
        'Datadog API key; returned as null.',
      ),
      ddtags: field(upTo(LIMITS.metadataBytes, 215), { default: '' }, 'B 3.7', 'Tags of the events.'),
      service: field(upTo(LIMITS.textBytes, 215), { default: '' }, 'B 3.7', 'Service name of the events.'),
      ddsite: field(upTo(LIMITS.textBytes, 215), { default: '' }, 'B 3.7', 'Datadog site.'),
    },
  },
  EventTargetAzureLogsIngestion: {
    doc: 'Azure Logs Ingestion.',
    source: 'B 1.3',
    fields: {
      tenant_id: azureText('Tenant of the application.'),
      client_id: azureText('Client id of the application.'),
      client_secret: {
        ...azureText('Client secret of the application; answered as null.'),
        nullable: true,
        secret: 'write-only',
      },
      logs_ingestion_uri: field(
        text({ formats: [{ format: 'https-url', code: 5137 }] }),
        { required: 5136 },
        'B 1.3',
        'URI that logs are sent to.',
      ),
      data_collection_rule_id: azureText('Immutable id of the data collection rule.'),
      data_collection_stream_name: azureText('Name of the stream of the rule.'),
    },
  },
  AWSAuth: {
    doc: 'Exactly one authentication method for AWS.',
    source: 'B 3.7',
    fields: {
      role: target('AWSRole'),
      creds: target('AWSCredentials'),
    },
    rules: [{ kind: 'exactly-one', of: ['role', 'creds'], none: 5107, many: 5116 }],
  },
  AWSRole: {
    doc: 'An IAM role that the service assumes.',
    source: 'B 3.7',
    fields: {
      role_arn: field(
        text({ formats: [{ format: 'aws-role-arn', code: 5104 }] }),
        { required: 5104 },
        'B 3.7',
        'ARN of the role.',
      ),
    },
  },
  AWSCredentials: {
    doc: 'AWS credentials.',
    source: 'B 3.7',
    fields: {
      aws_access_key_id: field(upTo(LIMITS.textBytes, 240), { required: 240 }, 'B 3.7', 'Id of the access key.'),
      aws_secret_access_key: field(
        upTo(LIMITS.textBytes, 240),
        { required: 240, nullable: true, secret: 'write-only' },
        'B 3.7',
        'Secret access key; returned as null.',
      ),
    },
  },
  EventTargetHTTP: {
    doc: 'A webhook, which receives every event as a signed POST request.',
    source: 'B 3.7',
    extension: true,
    fields: {
      url: field(
        text({ maxBytes: { limit: 2048, code: 236 }, formats: [{ format: 'url', code: 236 }] }),
        { required: 236, secret: 'origin-only', extension: true },
        'B 3.7',
        'URL that events are posted to. Its path and query may contain tokens, so only its origin is returned, followed by `/***`.',
      ),
      headers: field(
        map(text({ formats: [{ format: 'header-value', code: 7024 }] }), {
          keys: text({
            formats: [
              { format: 'header-name', code: 7023 },
              { format: 'carried-header', code: 236 },
            ],
            lowerCased: true,
          }),
          uniqueKeys: 7069,
        }),
        { default: {}, secret: 'write-only', extension: true },
        'B 3.7',
        'Headers of every request, other than those of the connection; values are returned as null.',
      ),
      secret: field(
        upTo(LIMITS.secretBytes, 236),
        { nullable: true, secret: 'write-only', extension: true },
        'B 3.7',
        'Secret that signs requests; returned as null.',
      ),
    },
  },
  EventTargetFile: {
    doc: "A file on the server's machine, with one event per line.",
    source: 'B 3.7',
    extension: true,
    fields: {
      path: field(
        text({ maxBytes: { limit: 4096, code: 236 }, formats: [{ format: 'not-empty', code: 236 }] }),
        { required: 236, extension: true },
        'B 3.7',
        "Path of the file, relative to the events folder in the server's settings.",
      ),
    },
  },
  EventTargetStdout: {
    doc: "The server's standard output, with one event per line.",
    source: 'B 3.7',
    extension: true,
    fields: {},
  },
} as const satisfies Record<string, Shape>;

const CHANGES = ['created', 'updated', 'deleted'] as const;

/** A kind of change to a record. */
export type EventChange = (typeof CHANGES)[number];

/** Objects with event types in part B, section 3.3. */
const EVENT_OBJECTS = [
  'api_key',
  'certificate_authority',
  'domain',
  'event_destination',
  'event_subscription',
  'ip_policy',
  'ip_policy_rule',
  'ip_restriction',
  'secret',
  'ssh_certificate_authority',
  'ssh_host_certificate',
  'ssh_public_key',
  'ssh_user_certificate',
  'tcp_address',
  'tls_certificate',
  'tunnel_credential',
  'vault',
] as const;

/** Objects without event types in the contract. Their event types are an extension that follows the same naming rule. */
const EXTENSION_EVENT_OBJECTS = [
  'https_edge',
  'https_edge_route',
  'tls_edge',
  'tcp_edge',
  'failover_backend',
  'http_response_backend',
  'static_backend',
  'tunnel_group_backend',
  'weighted_backend',
  'endpoint',
] as const;

/** Event types that do not have the form `<object>_<change>.v0`. */
const OTHER_EVENT_TYPES = [
  'agent_session_start.v0',
  'agent_session_stop.v0',
  'http_request_complete.v0',
  'tcp_connection_closed.v0',
  'log.v0',
] as const;

/** Every event type that can be subscribed to. */
export const EVENT_TYPES: readonly string[] = [
  ...[...EVENT_OBJECTS, ...EXTENSION_EVENT_OBJECTS].flatMap(object => CHANGES.map(change => `${object}_${change}.v0`)),
  ...OTHER_EVENT_TYPES,
];

/** Object names in event types that differ from the record kind. */
const OBJECT_OF_RECORD: Partial<Record<RecordKindName, string>> = {
  reserved_addr: 'tcp_address',
  reserved_domain: 'domain',
};

const CHANGE_OF_KIND: Partial<Record<Operation['kind'], EventChange>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  'replace-module': 'updated',
  'delete-module': 'updated',
};

/** Returns the type of the event that an operation emits; undefined for operations that change nothing. */
export function eventTypeOf({ kind, record }: Pick<Operation, 'kind' | 'record'>): string | undefined {
  const change = CHANGE_OF_KIND[kind];
  if (change === undefined) return undefined;
  // Changing the sources of a subscription updates the subscription (part B 3.4).
  if (record === 'event_source') return kind === 'update' ? undefined : 'event_subscription_updated.v0';
  return `${OBJECT_OF_RECORD[record] ?? record}_${change}.v0`;
}
