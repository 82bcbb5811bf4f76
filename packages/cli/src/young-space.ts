import { setFlagsFromString } from 'node:v8';

/** Keeps V8 from growing the space of young objects from now on. */
export function holdYoungSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  if (!process.listeners('exit').includes(release)) process.prependOnceListener('exit', release);
}

/** As at the start: what is kept of the code at the end is not taken by a start with other flags. */
function release(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
