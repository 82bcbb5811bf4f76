import { faultAt } from '@tollgate/edge-api';
import { membersAt, stringAt, stringsAt } from '../../api/members.ts';
import { NO_FAULTS, type Rule } from './rule.ts';

/** `domain-port` and `domain-reserved`: hostports of HTTPS and TLS edges, if reservations are required. */
export const domainsReserved: Rule = async ({ after, reader, settings }) => {
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
export const addressesReserved: Rule = async ({ after, reader, settings }) => {
  if (!settings.reservations) return NO_FAULTS;
  const faults = stringsAt(after, 'hostports').map(async (value, index) => {
    const owner = await reader.claimant({ scope: 'address', value });
    return owner === undefined ? [faultAt(['hostports', index], 7114, { value })] : NO_FAULTS;
  });
  return (await Promise.all(faults)).flat();
};

/** `mutual-tls-needs-termination`: an edge that passes TLS through never sees client certificates. */
export const mutualTlsNeedsTermination: Rule = ({ after }) => {
  const termination = membersAt(after, 'tls_termination');
  const at = termination && stringAt(termination, 'terminate_at');
  const isThere = membersAt(after, 'mutual_tls') !== undefined;
  return at === 'upstream' && isThere ? [faultAt(['mutual_tls'], 1694, { value: at })] : NO_FAULTS;
};

function splitHostport(hostport: string): { readonly host: string; readonly port: string } {
  const colon = hostport.lastIndexOf(':');
  return { host: hostport.slice(0, colon).toLowerCase(), port: hostport.slice(colon + 1) };
}
