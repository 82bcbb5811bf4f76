// What an assistant may read: files below the directories that the command line names, and content that it sends.

import { copyFileSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve, sep } from 'node:path';

/** A request of an assistant that cannot be answered. The message says what to do. */
export class AssistantError extends Error {
  override readonly name = 'AssistantError';
}

/** Content, or the path of a file. Exactly one of them is given. */
export interface TextOrPath {
  readonly text?: string | undefined;
  readonly path?: string | undefined;
}

/** The files of one request. */
export interface RequestFiles {
  /** Returns the path of an input; content is written to a private directory. `what` names the members in messages. */
  readonly place: (input: TextOrPath, what: InputKind) => string;
  /** Writes content to a private file. */
  readonly write: (name: string, text: string) => string;
  /** Copies a placed input next to what is written, under its own name; returns that name. */
  readonly copy: (placed: string) => string;
  /** Replaces paths by what the assistant calls them. */
  readonly rename: (text: string) => string;
  /** Removes what was written. */
  readonly remove: () => void;
}

/** An input of a tool. */
export interface InputKind {
  /** The member with content, such as `policy`. */
  readonly text: string;
  /** The member with a path, such as `path`. */
  readonly path: string;
  /** The name of the file that content becomes. */
  readonly file: string;
  /** The largest file that is read, in bytes. */
  readonly maxBytes: number;
}

/** Opens the files of one request. Directories are absolute, and not links. */
export function openFiles(directories: readonly string[]): RequestFiles {
  let own: string | undefined;
  const names = new Map<string, string>();
  const privatePath = (name: string) => {
    own ??= mkdtempSync(join(realpathSync(tmpdir()), 'tollgate-assistant-'));
    const path = join(own, name);
    names.set(path, name);
    return path;
  };
  const write = (name: string, text: string) => {
    const path = privatePath(name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  return {
    write,
    copy: placed => {
      const [, file = placed, part = ''] = PARTED.exec(placed) ?? [];
      const name = basename(file);
      const path = privatePath(name);
      if (path !== file) copyFileSync(file, path);
      return `${name}${part}`;
    },
    place: ({ text, path }, kind) => {
      if ((text === undefined) === (path === undefined))
        throw new AssistantError(`expected either \`${kind.text}\` or \`${kind.path}\`; send one of them`);
      if (text !== undefined) {
        if (text.length > kind.maxBytes)
          throw new AssistantError(`\`${kind.text}\` is longer than ${kind.maxBytes} characters`);
        return write(kind.file, text);
      }
      const [, file = path!, part = ''] = PARTED.exec(path!) ?? [];
      const real = allowedPath(file, directories, kind);
      names.set(real, file);
      return `${real}${part}`;
    },
    rename: text => [...names].reduce((renamed, [path, name]) => renamed.replaceAll(path, name), text),
    remove: () => {
      if (own !== undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}

/** A path, and the part of the file that contains one policy of several. */
const PARTED = /^([^#]*)(#\/[^#]*)$/;

function allowedPath(path: string, directories: readonly string[], { path: member, maxBytes }: InputKind): string {
  const outside = new AssistantError(
    `\`${member}\`: \`${path}\` is outside of the directories that this server may read`,
  );
  // A path that leaves the directories is refused unread, so that nobody learns which files exist.
  const below = directories.flatMap(directory => {
    const candidate = resolve(directory, path);
    return directories.some(one => isBelow(candidate, one)) ? [candidate] : [];
  });
  if (below.length === 0) throw outside;
  const real = below.map(realPath).find(one => one !== undefined);
  if (real === undefined) throw new AssistantError(`\`${member}\`: no file \`${path}\`; send the content instead`);
  if (!directories.some(directory => isBelow(real, directory))) throw outside;
  const status = statSync(real);
  if (!status.isFile()) throw new AssistantError(`\`${member}\`: \`${basename(path)}\` is not a file`);
  if (status.size > maxBytes)
    throw new AssistantError(
      `\`${member}\`: ${status.size} bytes are more than ${maxBytes}; run the \`tollgate\` command`,
    );
  return real;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isBelow(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(directory, way) === path;
}
