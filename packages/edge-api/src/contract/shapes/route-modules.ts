import { WEBHOOK_PROVIDERS } from '@tollgate/catalog';
import type { Shape } from '../../definition/field.ts';
import { ENABLED, field, list, map, PLAIN, text, uint32 } from '../../definition/field-builders.ts';
import { LIMITS } from '../../definition/limits.ts';
import { WEBHOOK_PROVIDERS_WITHOUT_SECRET } from '../../definition/webhook-providers.ts';

const HEADER_NAME = [{ format: 'header-name', code: 7023 }] as const;
const NAME_BYTES = { limit: LIMITS.headerNameBytes, code: 7105 };

const NAME = text({ formats: HEADER_NAME, maxBytes: NAME_BYTES, lowerCased: true });
const REQUEST_NAME = text({
  formats: [...HEADER_NAME, { format: 'mutable-request-header', code: 7023 }],
  maxBytes: NAME_BYTES,
  lowerCased: true,
});
const VALUE = text({
  formats: [{ format: 'header-value', code: 7024 }],
  maxBytes: { limit: LIMITS.headerValueBytes, code: 7106 },
});

function headerFields<const N extends typeof NAME | typeof REQUEST_NAME>(name: N, what: string) {
  return {
    enabled: ENABLED,
    add: field(
      map(VALUE, { keys: name, max: { limit: LIMITS.headersAdded, code: 7015 }, uniqueKeys: 7069 }),
      { default: {} },
      'A 2.8',
      `Header names with values that are added to the ${what}.`,
    ),
    remove: field(
      list(name, { max: { limit: LIMITS.headersRemoved, code: 7015 } }),
      { default: [] },
      'A 2.8',
      `Names of headers that are removed from the ${what}.`,
    ),
  } as const;
}

/** Modules of HTTPS edge routes, except those that sign users on. */
export const ROUTE_MODULES = {
  EndpointCircuitBreaker: {
    doc: 'Refuses requests while the upstream is failing.',
    source: 'A 2.8',
    fields: {
      enabled: ENABLED,
      tripped_duration: field(
        uint32({ min: { limit: 1, code: 7016 } }),
        { default: 10 },
        'A 2.8',
        'Seconds to wait after the circuit tripped before checking the upstream again.',
      ),
      rolling_window: field(
        uint32({ min: { limit: 1, code: 7017 } }),
        { default: 10 },
        'A 2.8',
        'Seconds of the window in which metrics are retained.',
      ),
      num_buckets: field(
        uint32({ min: { limit: 1, code: 7018 }, max: { limit: LIMITS.buckets, code: 7018 } }),
        { default: 10 },
        'A 2.8, A 8',
        'Buckets in which metrics are retained.',
      ),
      volume_threshold: field(uint32(), { default: 20 }, 'A 2.8', 'Requests in a window before the circuit may trip.'),
      error_threshold_percentage: field(
        { kind: 'number', min: { limit: 0, code: 7011 }, max: { limit: 1, code: 7011 } },
        { default: 0 },
        'A 2.8, A 8',
        'Fraction of requests that must fail for the circuit to trip, from 0 to 1.0.',
      ),
    },
  },
  EndpointCompression: { doc: 'Compresses responses.', source: 'A 2.8', fields: { enabled: ENABLED } },
  EndpointRequestHeaders: {
    doc: 'Changes the headers of requests before they go upstream.',
    source: 'A 2.8',
    fields: headerFields(REQUEST_NAME, 'request'),
    rules: [{ kind: 'removal-needs-replacement', names: ['host'], code: 7164 }],
  },
  EndpointResponseHeaders: {
    doc: 'Changes the headers of responses.',
    source: 'A 2.8',
    fields: headerFields(NAME, 'answer'),
  },
  EndpointWebhookValidation: {
    doc: "Admits only webhooks with the provider's signature.",
    source: 'A 2.8',
    fields: {
      enabled: ENABLED,
      provider: field(
        { kind: 'text', oneOf: { values: WEBHOOK_PROVIDERS, code: 7030, ignoreCase: true } },
        { required: 7029 },
        'A 2.8, B 4',
        'The provider that sends the webhooks, in any case; returned as sent.',
      ),
      secret: field(
        text({ maxBytes: { limit: LIMITS.secretBytes, code: 7154 } }),
        { default: '', secret: 'clear' },
        'A 2.8',
        'Secret that the provider signs with.',
      ),
    },
    rules: [
      {
        kind: 'required-unless',
        field: 'secret',
        other: 'provider',
        values: WEBHOOK_PROVIDERS_WITHOUT_SECRET,
        code: 7027,
      },
      {
        kind: 'refused-when',
        field: 'secret',
        other: 'provider',
        values: WEBHOOK_PROVIDERS_WITHOUT_SECRET,
        code: 7026,
      },
      {
        kind: 'format-when',
        field: 'secret',
        other: 'provider',
        values: ['sendgrid'],
        format: 'p256-public-key',
        code: 7107,
      },
    ],
  },
  EndpointWebsocketTCPConverter: {
    doc: 'Converts a binary websocket stream to a TCP connection to the upstream.',
    source: 'A 2.8',
    fields: { enabled: ENABLED },
  },
  EndpointUserAgentFilter: {
    doc: 'Allows or denies requests by their user agent.',
    source: 'A 2.8',
    fields: {
      enabled: ENABLED,
      allow: field(list(PLAIN), { default: [] }, 'A 2.8', 'Patterns of user agents to allow.'),
      deny: field(list(PLAIN), { default: [] }, 'A 2.8', 'Patterns of user agents to deny.'),
    },
  },
} as const satisfies Record<string, Shape>;
