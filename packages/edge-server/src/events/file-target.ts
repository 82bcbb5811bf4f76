import { constants } from 'node:fs';
import { mkdir, open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { DeliveryError } from './delivery-error.ts';

/** Appends a line to a file below the folder and syncs it. @throws DeliveryError */
export async function appendEvent(folder: string, path: string, line: string): Promise<void> {
  const target = resolve(folder, path);
  if (!isBelow(folder, target)) throw outside(path);
  try {
    await mkdir(dirname(target), { recursive: true });
    // A link inside the folder may point outside.
    if (!isBelow(await realpath(folder), resolve(await realpath(dirname(target)), 'x'))) throw outside(path);
    const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW;
    const file = await open(target, flags, 0o600);
    try {
      await file.write(`${line}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof DeliveryError) throw cause;
    throw new DeliveryError(`cannot write \`${path}\`: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

function isBelow(folder: string, path: string): boolean {
  const inside = relative(resolve(folder), path);
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

function outside(path: string): DeliveryError {
  return new DeliveryError(`\`${path}\` is outside the folder for events`, { isFinal: true });
}
