// What recordings of JSON lines contain and their mapping does not read: whoever reports something as undetermined names it, and the option to add.

import type { ExternalError } from '@tollgate/diagnostics';
import { fieldsOption, type UnreadFile } from '@tollgate/reports';
import { recordedFieldsOf } from '@tollgate/simulator';
import { nothingRead, type ReadTrafficOptions } from '@tollgate/traffic';
import { unreadMembersIn } from '@tollgate/traffic-node';

/**
 * Returns the files with members that seem to hold fields that are not read, if at least one of these fields is needed. If no needs are given,
 * at least one of them must say what was requested.
 */
export async function unreadFiles(
  files: readonly string[],
  traffic: ReadTrafficOptions,
  needs?: readonly string[],
): Promise<readonly UnreadFile[]> {
  const needed = needs && new Set(needs.flatMap(recordedFieldsOf).flatMap(field => [field, ...(SOURCES[field] ?? [])]));
  const found: UnreadFile[] = [];
  for (const file of files.slice(0, MAX_FILES)) {
    const { unread: members = [], guess: fields = {} } = (await unreadMembersIn(file, traffic)) ?? {};
    const isUseful = Object.keys(fields).some(field => (needed ?? REQUESTED).has(field));
    if (isUseful) found.push({ file, members, fields });
  }
  return found;
}

/** Returns the error for traffic without an exchange, with the option to add if its members seem to have names of their own. */
export async function nothingReadIn(
  read: Omit<Parameters<typeof nothingRead>[0], 'cure'>,
  traffic: ReadTrafficOptions,
): Promise<ExternalError> {
  const [first] = await unreadFiles(read.files, traffic);
  return nothingRead({ ...read, cure: first && fieldsOption(first) });
}

/** Fields without which a record says little. */
const REQUESTED = new Set(['url', 'target', 'path', 'request_line']);

/** Other fields that a field can be read from. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  target: ['url', 'request_line'],
  url: ['target', 'host', 'scheme', 'request_line'],
  host: ['url'],
  scheme: ['url', 'tls_version'],
  method: ['request_line'],
  protocol: ['request_line'],
  'request_headers.User-Agent': ['user_agent', 'request_headers'],
  'request_headers.Referer': ['referer', 'request_headers'],
};

/** The files of a directory usually have the same members. */
const MAX_FILES = 10;
