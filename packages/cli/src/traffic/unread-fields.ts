import { printable } from '@tollgate/diagnostics';
import { recordedFieldsOf } from '@tollgate/simulator';
import { type ReadTrafficOptions, unreadMembersIn } from '@tollgate/traffic';

/** What a file of JSON lines has and its mapping does not read. */
export interface UnreadFile {
  readonly file: string;
  /** Dot paths. */
  readonly members: readonly string[];
  /** Paths by the fields that they seem to hold. */
  readonly fields: Readonly<Record<string, string>>;
}

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
const SHOWN = 12;

/** Returns what to tell the user: the members, and the option to paste. Files with the same members are told once. */
export function unreadNotes(files: readonly UnreadFile[]): readonly string[] {
  const cures = Map.groupBy(files, cureOf);
  return [...cures].flatMap(([cure, [first]]) => {
    const names = first!.members.slice(0, SHOWN).map(name => `\`${printable(name)}\``);
    const all = `${names.join(', ')}${first!.members.length > SHOWN ? ' and others' : ''}`;
    return [
      `\`${printable(first!.file)}\` has members that are not read: ${all}; if they mean what they seem to, add`,
      `  ${cure}`,
    ];
  });
}

/** Returns the option that maps the fields, for shells. Paths with a comma or a quote need a mapping file. */
export function cureOf({ fields }: UnreadFile): string {
  const pairs = Object.entries(fields).filter(([, path]) => !/[,='"\\\s]/.test(path) && printable(path) === path);
  return `--fields '${pairs.map(([field, path]) => `${field}=${path}`).join(',')}'`;
}
