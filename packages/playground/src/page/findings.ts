// The list of findings below the editor: each leads to its place. Their number is announced.

import type { ServerFinding } from '../editor/language-client.ts';
import { severityOf } from '../editor/policy-editor.ts';
import { languageOf } from '../editor/workspace.ts';
import { element } from './elements.ts';

/** Where findings are shown, and what happens when one is chosen. */
interface FindingsView {
  readonly list: HTMLElement;
  readonly count: HTMLElement;
  readonly reveal: (name: string, finding: ServerFinding) => void;
}

/** The most findings in the list. */
const MAX_SHOWN = 200;

/** Shows the findings in all files. */
export class Findings {
  readonly #view: FindingsView;
  readonly #found = new Map<string, readonly ServerFinding[]>();
  /** Whether the list shows what was found. */
  #isCurrent = true;
  #expected: readonly string[] = [];
  #isSettled = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: FindingsView) {
    this.#view = view;
  }

  /** Sets what was found in a file. */
  set(name: string, findings: readonly ServerFinding[]): void {
    this.#found.set(name, findings);
    this.#isCurrent = false;
    this.#showSoon();
  }

  /** Forgets files that are no longer there, and waits for what is found in new ones. */
  keep(names: readonly string[]): void {
    this.#expected = names.filter(name => languageOf(name) !== undefined);
    for (const name of [...this.#found.keys()]) if (!names.includes(name)) this.#found.delete(name);
    this.#isCurrent = false;
    this.#showSoon();
  }

  /** Files changed, or all checks of them have been reported. */
  settled(isSettled: boolean): void {
    this.#isSettled = isSettled;
    this.#showSoon();
  }

  /** Says that the checks had to be stopped. */
  stopped(message: string): void {
    this.#view.count.textContent = message;
  }

  /** What is found in several files is shown at once. */
  #showSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#show();
    }, 5);
  }

  #show(): void {
    const all = [...this.#found].flatMap(([name, findings]) => findings.map(finding => ({ name, finding })));
    if (!this.#isCurrent) {
      all.sort((one, other) => (one.finding.severity ?? 1) - (other.finding.severity ?? 1));
      this.#view.list.replaceChildren(...all.slice(0, MAX_SHOWN).map(({ name, finding }) => this.#item(name, finding)));
      this.#isCurrent = true;
    }
    const isWaiting = (all.length === 0 && !this.#isSettled) || this.#expected.some(name => !this.#found.has(name));
    this.#view.count.dataset.settled = `${this.#isSettled}`;
    const text = isWaiting ? 'checking…' : countText(all.map(one => one.finding));
    if (this.#view.count.textContent !== text) this.#view.count.textContent = text;
  }

  #item(name: string, finding: ServerFinding): HTMLElement {
    const severity = severityOf(finding);
    const { line, character } = finding.range.start;
    const button = element(
      'button',
      { type: 'button', class: `finding ${severity}` },
      element('span', { class: `style-${severity}` }, severity),
      ' ',
      element('span', { class: 'message' }, finding.message),
      ' ',
      element(
        'span',
        { class: 'place' },
        `${name}:${line + 1}:${character + 1}`,
        finding.code === undefined ? '' : ` ${finding.code}`,
      ),
    );
    button.addEventListener('click', () => this.#view.reveal(name, finding));
    return element('li', {}, button);
  }
}

function countText(findings: readonly ServerFinding[]): string {
  if (findings.length === 0) return 'No findings: checked for errors, and with all lint rules that the settings enable';
  const of = (severity: 1 | 2) => findings.filter(one => (one.severity ?? 1) === severity).length;
  const others = findings.length - of(1) - of(2);
  const parts = [counted(of(1), 'error'), counted(of(2), 'warning'), counted(others, 'note')].filter(
    part => part !== '',
  );
  return parts.join(', ');
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}
