import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, rmSync, type Stats, writeSync } from 'node:fs';
import {
  access,
  constants,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ExternalError, removeAtEnd } from '@tollgate/diagnostics';

/**
 * Replaces what a file holds, whole or not at all. Keeps its owner, its mode, and the links that lead to it, hard ones too; makes it where it
 * is missing; refuses one that is read-only. Gives the error instead of throwing it: other files may be fine.
 */
export async function replaceFile(path: string, text: string): Promise<ExternalError | undefined> {
  const file = new FileReplacement(path);
  await file.write(text);
  return file.finish();
}

/** Makes the folder of a file, where it is missing. Where it cannot be made, writing into it says why. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
}

/** A file that is replaced as {@link replaceFile} does, by text that comes in pieces. After an error, nothing is written any more. */
export class FileReplacement {
  readonly #path: string;
  #draft: Draft | undefined;
  #failure: ExternalError | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async write(text: string): Promise<void> {
    await this.#try(async () => {
      const { file } = await this.#open();
      await file.writeFile(text);
    });
  }

  /** Puts the file in its place. Gives what went wrong, in this or before. */
  async finish(): Promise<ExternalError | undefined> {
    await this.#try(async () => {
      const { file, place } = await this.#open();
      const isKept = place !== undefined && (await keepsIdentity(file, place.found));
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

  /** Leaves the file as it was. */
  async abandon(): Promise<void> {
    await this.#draft?.file.close().catch(() => undefined);
    const place = this.#draft?.place;
    if (!place) return;
    await rm(place.path, { force: true });
    place.stopGuard();
  }

  async #open(): Promise<Draft> {
    this.#draft ??= await openDraft(this.#path);
    return this.#draft;
  }

  async #try(action: () => Promise<void>): Promise<void> {
    if (this.#failure) return;
    try {
      await action();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.#failure = new ExternalError('file/unwritable', `cannot write \`${this.#path}\`: ${reason}`, { cause });
      await this.abandon();
    }
  }
}

interface Draft {
  readonly file: FileHandle;
  /** Undefined for what is written to as it is. */
  readonly place?: {
    /** Of the draft, next to the target. */
    readonly path: string;
    readonly target: string;
    /** The file that is replaced. */
    readonly found: Stats | undefined;
    readonly stopGuard: () => void;
  };
}

/** Permissions of the draft of a file that is there; it gets those of the file when it is complete. */
const PRIVATE = 0o600;

async function openDraft(path: string): Promise<Draft> {
  const found = await stat(path).catch(() => undefined);
  // A pipe or a device has nothing that could be replaced.
  if (found && !found.isFile()) return { file: await open(path, 'w') };
  const target = await targetOf(path);
  if (found) await refuseReadOnly(target, found);
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  const stopGuard = removeAtEnd(draft);
  try {
    // At once, so that no signal comes between its making and its removal.
    closeSync(openSync(draft, 'wx', found ? PRIVATE : undefined));
    return { file: await open(draft, 'r+'), place: { path: draft, target, found, stopGuard } };
  } catch (error) {
    rmSync(draft, { force: true });
    stopGuard();
    throw error;
  }
}

/** The file that a name leads to, also where a link leads to one that is not there yet. */
async function targetOf(path: string): Promise<string> {
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
  return realpath(path).catch(async () => (isLink ? targetOf(resolve(dirname(path), await readlink(path))) : path));
}

/** Permissions do not keep root from writing; that nobody may write says what the owner wants. */
async function refuseReadOnly(path: string, { mode }: Stats): Promise<void> {
  if ((mode & 0o222) === 0) throw new Error('it is read-only');
  await access(path, constants.W_OK);
}

/** Gives a draft the owner and mode of the file that it replaces. False where it cannot have them, or other names lead to the file. */
async function keepsIdentity(draft: FileHandle, found: Stats | undefined): Promise<boolean> {
  if (!found) return true;
  if (found.nlink > 1) return false;
  const own = await draft.stat();
  try {
    if (own.uid !== found.uid || own.gid !== found.gid) await draft.chown(found.uid, found.gid);
    // Afterwards, for a change of the owner takes some permissions away.
    await draft.chmod(found.mode);
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes over a file that must stay the same file. No signal comes between, for nothing is waited for; after a crash the complete draft lies
 * next to it; and where the disk is full, it has its old text again, for whose blocks there is room.
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
