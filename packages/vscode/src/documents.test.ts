import { describe, expect, it } from 'vitest';
import { languagesFor, mayContainPolicy, saveDocument } from './documents.ts';

const POLICY = 'on_http_request:\n  - actions:\n      - type: deny\n';
const start = (languageId: string, text: string, path = '/w/a.txt') => mayContainPolicy({ languageId, path, text });

describe('documents that start the server', () => {
  it.each([
    ['a policy in YAML', 'yaml', POLICY],
    ['a policy in JSON', 'json', '{"inbound":[{"actions":[{"type":"deny"}]}]}'],
    ['an empty policy with the language mode', 'tollgate', ''],
    ['a policy in a string of JSON', 'json', '{"data": "{\\"actions\\": []}"}'],
    ['a policy in Terraform', 'terraform', 'actions = [{ type = "deny" }]'],
    ['a policy in Markdown', 'markdown', `\`\`\`yaml\n${POLICY}\`\`\`\n`],
  ])('%s', (_, languageId, text) => {
    expect(start(languageId, text)).toBe(true);
  });

  it.each(['/w/tollgate.yaml', 'C:\\w\\tollgate.yaml', '/w/shop.test.yaml', '/w/shop.invariants.yaml'])('%s', path => {
    expect(start('yaml', '', path)).toBe(true);
  });
});

describe('documents that do not start the server', () => {
  it.each([
    ['other YAML', 'yaml', 'jobs:\n  build:\n    steps:\n      - uses: actions/checkout@v4\n'],
    ['other JSON', 'json', '{"name": "actions"}'],
    ['a policy in a language that is not read', 'python', POLICY],
    ['YAML that is named similarly', 'yaml', 'reactions: 3\n'],
  ])('%s', (_, languageId, text) => {
    expect(start(languageId, text)).toBe(false);
  });

  it('are not sent to it if policies are not recognized', () => {
    expect(languagesFor('off')).toEqual(['tollgate']);
    expect(languagesFor('attach')).toContain('yaml');
  });
});

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
