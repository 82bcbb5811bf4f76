// Rules between records, by kind.

import { isIP } from 'node:net';
import { type Fault, faultAt, LIMITS, type RecordKindName } from '@tollgate/edge-api';
import { type Members, membersAt, parseBody, stringAt, stringsAt } from '../api-error.ts';
import { isPrivateAddress } from '../security/private-address.ts';
import type { RecordReader } from '../store/store.ts';
import type { RuleSettings } from './context.ts';

/** Returns the rules of a record kind, in the order in which they are checked. */
export function rulesOf(kind: RecordKindName): readonly Rule[] {
  return RULES[kind] ?? [];
}

/** A record change that rules check. */
interface Proposal {
  readonly id: string;
  readonly parentId: string | null;
  /** The current body; undefined for a new record. */
  readonly before: Members | undefined;
  readonly after: Members;
  readonly reader: RecordReader;
  readonly settings: RuleSettings;
}

/** Checks a change against other records and returns its faults. */
type Rule = (proposal: Proposal) => readonly Fault[] | Promise<readonly Fault[]>;

/** The result of a rule without faults. */
const NO_FAULTS: readonly Fault[] = [];

/** `domain-port` and `domain-reserved`: hostports of HTTPS and TLS edges, if reservations are required. */
const domainsReserved: Rule = async ({ after, reader, settings }) => {
  if (!settings.reservations) return NO_FAULTS;
  const faults = stringsAt(after, 'hostports').map(async (hostport, index) => {
    const { host, port } = splitHostport(hostport);
    const path = ['hostports', index];
    if (port !== '443') return [faultAt(path, 7116, { value: hostport })];
    const [, ...rest] = host.split('.');
    const names = [host, `*.${rest.join('.')}`];
    const owners = await Promise.all(names.map(value => reader.claimant({ scope: 'domain', value })));
    return owners.some(owner => owner !== undefined) ? NO_FAULTS : [faultAt(path, 7117, { value: hostport })];
  });
  return (await Promise.all(faults)).flat();
};

/** `address-reserved`: hostports of TCP edges, if reservations are required. */
const addressesReserved: Rule = async ({ after, reader, settings }) => {
  if (!settings.reservations) return NO_FAULTS;
  const faults = stringsAt(after, 'hostports').map(async (value, index) => {
    const owner = await reader.claimant({ scope: 'address', value });
    return owner === undefined ? [faultAt(['hostports', index], 7114, { value })] : NO_FAULTS;
  });
  return (await Promise.all(faults)).flat();
};

/** `mutual-tls-needs-termination`: an edge that passes TLS through never sees client certificates. */
const mutualTlsNeedsTermination: Rule = ({ after }) => {
  const termination = membersAt(after, 'tls_termination');
  const at = termination && stringAt(termination, 'terminate_at');
  const isThere = membersAt(after, 'mutual_tls') !== undefined;
  return at === 'upstream' && isThere ? [faultAt(['mutual_tls'], 1694, { value: at })] : NO_FAULTS;
};

function splitHostport(hostport: string): { readonly host: string; readonly port: string } {
  const colon = hostport.lastIndexOf(':');
  return { host: hostport.slice(0, colon).toLowerCase(), port: hostport.slice(colon + 1) };
}

const SIGN_ON = ['oauth', 'oidc', 'saml'] as const;

/** `one-sign-on-module` */
const oneSignOnModule: Rule = ({ after }) => {
  const enabled = signOnModules(after);
  return enabled.length > 1 ? [faultAt([enabled[1]!], 7079, { value: enabled.join(', ') })] : NO_FAULTS;
};

/** `sign-on-needs-path` */
const signOnNeedsPath: Rule = ({ after }) => {
  const [module] = signOnModules(after);
  if (module === undefined || stringAt(after, 'match')?.startsWith('/')) return NO_FAULTS;
  return [faultAt([module], 7134, { value: module })];
};

/** `one-sign-on-route` */
const oneSignOnRoute: Rule = async ({ id, parentId, after, reader }) => {
  const [module] = signOnModules(after);
  if (module === undefined || parentId === null) return NO_FAULTS;
  const { members = [] } = (await reader.family(parentId)) ?? {};
  const other = members.find(member => member.id !== id && signOnModules(parseBody(member.body)).length > 0);
  return other ? [faultAt([module], 7155, { value: other.id })] : NO_FAULTS;
};

/** `routes-bounded` */
const routesBounded: Rule = async ({ parentId, before, reader }) => {
  if (before !== undefined || parentId === null) return NO_FAULTS;
  const { members = [] } = (await reader.family(parentId)) ?? {};
  return members.length < LIMITS.routes ? NO_FAULTS : [faultAt([], 7128, { limit: LIMITS.routes })];
};

function signOnModules(route: Members): readonly string[] {
  return SIGN_ON.filter(name => membersAt(route, name)?.enabled === true);
}

/** `source-unused` */
const sourcesOnce: Rule = ({ after }) => {
  const sources = Array.isArray(after.sources) ? (after.sources as readonly Members[]) : [];
  const types = sources.map(source => String(source.type));
  return types.flatMap((value, index) =>
    types.indexOf(value) < index ? [faultAt(['sources', index, 'type'], 5127, { value })] : [],
  );
};

/** `target-kind-kept` */
const targetKindKept: Rule = ({ before, after }) => {
  const [was, is] = [before && targetKind(before), targetKind(after)];
  if (was === undefined || is === undefined || was === is) return NO_FAULTS;
  return [faultAt(['target'], 5108, { value: was, expected: is })];
};

/** Webhooks are sent only to the public internet. Host names are checked when connecting. */
const webhookIsPublic: Rule = ({ after, settings }) => {
  const url = URL.parse(stringAt(targetOf(after, 'http') ?? {}, 'url') ?? '');
  const expected = url === null ? undefined : expectedOfWebhook(url, settings);
  if (url === null || expected === undefined) return NO_FAULTS;
  const value = hasPassword(url) ? `${url.protocol}//…@${url.host}` : url.href;
  return [faultAt(['target', 'http', 'url'], 236, { expected, value })];
};

/** Returns what is expected of a webhook URL; undefined if it is acceptable. */
function expectedOfWebhook(url: URL, { privateDestinations }: RuleSettings) {
  if (!/^https?:$/.test(url.protocol)) return 'a URL with the scheme http or https';
  // URLs are stored and returned in clear text, and appear in events about destinations.
  if (hasPassword(url)) return 'a URL without a user name or password';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isPrivate = isIP(host) === 0 ? /^(?:.*\.)?localhost\.?$/i.test(host) : isPrivateAddress(host);
  return isPrivate && !privateDestinations ? 'a URL with a public address' : undefined;
}

function hasPassword({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

/** Event files must be below the events folder of the settings. */
const filesAreBelowFolder: Rule = ({ after, settings }) => {
  const value = stringAt(targetOf(after, 'file') ?? {}, 'path');
  if (value === undefined) return NO_FAULTS;
  const path = ['target', 'file', 'path'];
  if (!settings.eventFiles)
    return [faultAt(path, 236, { expected: 'omitted, because this server has no folder for events', value })];
  const isInside = !value.startsWith('/') && !/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(value);
  return isInside ? NO_FAULTS : [faultAt(path, 236, { expected: 'a relative path without `..`', value })];
};

function targetKind(destination: Members): string | undefined {
  const target = membersAt(destination, 'target') ?? {};
  return Object.keys(target).find(key => target[key] !== null && target[key] !== undefined);
}

function targetOf(destination: Members, kind: string): Members | undefined {
  return membersAt(membersAt(destination, 'target') ?? {}, kind);
}

/** `cidrs-bounded` */
const cidrsBounded: Rule = async ({ parentId, before, reader }) => {
  if (before !== undefined || parentId === null) return NO_FAULTS;
  const { members = [] } = (await reader.family(parentId)) ?? {};
  const limit = LIMITS.rulesOfIpPolicy;
  return members.length < limit ? NO_FAULTS : [faultAt([], 1411, { limit })];
};

const RULES: Partial<Record<RecordKindName, readonly Rule[]>> = {
  https_edge: [domainsReserved],
  https_edge_route: [routesBounded, oneSignOnModule, oneSignOnRoute, signOnNeedsPath],
  tls_edge: [domainsReserved, mutualTlsNeedsTermination],
  tcp_edge: [addressesReserved],
  ip_policy_rule: [cidrsBounded],
  event_subscription: [sourcesOnce],
  event_destination: [targetKindKept, webhookIsPublic, filesAreBelowFolder],
};
