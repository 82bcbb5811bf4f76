import { EVENT_TYPES } from '../contract/events.ts';
import type { FormatName } from '../definition/field.ts';
import { isAuthority, isPem, isPemCertificate, isSinglePem, isX509, p256PublicKey } from './certificates.ts';
import { isCidr, isLowestAddress, lowestAddress, withMask } from './cidr.ts';

/** The check of a string format. */
interface FormatCheck {
  readonly holds: (text: string) => boolean;
  /** Describes the expected string in a message; may suggest a correction. */
  readonly expected: (text: string) => string;
}

const DOMAIN = /^(?=.{1,253}$)(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;
const EMAIL = /^[^\s@"(),:;<>[\\\]]{1,64}@(.+)$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HOST_AND_PORT = /^(\[[0-9A-Fa-f:.]+\]|[^\s:/@[\]]+):(\d{1,10})$/;
const SELECTOR_PATH = /^\/[\x21-\x7e\u0080-\uffff]*$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const ARN = /^arn:(aws|aws-cn|aws-us-gov):[a-z0-9-]+:[a-z0-9-]*:\d*:\S+$/;
const ROLE_ARN = /^arn:(aws|aws-cn|aws-us-gov):iam::\d{12}:role\/\S+$/;
const ENTITY_DESCRIPTOR =
  /^\s*(<\?xml(?:[^>?]|\?(?!>))*\?>\s*)?(<!--(?:[^-]|-(?!->))*-->\s*)*<([A-Za-z_][\w.-]*:)?EntityDescriptor[\s>]/;
const KNOWN_EVENT_TYPES = new Set(EVENT_TYPES);

/** Request headers that a route may not change (part B 1.5). */
const FIXED_REQUEST_HEADERS = new Set(['user-agent']);

function check(holds: (text: string) => boolean, expected: string | ((text: string) => string)): FormatCheck {
  return { holds, expected: typeof expected === 'string' ? () => expected : expected };
}

/** Headers of the connection and of the framing of messages (RFC 9110, sections 7.2, 7.6.1 and 8.6; RFC 9112, section 6), in lower case. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns true for a header that belongs to a connection, in any case; who sets one for messages of others could smuggle requests. */
export function isConnectionHeader(name: string): boolean {
  return CONNECTION_HEADERS.has(name.toLowerCase());
}

/** The check of every format in the contract. */
export const FORMATS: Readonly<Record<FormatName, FormatCheck>> = {
  'aws-arn': check(text => ARN.test(text), 'the service'),
  'aws-role-arn': check(text => ROLE_ARN.test(text), 'the ARN of a role'),
  'carried-header': check(
    text => !isConnectionHeader(text),
    'absent, because the server sets the headers of the connection itself',
  ),
  cidr: check(isCidr, 'an address range'),
  'cidr-lowest-address': check(isLowestAddress, lowestAddress),
  'cidr-mask': check(text => text.includes('/'), withMask),
  'cookie-prefix': check(text => /^[0-9A-Za-z.]*$/.test(text), 'letters, digits and periods'),
  domain: check(isDomainName, 'a domain name'),
  email: check(isEmail, 'an email address'),
  'email-domain': check(text => isDomainName(text) && text.includes('.'), 'the domain of email addresses'),
  'event-type': check(text => KNOWN_EVENT_TYPES.has(text), 'an event type'),
  'github-team': check(text => /^(\d+|[^\s/]+\/[^\s/]+)$/.test(text), 'a team'),
  'header-name': check(text => TOKEN.test(text), 'a header name'),
  'header-value': check(text => /^[\t\x20-\x7e\x80-\uffff]*$/.test(text), 'a header value'),
  'host-and-port': check(text => HOST_AND_PORT.test(text), 'host:port'),
  'https-url': check(text => isUrl(text, ['https:']), 'a URL with the scheme https'),
  'lower-case': check(
    text => text === text.toLowerCase(),
    text => text.toLowerCase(),
  ),
  'mutable-request-header': check(text => !FIXED_REQUEST_HEADERS.has(text.toLowerCase()), 'another header'),
  'not-empty': check(text => text !== '', 'a non-empty string'),
  'p256-public-key': check(text => p256PublicKey(text), 'a public key'),
  pem: check(isPem, 'PEM'),
  'pem-certificate': check(isPemCertificate, 'a certificate'),
  'pem-single': check(isSinglePem, 'one certificate'),
  'port-range': check(hasPort, 'a port from 1 to 65535'),
  'route-selector': check(isSelector, 'a path, a host, or a host followed by a path'),
  'saml-metadata': check(text => ENTITY_DESCRIPTOR.test(text), 'an EntityDescriptor'),
  timestamp: check(text => TIMESTAMP.test(text) && !Number.isNaN(Date.parse(text)), 'an RFC 3339 time'),
  url: check(text => isUrl(text, ['http:', 'https:', 'tls:', 'tcp:']), 'a URL'),
  x509: check(isX509, 'a certificate'),
  'x509-authority': check(isAuthority, "an authority's certificate"),
};

function isDomainName(text: string): boolean {
  return DOMAIN.test(text);
}

function isEmail(text: string): boolean {
  const domain = EMAIL.exec(text)?.[1];
  return domain !== undefined && isDomainName(domain);
}

/** Accepts strings without a port, which another format checks. */
function hasPort(text: string): boolean {
  const port = HOST_AND_PORT.exec(text)?.[2];
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
}

/** Returns true for a path, a host, or a host followed by a path (part A 2.7). */
function isSelector(text: string): boolean {
  const slash = text.indexOf('/');
  const host = slash < 0 ? text : text.slice(0, slash);
  const path = slash < 0 ? '' : text.slice(slash);
  return (host === '' ? path !== '' : isDomainName(host)) && (path === '' || SELECTOR_PATH.test(path));
}

function isUrl(text: string, schemes: readonly string[]): boolean {
  const url = URL.parse(text);
  return url !== null && schemes.includes(url.protocol) && url.hostname !== '';
}
