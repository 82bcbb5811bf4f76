import { printable } from '@tollgate/diagnostics';

/** What a file of JSON lines has and its mapping does not read. */
export interface UnreadFile {
  readonly file: string;
  /** Dot paths. */
  readonly members: readonly string[];
  /** Paths by the fields that they seem to hold. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Maximum number of members to name. */
const MAX_MEMBERS = 12;

/** Returns what to tell the user: the members, and the option to paste. Files with the same members are told once. */
export function unreadNotes(files: readonly UnreadFile[]): readonly string[] {
  const cures = Map.groupBy(files, fieldsOption);
  return [...cures].flatMap(([cure, [first]]) => {
    const names = first!.members.slice(0, MAX_MEMBERS).map(name => `\`${printable(name)}\``);
    const all = `${names.join(', ')}${first!.members.length > MAX_MEMBERS ? ' and others' : ''}`;
    return [
      `\`${printable(first!.file)}\` has members that are not read: ${all}; if they mean what they seem to, add`,
      `  ${cure}`,
    ];
  });
}

/** Returns the option that maps the fields, for shells. Paths with a comma or a quote need a mapping file. */
export function fieldsOption({ fields }: UnreadFile): string {
  const pairs = Object.entries(fields).filter(([, path]) => !/[,='"\\\s]/.test(path) && printable(path) === path);
  return `--fields '${pairs.map(([field, path]) => `${field}=${path}`).join(',')}'`;
}
