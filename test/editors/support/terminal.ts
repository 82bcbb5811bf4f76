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
  #first = 0;

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

  /** Takes the column of the cursor for that of the first character of a line. */
  anchor(): void {
    this.#first = this.#column();
  }

  /** Ends a line and begins the next one in a column, whatever indentation the editor begins it with. Returns that. */
  async nextLine(column: number): Promise<number> {
    const before = this.#row();
    this.press('Enter');
    await until(
      'the next line begins',
      () => this.#row(),
      row => row === before + 1,
    );
    await pause(300);
    const own = this.#column() - this.#first;
    // A busy editor may indent after what was typed here, so the result is looked at again.
    for (let now = own; now !== column; now = (await this.#settled()) - this.#first) {
      if (now > column) this.press('BSpace');
      else this.type(' '.repeat(column - now));
    }
    return own;
  }

  /** Returns the column of the cursor once it has stayed the same for several looks. */
  async #settled(): Promise<number> {
    let column = this.#column();
    for (let same = 0; same < 5; same += 1) {
      await pause(60);
      const now = this.#column();
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
