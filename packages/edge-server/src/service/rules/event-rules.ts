import { isIP } from 'node:net';
import { faultAt } from '@tollgate/edge-api';
import { type Members, membersAt, stringAt } from '../../api/members.ts';
import { isPrivateAddress } from '../../security/private-address.ts';
import type { RuleSettings } from '../records/context.ts';
import { NO_FAULTS, type Rule } from './rule.ts';

/** `source-unused` */
export const sourcesOnce: Rule = ({ after }) => {
  const sources = Array.isArray(after.sources) ? (after.sources as readonly Members[]) : [];
  const types = sources.map(source => String(source.type));
  return types.flatMap((value, index) =>
    types.indexOf(value) < index ? [faultAt(['sources', index, 'type'], 5127, { value })] : [],
  );
};

/** `target-kind-kept` */
export const targetKindKept: Rule = ({ before, after }) => {
  const [was, is] = [before && targetKind(before), targetKind(after)];
  if (was === undefined || is === undefined || was === is) return NO_FAULTS;
  return [faultAt(['target'], 5108, { value: was, expected: is })];
};

/** Webhooks are sent only to the public internet. Host names are checked when connecting. */
export const webhookIsPublic: Rule = ({ after, settings }) => {
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
export const filesAreBelowFolder: Rule = ({ after, settings }) => {
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
