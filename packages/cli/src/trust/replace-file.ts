// Writes files: as a whole or not at all.

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { access, constants, type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ExternalError, writeProblem } from '@tollgate/diagnostics';
import { removeAtEnd } from '@tollgate/traffic-node/temporary-files';
import { isWithin, type NamedBy, pathToWrite } from './confinement.ts';

// The only module of the command that writes files. Every function asks `pathToWrite` where the path leads before it opens anything.

/** Who names the file, and who may read it. */
export interface Destination {
  readonly by: NamedBy;
  /** True if only the user may read the file, and its folder if that is missing. */
  readonly isPrivate?: true;
}

/** What the user names on the command line. */
const BY_USER: Destination = { by: 'user' };

/**
 * Replaces the content of a file completely or not at all. Keeps its owner, mode, symbolic and hard links; creates a missing file and its
 * folder; refuses a read-only one. Returns errors instead of throwing them, because other files may be fine.
 */
export async function replaceFile(
  path: string,
  text: string,
  destination = BY_USER,
): Promise<ExternalError | undefined> {
  const file = new FileReplacement(path, destination);
  await file.write(text);
  return file.finish();
}

/** Appends to a file, and waits until the text is on disk. One write, since several processes may append at the same time. @throws Error */
export function appendToFile(path: string, text: string, destination: Destination): void {
  const file = openSync(placeOf(path, destination), 'a', modeOf(destination));
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Creates a file with its whole content. If another process creates it at the same time, the first one wins. @throws Error */
export function createOnce(path: string, text: string, destination: Destination): void {
  const target = placeOf(path, destination);
  const draft = `${target}.${randomUUID()}`;
  const file = openSync(draft, 'wx', modeOf(destination));
  try {
    writeSync(file, text);
    // Unlike a rename, a link fails if the file exists.
    linkSync(draft, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    closeSync(file);
    rmSync(draft);
  }
}

/** Returns where a path leads, and creates its folder. @throws ConfinementError, or Error if the folder cannot be created */
function placeOf(path: string, { by, isPrivate }: Destination): string {
  const place = pathToWrite(path, by);
  mkdirSync(dirname(place), { recursive: true, mode: isPrivate ? 0o700 : undefined });
  return place;
}

function modeOf({ isPrivate }: Destination): number | undefined {
  return isPrivate ? PRIVATE : undefined;
}

/** Writes a file piece by piece and replaces it as {@link replaceFile} does. After an error, further writes are ignored. */
export class FileReplacement {
  readonly #path: string;
  readonly #destination: Destination;
  #draft: Draft | undefined;
  #failure: ExternalError | undefined;

  constructor(path: string, destination = BY_USER) {
    this.#path = path;
    this.#destination = destination;
  }

  async write(text: string): Promise<void> {
    await this.#try(async () => {
      const { file } = await this.#open();
      await file.writeFile(text);
    });
  }

  /** Moves the draft into place. Returns the first error of this call or earlier ones. */
  async finish(): Promise<ExternalError | undefined> {
    await this.#try(async () => {
      const { file, place } = await this.#open();
      const isKept = place !== undefined && (await keepsIdentity(file, place.found, this.#destination));
      if (place) await file.sync();
      await file.close();
      if (place && isKept) await rename(place.path, place.target);
      else if (place) {
        overwrite(place.target, readFileSync(place.path));
        await rm(place.path, { force: true });
      }
      place?.stopGuard();
    });
    return this.#failure;
  }

  /** Discards the draft. */
  async abandon(): Promise<void> {
    await this.#draft?.file.close().catch(() => undefined);
    const place = this.#draft?.place;
    if (!place) return;
    await rm(place.path, { force: true });
    place.stopGuard();
  }

  async #open(): Promise<Draft> {
    this.#draft ??= await openDraft(this.#path, this.#destination);
    return this.#draft;
  }

  async #try(action: () => Promise<void>): Promise<void> {
    if (this.#failure) return;
    try {
      await action();
    } catch (cause) {
      const reason = writeProblem(cause);
      this.#failure = new ExternalError('file/unwritable', `cannot write \`${this.#path}\`: ${reason}`, { cause });
      await this.abandon();
    }
  }
}

interface Draft {
  readonly file: FileHandle;
  /** Undefined if the target is written to directly. */
  readonly place?: {
    /** Path of the draft, next to the target. */
    readonly path: string;
    readonly target: string;
    /** The file to replace. */
    readonly found: Stats | undefined;
    readonly stopGuard: () => void;
  };
}

/** Mode of the draft of an existing file; it gets the mode of that file when it is complete. */
const PRIVATE = 0o600;

async function openDraft(path: string, destination: Destination): Promise<Draft> {
  const target = placeOf(path, destination);
  const found = await stat(target).catch(() => undefined);
  // Streams and devices cannot be replaced.
  if (found && !found.isFile()) {
    refuseWaiting(target, found);
    return { file: await open(target, 'w') };
  }
  if (found) await refuseReadOnly(target, found);
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  const stopGuard = removeAtEnd(draft);
  try {
    // Synchronous, so that no signal arrives between creating the draft and registering its removal.
    closeSync(openSync(draft, 'wx', found ? PRIVATE : modeOf(destination)));
    return { file: await open(draft, 'r+'), place: { path: draft, target, found, stopGuard } };
  } catch (error) {
    rmSync(draft, { force: true });
    stopGuard();
    throw error;
  }
}

/** What the command was started with has a reader: `/dev/stdout`, and the pipes of a shell. Any other pipe would be waited for. */
function refuseWaiting(target: string, found: Stats): void {
  const isOpened = isWithin('/proc', target) || isWithin('/dev', target);
  if (found.isFIFO() && !isOpened)
    throw new Error('it is a pipe, which may have no reader; write to `/dev/stdout`, and pipe that');
  if (found.isBlockDevice() || found.isSocket()) throw new Error('it is not a regular file');
}

/** Throws if nobody has write permission. Root could write anyway, but the owner does not want it. */
async function refuseReadOnly(path: string, { mode }: Stats): Promise<void> {
  if ((mode & 0o222) === 0) throw new Error('it is read-only');
  await access(path, constants.W_OK);
}

/** Gives a draft the owner and mode of the file that it replaces. Returns false if that is not possible or the file has hard links. */
async function keepsIdentity(
  draft: FileHandle,
  found: Stats | undefined,
  { isPrivate }: Destination,
): Promise<boolean> {
  if (!found) return true;
  if (found.nlink > 1) return false;
  const stats = await draft.stat();
  try {
    if (stats.uid !== found.uid || stats.gid !== found.gid) await draft.chown(found.uid, found.gid);
    // After `chown`, which clears some permission bits.
    await draft.chmod(isPrivate ? PRIVATE : found.mode);
    return true;
  } catch {
    return false;
  }
}

/**
 * Overwrites a file that must keep its inode. It is synchronous, so that no signal interrupts it; after a crash, the complete draft is next
 * to the file. If the disk is full, the old content is restored, whose blocks are still allocated.
 */
function overwrite(path: string, bytes: Uint8Array): void {
  const before = readFileSync(path);
  const file = openSync(path, 'r+');
  try {
    try {
      writeWhole(file, bytes);
    } catch (error) {
      writeWhole(file, before);
      throw error;
    }
  } finally {
    closeSync(file);
  }
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
  ftruncateSync(file, bytes.length);
  fsyncSync(file);
}
