import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Where what each editor showed is written. */
const PICTURES = 'dist/editor-pictures';

/** How long one thing is waited for, in ms: far longer than it takes on a busy machine. */
const PATIENCE = 60_000;

/** A program in a terminal of its own, used through its keyboard and screen. */
export class Terminal {
  readonly #socket: string;

  /** Starts a program in a directory. */
  constructor(command: readonly string[], directory: string, env: Readonly<Record<string, string>>) {
    this.#socket = `tollgate-${process.pid}-${Math.random().toString(36).slice(2)}`;
    const set = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
    const size = ['-x', '110', '-y', '40'];
    this.#tmux('-f', '/dev/null', 'new-session', '-d', ...size, '-c', directory, ...set, ...command);
    // An escape key is not the start of another key.
    this.#tmux('set-option', '-sg', 'escape-time', '0');
  }

  /** Presses keys by their names, such as `Escape` or `C-n`. */
  press(...keys: readonly string[]): void {
    if (keys.length > 0) this.#tmux('send-keys', ...keys);
  }

  /** Types a text, character by character. */
  type(text: string): void {
    this.#tmux('send-keys', '-l', text);
  }

  /** The text of the screen. */
  screen(): string {
    return this.#tmux('capture-pane', '-p');
  }

  /** Gives the program time to answer a key whose answer may be nothing. */
  async rest(): Promise<void> {
    await pause(300);
  }

  /** Waits until the screen is as wanted. */
  async shows(what: RegExp): Promise<string> {
    return until(
      `the screen shows ${what}`,
      () => this.screen(),
      screen => what.test(screen),
    );
  }

  /**
   * Ends a line and begins the next one in a column, whatever indentation the editor begins it with. Returns that. Columns count from where
   * the screen shows the first line: a margin for findings may appear at any time.
   */
  async nextLine(column: number, firstLine: string): Promise<number> {
    const before = this.#row();
    this.press('Enter');
    await until(
      'the next line begins',
      () => this.#row(),
      row => row === before + 1,
    );
    const own = await this.#indentation(firstLine);
    // A busy editor may indent after what was typed here, so the result is looked at again.
    for (let now = own; now !== column; now = await this.#indentation(firstLine)) {
      if (now > column) this.press('BSpace');
      else this.type(' '.repeat(column - now));
    }
    return own;
  }

  /** Returns the column of the cursor in the text once it has stayed the same for several looks. */
  async #indentation(firstLine: string): Promise<number> {
    let column = Number.NaN;
    for (let same = 0; same < 5; same += 1) {
      await pause(60);
      const row = this.screen()
        .split('\n')
        .find(one => one.includes(firstLine));
      const now = this.#column() - (row?.indexOf(firstLine) ?? Number.NaN);
      if (now !== column) [column, same] = [now, -1];
    }
    return column;
  }

  #column(): number {
    return Number(this.#tmux('display-message', '-p', '#{cursor_x}'));
  }

  #row(): number {
    return Number(this.#tmux('display-message', '-p', '#{cursor_y}'));
  }

  /** Keeps the screen as text, for people. */
  picture(name: string): void {
    mkdirSync(PICTURES, { recursive: true });
    writeFileSync(join(PICTURES, `${name}.txt`), this.screen());
  }

  close(): void {
    try {
      this.#tmux('kill-server');
    } catch {
      // It has ended by itself.
    }
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8' });
  }
}

/** Waits until something holds, and returns it; fails with what was seen last. */
export async function until<Seen>(
  what: string,
  look: () => Seen | Promise<Seen>,
  holds: (seen: Seen) => boolean,
): Promise<Seen> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (Date.now() > end) throw new Error(`never happened: ${what}; last seen:\n${String(seen)}`);
    await pause(60);
  }
}
