import {
  EXAMPLES,
  exampleId,
  OPERATION_IDS,
  type OperationId,
  operationOf,
  SHAPES,
  type ShapeName,
} from '@tollgate/edge-api';

/** A location of an object of a shape in a body: an operation, a valid body, and the path in it. */
export interface BodyLocation {
  readonly shape: ShapeName;
  readonly operation: OperationId;
  readonly body: Readonly<Record<string, unknown>>;
  readonly path: readonly (string | number)[];
}

const OWN_APPLICATION = { client_id: 'own', client_secret: 'secret' };
const AUTH = { role: { role_arn: 'arn:aws:iam::123456789012:role/events' } };
const ARN = 'arn:aws:firehose:eu-west-1:123456789012:deliverystream/events';

function oauth(shape: ShapeName, member: string): BodyLocation {
  return {
    shape,
    operation: 'EdgeRouteOAuthModuleReplace',
    body: { provider: { [member]: OWN_APPLICATION } },
    path: ['provider', member],
  };
}

function target(shape: ShapeName, member: string, value: object): BodyLocation {
  return {
    shape,
    operation: 'EventDestinationsCreate',
    body: { format: 'json', target: { [member]: value } },
    path: ['target', member],
  };
}

const RULE = { name: 'a', expressions: [], actions: [{ type: 'deny' }] };
const AZURE = {
  tenant_id: 't',
  client_id: 'c',
  client_secret: 's',
  logs_ingestion_uri: 'https://logs.example.com',
  data_collection_rule_id: 'r',
  data_collection_stream_name: 'n',
};

/** Shapes that no operation sends on their own, each inside one that does. */
const INNER: readonly BodyLocation[] = [
  { shape: 'EndpointRule', operation: 'EdgeRoutePolicyModuleReplace', body: { inbound: [RULE] }, path: ['inbound', 0] },
  {
    shape: 'EndpointAction',
    operation: 'EdgeRoutePolicyModuleReplace',
    body: { inbound: [RULE] },
    path: ['inbound', 0, 'actions', 0],
  },
  {
    shape: 'EndpointOAuthProvider',
    operation: 'EdgeRouteOAuthModuleReplace',
    body: { provider: { google: {} } },
    path: ['provider'],
  },
  oauth('EndpointOAuthGitHub', 'github'),
  oauth('EndpointOAuthFacebook', 'facebook'),
  oauth('EndpointOAuthMicrosoft', 'microsoft'),
  oauth('EndpointOAuthGoogle', 'google'),
  oauth('EndpointOAuthLinkedIn', 'linkedin'),
  oauth('EndpointOAuthGitLab', 'gitlab'),
  oauth('EndpointOAuthTwitch', 'twitch'),
  oauth('EndpointOAuthAmazon', 'amazon'),
  {
    shape: 'StaticBackendTLS',
    operation: 'StaticBackendsCreate',
    body: { address: 'a.example:80', tls: { enabled: true } },
    path: ['tls'],
  },
  {
    shape: 'EventTarget',
    operation: 'EventDestinationsCreate',
    body: { format: 'json', target: { stdout: {} } },
    path: ['target'],
  },
  target('EventTargetFirehose', 'firehose', { auth: AUTH, delivery_stream_arn: ARN }),
  target('EventTargetKinesis', 'kinesis', { auth: AUTH, stream_arn: ARN }),
  target('EventTargetCloudwatchLogs', 'cloudwatch_logs', { auth: AUTH, log_group_arn: ARN }),
  target('EventTargetDatadog', 'datadog', { api_key: 'key' }),
  target('EventTargetAzureLogsIngestion', 'azure_logs_ingestion', AZURE),
  target('EventTargetHTTP', 'http', { url: 'https://events.example.com' }),
  target('EventTargetFile', 'file', { path: 'events.jsonl' }),
  target('EventTargetStdout', 'stdout', {}),
  { ...target('AWSAuth', 'kinesis', { auth: AUTH, stream_arn: ARN }), path: ['target', 'kinesis', 'auth'] },
  { ...target('AWSRole', 'kinesis', { auth: AUTH, stream_arn: ARN }), path: ['target', 'kinesis', 'auth', 'role'] },
  {
    ...target('AWSCredentials', 'kinesis', {
      auth: { creds: { aws_access_key_id: 'id', aws_secret_access_key: 'key' } },
      stream_arn: ARN,
    }),
    path: ['target', 'kinesis', 'auth', 'creds'],
  },
  {
    shape: 'ReservedDomainResolvesToEntry',
    operation: 'ReservedDomainsCreate',
    body: { domain: 'shop.example.com', resolves_to: [{ value: 'eu' }] },
    path: ['resolves_to', 0],
  },
  {
    shape: 'ReservedDomainCertPolicy',
    operation: 'ReservedDomainsCreate',
    body: {
      domain: 'shop.example.com',
      certificate_management_policy: { authority: 'letsencrypt', private_key_type: 'rsa' },
    },
    path: ['certificate_management_policy'],
  },
];

/** Bodies with what the examples lack, so that a single change can violate every rule of a shape. */
const FULLER: Readonly<Partial<Record<ShapeName, Readonly<Record<string, unknown>>>>> = {
  HTTPSEdgeRoute: { match_type: 'path_prefix', match: '/api', backend: { backend_id: exampleId('static_backend') } },
};

/** One location for every shape that requests send. */
export const BODY_LOCATIONS: readonly BodyLocation[] = (Object.keys(SHAPES) as ShapeName[]).flatMap(shape => {
  const inner = INNER.find(location => location.shape === shape);
  if (inner !== undefined) return [inner];
  const operation = OPERATION_IDS.find(id => operationOf(id).request === shape && operationOf(id).kind !== 'update');
  const body = FULLER[shape] ?? EXAMPLES[shape];
  return operation === undefined || body === undefined ? [] : [{ shape, operation, body, path: [] }];
});
