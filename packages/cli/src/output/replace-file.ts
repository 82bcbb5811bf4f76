import { randomUUID } from 'node:crypto';
import { chmod, type FileHandle, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';

/**
 * Replaces what a file holds, whole or not at all: others see the old text or the new one. Keeps its mode, and links that lead
 * to it; makes it where it is missing. Gives the error instead of throwing it: other files may be fine.
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
      if (place) await file.sync();
      await file.close();
      if (place?.mode !== undefined) await chmod(place.draft, place.mode);
      if (place) await rename(place.draft, place.target);
    });
    return this.#failure;
  }

  /** Leaves the file as it was. */
  async abandon(): Promise<void> {
    await this.#draft?.file.close().catch(() => undefined);
    if (this.#draft?.place) await rm(this.#draft.place.draft, { force: true });
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
  readonly place?: { readonly draft: string; readonly target: string; readonly mode: number | undefined };
}

async function openDraft(path: string): Promise<Draft> {
  const found = await stat(path).catch(() => undefined);
  // A pipe or a device has nothing that could be replaced.
  if (found && !found.isFile()) return { file: await open(path, 'w') };
  const target = found ? await realpath(path) : path;
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  return { file: await open(draft, 'wx'), place: { draft, target, mode: found?.mode } };
}
