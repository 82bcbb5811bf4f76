import { isAbsolute, join } from 'node:path';

/**
 * Returns the directory for user settings; undefined if the environment names none. Relative paths are ignored, because a repository could
 * choose them.
 */
export function configDirectory(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform === 'win32') return env.APPDATA;
  const { XDG_CONFIG_HOME: config, HOME: home } = env;
  if (config && isAbsolute(config)) return config;
  return home && isAbsolute(home) ? join(home, '.config') : undefined;
}
