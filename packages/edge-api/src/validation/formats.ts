// Checks of string formats: addresses, certificates, names, URLs.

import { createPublicKey, X509Certificate } from 'node:crypto';
import { isIP, SocketAddress } from 'node:net';
import { EVENT_TYPES } from '../contract/event-shapes.ts';
import type { FormatName } from '../definition/field.ts';

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

/** Returns true if the string is an IP address with a valid prefix length. */
function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  const version = isIP(text.slice(0, Math.max(slash, 0)));
  const length = text.slice(slash + 1);
  return version !== 0 && /^(0|[1-9]\d{0,2})$/.test(length) && Number(length) <= bitsOf(version);
}

/** Returns true if no host bits of the range are set, or if the string is not a range. */
function isLowestAddress(text: string): boolean {
  if (!isCidr(text)) return true;
  const { value, host } = parts(text);
  return (value & ((1n << host) - 1n)) === 0n;
}

/** Returns the range with its host bits cleared. */
function lowestAddress(text: string): string {
  const { value, host, version, length } = parts(text);
  return `${written((value >> host) << host, version)}/${length}`;
}

/** Returns the range that contains only this address. */
function withMask(text: string): string {
  const version = isIP(text);
  return version === 0 ? '10.0.0.0/8' : `${text}/${bitsOf(version)}`;
}

function bitsOf(version: number): number {
  return version === 6 ? 128 : 32;
}

function parts(text: string) {
  const [address, length] = text.split('/') as [string, string];
  const version = isIP(address);
  return { version, length, host: BigInt(bitsOf(version) - Number(length)), value: numberOf(address, version) };
}

function numberOf(address: string, version: number): bigint {
  const groups = version === 4 ? address.split('.').map(Number) : groupsOf(address);
  const width = version === 4 ? 8n : 16n;
  return groups.reduce((value, group) => (value << width) | BigInt(group), 0n);
}

/** Returns the eight groups of an IPv6 address, with `::` and a trailing IPv4 address expanded. */
function groupsOf(address: string): readonly number[] {
  const tail = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const plain = tail === null ? address : address.slice(0, tail.index) + hexTail(tail.slice(1, 5).map(Number));
  const [left = '', right] = plain.replace(/%.*$/, '').split('::');
  const head = left === '' ? [] : left.split(':');
  const end = right === undefined || right === '' ? [] : right.split(':');
  const gap = Array.from({ length: 8 - head.length - end.length }, () => '0');
  return [...head, ...(right === undefined ? [] : gap), ...end].map(group => Number.parseInt(group, 16));
}

function hexTail([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string {
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function written(value: bigint, version: number): string {
  if (version === 4) return [24n, 16n, 8n, 0n].map(shift => String((value >> shift) & 255n)).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 65_535n).toString(16));
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

function blocks(text: string): readonly string[] {
  return [...text.matchAll(BLOCK)].map(match => match[1]!);
}

/** Returns true if the string contains a PEM block. */
function isPem(text: string): boolean {
  return blocks(text).length > 0;
}

/** Returns true if the first PEM block is labelled as a certificate, or if there is no PEM block. */
function isPemCertificate(text: string): boolean {
  const [label] = blocks(text);
  return label === undefined || label === 'CERTIFICATE';
}

/** Returns true if the string contains at most one PEM block. */
function isSinglePem(text: string): boolean {
  return blocks(text).length <= 1;
}

/** Returns true if the string is a certificate that can be parsed. */
function isX509(text: string): boolean {
  return parsed(text) !== undefined;
}

/** Returns true if the certificate belongs to a certificate authority, or if it cannot be parsed. */
function isAuthority(text: string): boolean {
  return parsed(text)?.ca ?? true;
}

function parsed(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

/** Returns true if the string is the base64-encoded DER of a public key on the curve P-256. */
function p256PublicKey(text: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}
