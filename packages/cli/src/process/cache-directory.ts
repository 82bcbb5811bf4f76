import { isAbsolute, join } from 'node:path';

/**
 * Returns the directory for a user's caches; undefined if there is none. It is never a directory that others can write to, because its
 * content is executed.
 */
export function cacheDirectory(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string | undefined {
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  if (platform === 'win32') return env.LOCALAPPDATA;
  // Relative paths are ignored, because they would lead into the working directory.
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return env.XDG_CACHE_HOME;
  const home = env.HOME;
  if (!home || !isAbsolute(home)) return undefined;
  return platform === 'darwin' ? join(home, 'Library/Caches') : join(home, '.cache');
}
