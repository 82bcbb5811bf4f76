import { expect, it } from 'vitest';
import { cacheDirectory } from './code-cache.ts';

it.each<[NodeJS.Platform, Readonly<Record<string, string>>, string | undefined]>([
  ['linux', { HOME: '/home/a' }, '/home/a/.cache'],
  ['linux', { HOME: '/home/a', XDG_CACHE_HOME: '/var/a' }, '/var/a'],
  ['darwin', { HOME: '/Users/a' }, '/Users/a/Library/Caches'],
  ['win32', { LOCALAPPDATA: 'C:\\Users\\a\\AppData\\Local' }, 'C:\\Users\\a\\AppData\\Local'],
  ['linux', { HOME: '/home/a', XDG_CACHE_HOME: 'here' }, '/home/a/.cache'],
  ['linux', { HOME: '.' }, undefined],
  ['win32', {}, undefined],
  ['linux', {}, undefined],
  ['linux', { HOME: '/home/a', NODE_DISABLE_COMPILE_CACHE: '1' }, undefined],
])('is that of the user, on %s with %j', (platform, env, expected) => {
  expect(cacheDirectory(env, platform)).toBe(expected);
});
