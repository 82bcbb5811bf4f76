import { isAbsolute, join } from 'node:path';

/**
 * Where a user's programs keep what can be made again; undefined where nothing is to be kept. Never a directory that others can write to:
 * what is read from it is run.
 */
export function cacheDirectory(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string | undefined {
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  if (platform === 'win32') return env.LOCALAPPDATA;
  // Relative names are ignored, for they would lead into the directory that is worked on.
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return env.XDG_CACHE_HOME;
  const home = env.HOME;
  if (!home || !isAbsolute(home)) return undefined;
  return platform === 'darwin' ? join(home, 'Library/Caches') : join(home, '.cache');
}
