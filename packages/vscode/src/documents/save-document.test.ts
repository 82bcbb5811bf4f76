import { describe, expect, it } from 'vitest';
import { saveDocument } from './save-document.ts';

/** A document as VS Code keeps it: saving takes two steps, and during the first one another save is refused. */
class EditedDocument {
  shown = 'edited';
  file = 'committed';
  /** How often it was asked to save. */
  asked = 0;
  canBeWritten = true;
  #isSaving = false;
  readonly #whenSaved: (() => void)[] = [];

  get isDirty(): boolean {
    return this.shown !== this.file;
  }

  readonly save = async (): Promise<boolean> => {
    this.asked += 1;
    if (this.#isSaving) return false;
    this.beginToSave();
    this.endSaving();
    return !this.isDirty;
  };

  /** What other extensions do before a save. */
  beginToSave(): void {
    this.#isSaving = true;
  }

  endSaving(): void {
    this.#isSaving = false;
    if (this.canBeWritten) this.file = this.shown;
    for (const resolve of this.#whenSaved.splice(0)) resolve();
  }

  readonly nextSave = (): Promise<void> => new Promise(resolve => this.#whenSaved.push(resolve));
}

describe('a file that a command reads', () => {
  it('contains what the editor shows', async () => {
    const document = new EditedDocument();
    expect(await saveDocument(document, document.nextSave)).toBe(true);
    expect(document).toMatchObject({ file: 'edited', asked: 1 });
  });

  it('is left alone if it already does', async () => {
    const document = new EditedDocument();
    document.file = document.shown;
    expect(await saveDocument(document, document.nextSave)).toBe(true);
    expect(document.asked).toBe(0);
  });

  it('contains it even if the editor was saving by itself', async () => {
    const document = new EditedDocument();
    document.beginToSave();
    const saved = saveDocument(document, document.nextSave);
    await Promise.resolve().then(() => document.endSaving());
    expect(await saved).toBe(true);
    expect(document).toMatchObject({ file: 'edited', asked: 1 });
  });

  it('contains what was typed while the editor was saving by itself', async () => {
    const document = new EditedDocument();
    document.beginToSave();
    const saved = saveDocument(document, async () => {
      document.endSaving();
      document.shown = 'edited again';
    });
    expect(await saved).toBe(true);
    expect(document).toMatchObject({ file: 'edited again', asked: 2 });
  });

  it('is reported if it cannot be written', async () => {
    const document = new EditedDocument();
    document.canBeWritten = false;
    expect(await saveDocument(document, async () => {})).toBe(false);
    expect(document.asked).toBe(3);
  });
});
