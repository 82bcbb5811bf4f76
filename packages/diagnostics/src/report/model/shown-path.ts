/**
 * Returns a path for other programs: relative if it is below the working directory, without `./`, and with slashes on
 * Windows, which is recognized by a drive or share in the working directory.
 */
export function shownPath(uri: string, directory: string | undefined): string {
  const isWindows = directory !== undefined && /^(?:[a-z]:|\\\\)/i.test(directory);
  const slashed = (path: string) => (isWindows ? path.replaceAll('\\', '/') : path);
  const path = slashed(uri);
  const above = directory === undefined ? undefined : slashed(directory).replace(/\/*$/, '/');
  const inside = above !== undefined && path.startsWith(above) ? path.slice(above.length) : path;
  return inside.replace(/^(?:\.\/+)+(?=[^/])/, '');
}
