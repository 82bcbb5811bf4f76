// Paths of files and their URIs, of POSIX and of Windows, whatever system this runs on: a path with a drive or a share is one of Windows.

/** Returns the path of a file URI; a URI of another scheme, such as `untitled:`, stands for itself, and so does one without a path. */
export function pathOfUri(uri: string): string {
  if (!uri.startsWith('file:') || !URL.canParse(uri)) return uri;
  const { hostname, pathname } = new URL(uri);
  try {
    const path = decodeURIComponent(pathname);
    // An encoded slash is a part of a name, which no path can contain.
    if (/%2f/i.test(pathname)) return uri;
    if (hostname !== '') return `\\\\${hostname}${path.replaceAll('/', '\\')}`;
    return /^\/[A-Za-z]:(?:\/|$)/.test(path) ? path.slice(1).replaceAll('/', '\\') : path;
  } catch {
    return uri;
  }
}

/** Returns the URI of an absolute path; any other string stands for itself. */
export function uriOfPath(path: string): string {
  const { root, parts } = split(path);
  if (root === '') return path;
  const end = /[\\/]$/.test(path) && parts.length > 0 ? '/' : '';
  const encoded = encodeURI([...resolved(parts)].join('/').toWellFormed()).replace(
    /[?#~]/g,
    one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `file://${root.startsWith('\\\\') ? '' : '/'}${root.replaceAll('\\', '/').replace(/^\/+/, '')}${encoded}${end}`;
}

/** Returns the directory of a file; `.` if its path has none. */
export function directoryOf(path: string): string {
  const { root, parts } = split(path);
  const above = parts.slice(0, -1).join(separatorOf(root));
  return root + above || '.';
}

/** Returns the path that a file means by a name: relative to its directory, unless the name starts with a slash. */
export function pathFrom(file: string, name: string): string {
  if (name.startsWith('/')) return name;
  const { root, parts } = split(file);
  const names = name.split(root.includes('\\') ? /[\\/]+/ : /\/+/);
  const all = resolved([...parts.slice(0, -1), ...names], root === '');
  return root + all.join(separatorOf(root)) || '.';
}

/** Returns how a file in a directory names a path: with slashes, and `..` for each directory that is left. */
export function nameFrom(directory: string, path: string): string {
  const [from, to] = [split(directory), split(path)];
  if (from.root.toLowerCase() !== to.root.toLowerCase()) return path;
  const [above, below] = [resolved(from.parts), resolved(to.parts)];
  let shared = 0;
  while (shared < above.length && above[shared] === below[shared]) shared += 1;
  return [...above.slice(shared).map(() => '..'), ...below.slice(shared)].join('/');
}

/** Returns the drive, the share or the slash that an absolute path starts with, and the names after it. */
function split(path: string): { readonly root: string; readonly parts: readonly string[] } {
  const [root] = /^(?:\\\\[^\\/]+[\\/][^\\/]+[\\/]?|[A-Za-z]:[\\/]|\/+|)/.exec(path)!;
  const names = path.slice(root.length).split(root.includes('\\') || /^[A-Za-z]:/.test(root) ? /[\\/]+/ : /\/+/);
  return { root: root.startsWith('/') ? '/' : root, parts: names.filter(name => name !== '') };
}

function separatorOf(root: string): string {
  return root.includes('\\') ? '\\' : '/';
}

/** Returns names without `.` and `..`, which stay at the start of a relative path. */
function resolved(names: readonly string[], isRelative = false): readonly string[] {
  const left: string[] = [];
  for (const name of names) {
    if (name === '.' || name === '') continue;
    if (name !== '..') left.push(name);
    else if (left.length > 0 && left.at(-1) !== '..') left.pop();
    else if (isRelative) left.push(name);
  }
  return left;
}
