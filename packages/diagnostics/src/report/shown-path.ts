/**
 * A path as other programs take it: relative to the working directory where it is below it, without `./`, and with slashes on
 * Windows, where the working directory begins with a drive or a share.
 */
export function shownPath(uri: string, directory: string | undefined): string {
  const isWindows = directory !== undefined && /^(?:[a-z]:|\\\\)/i.test(directory);
  const slashed = (path: string) => (isWindows ? path.replaceAll('\\', '/') : path);
  const path = slashed(uri);
  const above = directory === undefined ? undefined : slashed(directory).replace(/\/*$/, '/');
  const inside = above !== undefined && path.startsWith(above) ? path.slice(above.length) : path;
  return inside.replace(/^(?:\.\/+)+(?=[^/])/, '');
}
