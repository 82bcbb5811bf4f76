import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import type { CodeServer } from './code-server.ts';

/** Where pictures of each step are written. */
const PICTURES = 'dist/vscode-pictures';

/** How long one thing is waited for, in ms: far longer than it takes on a busy machine, so that only what never happens fails. */
const PATIENCE = 120_000;

/** A window of VS Code in a browser, used as a person does. */
export class Workbench {
  readonly page: Page;
  readonly #browser: Browser;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.page = page;
  }

  /** Opens a folder in a new window with a fresh browser profile, and answers the question about trust. */
  static async open(server: CodeServer, folder: string, isTrusted: boolean): Promise<Workbench> {
    mkdirSync(PICTURES, { recursive: true });
    const browser = await launchChromium();
    const page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
    page.setDefaultTimeout(PATIENCE);
    await page.goto(server.urlOf(folder));
    const answer = page.getByRole('button', { name: isTrusted ? /Yes, I trust/ : /No, I don't trust/ });
    await answer.click();
    await answer.waitFor({ state: 'hidden' });
    return new Workbench(browser, page);
  }

  /** The status bar item of the extension. */
  get status(): Locator {
    return this.page.locator('[id="tollgate-policies.tollgate-vscode.tollgate.status"]');
  }

  /** The editor that was used last. */
  get editor(): Locator {
    return this.page.locator('.editor-instance').first();
  }

  /** The content of the results panel. */
  get results(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  async openFile(name: string): Promise<void> {
    await this.page.getByRole('treeitem', { name, exact: true }).first().dblclick();
    await this.page.locator(`.tab[data-resource-name="${name}"][aria-selected="true"]`).waitFor();
  }

  /** Runs a command of the palette. */
  async run(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.page.locator('.quick-input-widget input').waitFor();
    await this.page.keyboard.insertText(title);
    await this.#pick(title.replace(/^Tollgate: /, ''));
  }

  /** Chooses an entry of the list that is open. */
  async choose(text: string): Promise<void> {
    await this.#pick(text);
  }

  /** Answers the question that is open. */
  async answer(text: string): Promise<void> {
    const input = this.page
      .locator('.quick-input-widget input[type="text"], .quick-input-widget input:not([type])')
      .first();
    await input.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Puts the cursor at a line and column, both from 1, and waits until the editor has the focus: keys typed before that go elsewhere. */
  async goTo(line: number, column: number): Promise<void> {
    await this.page.keyboard.press('Control+G');
    await this.page.locator('.quick-input-widget input').waitFor();
    // The colon is there already.
    await this.page.keyboard.insertText(`${line}:${column}`);
    await this.page
      .locator('.quick-input-list .monaco-list-row')
      .getByText(/^Press 'Enter' to go to|Go to line/)
      .first()
      .waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await this.page.getByText(`Ln ${line}, Col`).first().waitFor();
    await this.page.locator('.editor-instance .monaco-editor.focused').waitFor();
  }

  /** The text of the editor as it is drawn, without hints and lenses. */
  async lines(): Promise<readonly string[]> {
    const drawn = await this.editor.locator('.view-line').allTextContents();
    return drawn.map(line => line.replaceAll('\u00a0', ' '));
  }

  /** Waits until something holds and returns what was seen; fails with what was waited for, what was seen last, and a picture. */
  async until<Seen>(what: string, look: () => Promise<Seen> | Seen, holds: (seen: Seen) => boolean): Promise<Seen> {
    const end = Date.now() + PATIENCE;
    let seen = await look();
    while (!holds(seen)) {
      if (Date.now() > end) throw new Error(`never happened: ${what}; last seen: ${JSON.stringify(seen)}`);
      await pause(50);
      seen = await look();
    }
    return seen;
  }

  /** Waits until a line of the editor is as wanted. */
  async untilLine(what: string, isWanted: (line: string) => boolean): Promise<void> {
    await this.until(
      what,
      () => this.lines(),
      lines => lines.some(isWanted),
    );
  }

  /** Waits until the indentation of a new line, to which the server contributes, stays as it is. */
  async untilIndented(): Promise<void> {
    const column = () =>
      this.page
        .getByText(/^Ln \d+, Col \d+/)
        .first()
        .textContent();
    for (let before = ''; ; ) {
      const now = (await column()) ?? '';
      if (now === before) return;
      before = now;
      await pause(600);
    }
  }

  async picture(name: string): Promise<void> {
    await this.page.screenshot({ path: `${PICTURES}/${name}.png` });
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  async #pick(text: string): Promise<void> {
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first().click();
  }
}
